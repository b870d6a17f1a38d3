/** The README's code is run, so that it never goes stale. */

import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')

/** The TypeScript blocks, with the package's name leading to its source. */
function codeBlocks(): readonly string[] {
  return [...readme.matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code = '']) =>
    code
      .replaceAll("'secondwind/platform'", `'${sourceUrl('platform/index.ts')}'`)
      .replaceAll("'secondwind/classic'", `'${sourceUrl('classic/index.ts')}'`)
      .replaceAll("'secondwind'", `'${sourceUrl('index.ts')}'`),
  )
}

function sourceUrl(path: string): string {
  return pathToFileURL(join(root, 'src', path)).href
}

function run(code: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'secondwind-readme-'))
  try {
    const file = join(folder, 'snippet.ts')
    writeFileSync(file, code)
    return execFileSync(process.execPath, [file], { cwd: folder, encoding: 'utf8' })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

describe('README', () => {
  test('the engine in ten lines finds an account to read', () => {
    const [code = ''] = codeBlocks()
    expect(
      code
        .trim()
        .split('\n')
        .filter((line) => !/^(import .*)?$/.test(line)),
    ).toHaveLength(10)
    expect(run(code)).toBe('1\n')
  })

  test('the core alone holds a stalled post until more looks confirm it', () => {
    const [, code = ''] = codeBlocks()
    expect(run(code)).toMatch(/^hold Stalled \(tier_3\)/)
  })

  test('the classic executor plans for the same samples', () => {
    const [, , code = ''] = codeBlocks()
    const metrics = [
      'const ago = (minutes: number) => new Date(Date.now() - minutes * 60_000)',
      'const point = { impressions: 10, engagements: 1 }',
      'const metrics = [30, 15, 0].map((age) => ({ timestamp: ago(age), ...point }))',
    ]
    const output = run([...metrics, code, 'console.log(plan)'].join('\n'))
    expect(output).toContain("action_type: 'thread'")
  })
})
