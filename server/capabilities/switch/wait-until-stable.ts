import { setTimeout as sleep } from 'node:timers/promises'

/** When the state has not changed for this long, no further change is expected. */
const SETTLED_AFTER_MS = 40
/** The maximum wait while a person keeps changing settings. */
const GATHER_MS_MAX = 400

/** How often to check whether changes still arrive. Much shorter than `SETTLED_AFTER_MS`, so that the wait ends soon after that time. */
const CHECK_INTERVAL_MS = 10

/**
 * Waits until `state` has returned the same string for `SETTLED_AFTER_MS`, so that changes made at the same time are
 * applied together.
 */
export async function waitUntilStable(
  state: () => Promise<string>,
  { signal, now = () => performance.now() }: { signal: AbortSignal; now?: () => number },
): Promise<void> {
  const began = now()
  let before = await state()
  let changedAt = now()
  for (;;) {
    await sleep(CHECK_INTERVAL_MS, undefined, { signal })
    const after = await state()
    if (after !== before) changedAt = now()
    before = after
    if (now() - changedAt >= SETTLED_AFTER_MS || now() - began >= GATHER_MS_MAX) return
  }
}
