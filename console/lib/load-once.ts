/** Returns a function that loads something once. It throws the error of a failed load, and the next call tries again. */
export function loadOnce(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | null = null
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = null
      throw error
    }))
}
