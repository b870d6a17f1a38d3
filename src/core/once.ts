/** Owns asking for something at most once, and only where it is needed. */

/** Keeps the answer for when it is asked for again. */
export function once<Value>(read: () => Value): () => Value {
  let known: { readonly value: Value } | null = null
  return () => {
    known ??= { value: read() }
    return known.value
  }
}
