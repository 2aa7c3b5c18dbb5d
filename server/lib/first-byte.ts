/** Aborts `work` when it has not resolved within `ms`. The limit does not apply to what follows, such as reading the body. */
export async function untilFirstByte<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(new Error(`no response within ${ms} ms`)), ms)
  try {
    return await work(slow.signal)
  } finally {
    clearTimeout(timer)
  }
}
