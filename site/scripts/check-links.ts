/** Looks at every link of the built site: it leads to a page, and to an anchor that is there. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Prints what is wrong and gives the exit code. */
export function checkLinks(folder: string): number {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.html'))
    .map((path) => path.replaceAll('\\', '/'))
  const anchors = new Map<string, ReadonlySet<string>>()
  let count = 0
  const problems: string[] = []
  for (const page of pages) {
    const html = readFileSync(join(folder, page), 'utf8')
    for (const link of linksOf(html)) {
      count += 1
      const problem = problemOf(folder, anchors, page, link)
      if (problem !== null) problems.push(`${page}: ${link} ${problem}`)
    }
  }
  for (const problem of new Set(problems)) console.error(problem)
  console.log(`${count} links on ${pages.length} pages, ${problems.length} of them broken.`)
  return problems.length === 0 && pages.length > 0 ? 0 : 1
}

function linksOf(html: string): readonly string[] {
  return [...html.matchAll(/\s(?:href|src)="([^"]*)"/g)]
    .map(([, link = '']) => link.replaceAll('&amp;', '&').replaceAll('&#38;', '&'))
    .filter((link) => !/^([a-z]+:|\/\/)/.test(link))
}

function problemOf(
  folder: string,
  anchors: Map<string, ReadonlySet<string>>,
  page: string,
  link: string,
): string | null {
  const [path = '', anchor = ''] = link.split('?')[0]?.split('#') ?? []
  const from = `/${page}`
  const target = decodeURIComponent(path === '' ? from : posix.resolve(posix.dirname(from), path))
  const file = fileOf(folder, target)
  if (file === null) return 'leads nowhere'
  if (anchor === '' || !file.endsWith('.html')) return null
  if (!anchors.has(file)) anchors.set(file, idsOf(readFileSync(file, 'utf8')))
  return anchors.get(file)?.has(decodeURIComponent(anchor)) === true ? null : 'names no anchor'
}

function fileOf(folder: string, path: string): string | null {
  const file = join(folder, path)
  if (existsSync(file) && statSync(file).isFile()) return file
  const index = join(file, 'index.html')
  return existsSync(index) ? index : null
}

function idsOf(html: string): ReadonlySet<string> {
  return new Set([...html.matchAll(/\sid="([^"]*)"/g)].map(([, id = '']) => id))
}
