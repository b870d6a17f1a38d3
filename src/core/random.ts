/** Owns the shape of a random source. The real one is in src/system.ts. */

/** Randomness as the engine is given it: seeded in the simulator. */
export interface Random {
  /** At least 0 and below 1. */
  fraction(): number
  /** A fresh identifier of 128 bits. */
  id(): string
}
