/** A test counts as stalled after this time without a response. On a busy machine a whole test takes longer, but responses still arrive. */
const SILENCE_MS_MAX = 2_000
/** Ends a test that gets responses but never finishes. */
const TEST_MS_MAX = 10_000

let notifyProgress = () => {}

/** Called at every response of the app to the running test. */
export const reportProgress = (): void => notifyProgress()

/** Rejects when the app sends no response for two seconds, or when `work` does not finish within ten. */
export async function rejectWhenStalled(work: () => unknown): Promise<void> {
  const timers: ReturnType<typeof setTimeout>[] = []
  const stuck = new Promise<never>((_, reject) => {
    const endAfter = (ms: number) =>
      setTimeout(() => reject(new Error(`did not end within ${ms / 1000} s`)), ms)
    timers.push(endAfter(TEST_MS_MAX), endAfter(SILENCE_MS_MAX))
    notifyProgress = () => {
      clearTimeout(timers[1])
      timers[1] = endAfter(SILENCE_MS_MAX)
    }
  })
  try {
    await Promise.race([Promise.resolve().then(work), stuck])
  } finally {
    notifyProgress = () => {}
    for (const timer of timers) clearTimeout(timer)
  }
}
