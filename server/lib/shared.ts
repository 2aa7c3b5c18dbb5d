/** Calls `make` when it is first needed; calls after that share its outcome. A failed one is made again by the next call. */
export function shared<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null
  return () => {
    made ??= make().catch((error: unknown) => {
      made = null
      throw error
    })
    return made
  }
}
