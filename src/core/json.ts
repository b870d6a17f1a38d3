/** Owns the type of data that survives JSON unchanged. */

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [field: string]: Json }
