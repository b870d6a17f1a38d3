/**
 * Makes the site's pages from the documents of the repository, which stay the one place where
 * something is written: takes the title out, puts front matter in, and turns links to files into
 * links to pages.
 */

import { execFileSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, extname, join, posix } from 'node:path'
import { writeApiPage } from './api-page.ts'
import type { OpenApi } from './api-page.ts'

const root = join(import.meta.dirname, '..', '..')
const target = join(root, 'site', 'src', 'content', 'docs')
const files = join(root, 'site', 'public')

/** Documents of the root, and the address of each. */
const fromRoot: Readonly<Record<string, string>> = {
  'README.md': '/',
  'ARCHITECTURE.md': '/architecture/',
  'GLOSSARY.md': '/glossary/',
  'CONTRIBUTING.md': '/contributing/',
  'SECURITY.md': '/security/',
  'CHANGELOG.md': '/changelog/',
  'examples/README.md': '/examples/',
}

/** Returns how many it made. */
export function makePages(): number {
  rmSync(target, { recursive: true, force: true })
  rmSync(files, { recursive: true, force: true })
  mkdirSync(files)
  cpSync(join(root, 'web', 'public', 'icon.svg'), join(files, 'favicon.svg'))
  if (existsSync(join(root, 'docs', 'pictures'))) {
    cpSync(join(root, 'docs', 'pictures'), join(files, 'pictures'), { recursive: true })
  }
  const addresses = new Map([...Object.entries(fromRoot), ...documentsOf('docs')])
  for (const [path, address] of addresses) {
    const text = readFileSync(join(root, path), 'utf8')
    const more = path === 'examples/README.md' ? sourcesOf('examples') : ''
    write(address, toPage(path, text + more, addresses))
  }
  const program = join(root, 'src', 'cli', 'main.ts')
  const words = [program, 'openapi', '--json']
  const limits = { encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 } as const
  const description = JSON.parse(execFileSync(process.execPath, words, limits)) as OpenApi
  write('/api-reference/', withTitle('API reference', writeApiPage(description)))
  return addresses.size + 1
}

/** Every document below a folder, with its address. */
function documentsOf(folder: string): readonly (readonly [string, string])[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return documentsOf(path)
    if (extname(path) !== '.md') return []
    const name = path.slice('docs/'.length, -'.md'.length).replace(/(^|\/)README$/, '$1')
    return [[path, `/${name}/`.replaceAll('//', '/')] as const]
  })
}

/** The examples themselves, below their list. */
function sourcesOf(folder: string): string {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).sort()
  const sources = names.filter((name) => /\.(ts|py)$/.test(name))
  return sources
    .map((name) => {
      const language = extname(name).slice(1)
      const text = readFileSync(join(root, folder, name), 'utf8').trimEnd()
      return `\n## ${name.replaceAll('\\', '/')}\n\n\`\`\`${language}\n${text}\n\`\`\`\n`
    })
    .join('')
}

function toPage(path: string, text: string, addresses: ReadonlyMap<string, string>): string {
  const [, title = path, body = ''] = /^# (.+)\n([^]*)$/.exec(text) ?? []
  return withTitle(
    title,
    outsideCode(body, (part) => turnLinks(path, part, addresses)),
  )
}

function withTitle(title: string, body: string): string {
  return `---\ntitle: ${JSON.stringify(title)}\neditUrl: false\n---\n\n${body.trim()}\n`
}

function outsideCode(text: string, change: (part: string) => string): string {
  return text
    .split(/(^```[^]*?^```$)/m)
    .map((part) => (part.startsWith('```') ? part : change(part)))
    .join('')
}

function turnLinks(path: string, text: string, addresses: ReadonlyMap<string, string>): string {
  return text.replaceAll(
    /(!?)\[([^\]]*)\]\(([^)\s]+)\)/g,
    (whole, mark: string, words, link: string) => {
      if (/^([a-z]+:|#)/.test(link)) return whole
      const [file = '', anchor] = link.split('#')
      const to = posix.normalize(posix.join(posix.dirname(path), file))
      if (mark === '!') {
        const picture = posix.relative('docs/pictures', to)
        return existsSync(join(root, to)) ? `![${words}](/pictures/${picture})` : ''
      }
      const address = addressOf(to, addresses)
      // What has no page of its own, such as the licence, is named and not linked.
      if (address === null) return words as string
      return `[${words}](${address}${anchor === undefined ? '' : `#${anchor}`})`
    },
  )
}

function addressOf(path: string, addresses: ReadonlyMap<string, string>): string | null {
  const own = addresses.get(path) ?? addresses.get(posix.join(path, 'README.md'))
  if (own !== undefined) return own
  if (!path.startsWith('examples/')) return null
  const anchor = path.slice('examples/'.length).replaceAll(/[^\w-]/g, '')
  return `/examples/#${anchor}`
}

function write(address: string, page: string): void {
  const path = join(target, address === '/' ? 'index.md' : `${address.slice(1, -1)}.md`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page)
}

if (import.meta.main) makePages()
