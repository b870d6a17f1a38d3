/** The `pg` package ships no types. The part of it that is used gets narrow ones in pg.ts. */

declare module 'pg' {
  export const Client: unknown
  export const Pool: unknown
}
