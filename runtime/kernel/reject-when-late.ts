/** Returns the result of `work`. Rejects with `error` after `ms` milliseconds. Does not cancel `work`. */
export async function rejectWhenLate<T>(work: Promise<T>, ms: number, error: Error): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(error), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}
