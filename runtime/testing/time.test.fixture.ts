import { mock } from 'node:test'

/** Advances the mocked clock by `stepMs` at a time until `work` settles. Returns its value, or throws its error. */
export async function passTimeUntil<T>(work: Promise<T>, stepMs = 50): Promise<T> {
  const state = { isDone: false }
  const done = async () => {
    await Promise.allSettled([work])
    state.isDone = true
  }
  void done()
  while (!state.isDone) {
    await new Promise((resolve) => setImmediate(resolve))
    mock.timers.tick(stepMs)
  }
  return await work
}
