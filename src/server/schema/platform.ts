/** Owns the networks on offer and how one signs in to each. */

import { z } from '@hono/zod-openapi'

const signInField = z.object({
  name: z.string(),
  label: z.string(),
  hint: z.string(),
  isSecret: z.boolean(),
  /** What is taken where nothing is entered; null where something must be. */
  fallback: z.string().nullable(),
})

/** `direct`: what is entered is all. `browser`: the person agrees on the network's own page. */
export const signInView = z
  .object({
    kind: z.enum(['direct', 'browser']),
    name: z.string(),
    title: z.string(),
    fields: z.array(signInField),
  })
  .openapi('SignIn')
export type SignInView = z.infer<typeof signInView>

export const platformView = z
  .object({
    name: z.string(),
    title: z.string(),
    /** The first is the one to recommend. */
    signIns: z.array(signInView),
    /** What only trying shows; null where reading tells everything. */
    trial: z
      .object({
        /** What it finds out, beginning with `whether`. */
        question: z.string(),
        /** What it does on the network for that. */
        steps: z.string(),
      })
      .nullable(),
  })
  .openapi('Platform')
export type PlatformView = z.infer<typeof platformView>

export const platformList = z.object({ items: z.array(platformView) }).openapi('PlatformList')
