import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import type { TimerOptions } from 'node:timers'
import timers from 'node:timers/promises'

/**
 * Lets every `setTimeout` of `node:timers/promises` resolve at once until the test ends, and returns the waits in milliseconds in the
 * order of the calls. The mock timers of Node do not reach this function in modules that import it by name.
 */
export function recordSleeps(t: TestContext): number[] {
  const waits: number[] = []
  const real = timers.setTimeout
  const resolveAtOnce = async <T>(ms?: number, value?: T, { signal }: TimerOptions = {}): Promise<T> => {
    waits.push(ms ?? 0)
    signal?.throwIfAborted()
    return value as T
  }
  const replaceWith = (sleep: typeof timers.setTimeout) => {
    timers.setTimeout = sleep
    syncBuiltinESMExports()
  }
  replaceWith(resolveAtOnce)
  t.after(() => replaceWith(real))
  return waits
}
