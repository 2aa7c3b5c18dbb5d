/**
 * Returns a function that calls `make` when it is first called and then always returns the same result. After
 * a failure the next call tries again.
 */
export function memoizePromise<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}
