import { syncBuiltinESMExports } from 'node:module'
import type { TestContext } from 'node:test'
import type { TimerOptions } from 'node:timers'
import timers from 'node:timers/promises'

/**
 * Makes every `setTimeout` of `node:timers/promises` resolve at once until the test ends. Returns the waits in milliseconds in the order of
 * the calls. Node's mock timers do not reach this function in modules that import it by name.
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
