/** Collects what an auditor found wrong, in words. */
export class Findings {
  readonly #found: string[] = []

  /** Most would repeat each other where something is broken for good. */
  static readonly most = 20

  require(holds: boolean, otherwise: string): void {
    if (!holds) this.#found.push(otherwise)
  }

  get list(): readonly string[] {
    const left = this.#found.length - Findings.most
    if (left <= 0) return this.#found
    return [...this.#found.slice(0, Findings.most), `and ${left} more`]
  }
}
