import { setTimeout as sleep } from 'node:timers/promises'

/** Without a change for so long, nothing more is expected. */
const QUIET_MS = 40
/** After that it is begun in any case: a person who changes things all the time waits for them, too. */
const GATHER_MS_MAX = 400

/** How often it looks, so that little more than the quiet passes after the last change. */
const LOOK_MS = 10

/**
 * Waits until `state` has read the same for a moment, so that what is changed at the same time is done together. `state` is
 * compared as text.
 */
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
