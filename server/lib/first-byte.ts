/** Gives up when `work` has not answered in time; what it answers with may then take as long as it needs. */
export async function untilFirstByte<T>(ms: number, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const slow = new AbortController()
  const timer = setTimeout(() => slow.abort(new Error(`no answer within ${ms} ms`)), ms)
  try {
    return await work(slow.signal)
  } finally {
    clearTimeout(timer)
  }
}
