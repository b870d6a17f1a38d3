/**
 * Owns what an account said lately, while several of its posts are looked at. Texts are written one
 * after another, and each writer is shown those before, so that no two posts are told the same.
 */

import type { ContentResult } from '../content/content.ts'

export class RecentTexts {
  readonly #read: () => Promise<readonly string[]>
  /** The newest first. Null until something is to be said. */
  #texts: readonly string[] | null = null
  #turn: Promise<void> = Promise.resolve()

  constructor(read: () => Promise<readonly string[]>) {
    this.#read = read
  }

  async add(
    write: (recentTexts: readonly string[]) => Promise<ContentResult>,
  ): Promise<ContentResult> {
    const before = this.#turn
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#turn = promise
    await before
    try {
      this.#texts ??= await this.#read()
      const written = await write(this.#texts)
      if (written.kind === 'text') this.#texts = [written.text, ...this.#texts]
      return written
    } finally {
      resolve()
    }
  }
}
