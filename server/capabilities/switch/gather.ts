import { setTimeout as sleep } from 'node:timers/promises'

/** After this long without a change, no further one is expected. */
const QUIET_MS = 40
/** The upper limit: a person who changes settings all the time waits, too. */
const GATHER_MS_MAX = 400

/** Short against the quiet time, so that little more than that passes after the last change. */
const LOOK_MS = 10

/** Waits until `state` has returned the same text for a moment, so that changes made at the same time are applied together. */
export async function gatherChanges(
  state: () => Promise<string>,
  { signal, now = () => performance.now() }: { signal: AbortSignal; now?: () => number },
): Promise<void> {
  const began = now()
  let before = await state()
  let changedAt = now()
  for (;;) {
    await sleep(LOOK_MS, undefined, { signal })
    const after = await state()
    if (after !== before) changedAt = now()
    before = after
    if (now() - changedAt >= QUIET_MS || now() - began >= GATHER_MS_MAX) return
  }
}
