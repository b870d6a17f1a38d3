#!/usr/bin/env node
/**
 * The command line. It checks the version of Node before anything else is loaded, because an older
 * one would fail in the middle of a file with words that help nobody.
 */

const oldestNode = 24
const major = Number(process.versions.node.split('.')[0])

if (major < oldestNode) {
  console.error(
    `secondwind needs Node ${oldestNode} or newer, and this is ${process.versions.node}. ` +
      'Install a newer one from https://nodejs.org and try again.',
  )
  process.exitCode = 1
} else {
  const { run } = await import('./run.ts')
  process.exitCode = await run(process.argv.slice(2), process)
}
