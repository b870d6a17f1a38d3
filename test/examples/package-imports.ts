/** Lets `secondwind` lead to the sources, so that an example runs as it is before a build. */

import { registerHooks } from 'node:module'

const sources = new URL('../../src/', import.meta.url)

registerHooks({
  resolve: (specifier, context, next) => {
    const [, name, entry] = /^(secondwind)(?:\/(\w+))?$/.exec(specifier) ?? []
    if (name === undefined) return next(specifier, context)
    const path = entry === undefined ? 'index.ts' : `${entry}/index.ts`
    return next(new URL(path, sources).href, context)
  },
})
