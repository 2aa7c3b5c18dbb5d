/**
 * Whether a test gets on. A busy machine takes seconds for what a test does, but it answers in between; a test that waits for
 * what never comes gets no answer.
 */
const SILENCE_MS_MAX = 2_000
/** For a test that asks without end. */
const TEST_MS_MAX = 10_000

let noted = () => {}

/** Called when the app has answered the running test. */
export const reportProgress = (): void => noted()

/** Rejects when `work` gets no answer of the app for two seconds, or does not end within ten. */
export async function rejectWhenStalled(work: () => unknown): Promise<void> {
  const timers: ReturnType<typeof setTimeout>[] = []
  const stuck = new Promise<never>((_, reject) => {
    const endAfter = (ms: number) =>
      setTimeout(() => reject(new Error(`did not end within ${ms / 1000} s`)), ms)
    timers.push(endAfter(TEST_MS_MAX), endAfter(SILENCE_MS_MAX))
    noted = () => {
      clearTimeout(timers[1])
      timers[1] = endAfter(SILENCE_MS_MAX)
    }
  })
  try {
    await Promise.race([Promise.resolve().then(work), stuck])
  } finally {
    noted = () => {}
    for (const timer of timers) clearTimeout(timer)
  }
}
