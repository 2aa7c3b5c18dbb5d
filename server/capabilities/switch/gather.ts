import { setTimeout as sleep } from 'node:timers/promises'

/** Without a change for so long, nothing more is expected. */
const QUIET_MS = 40
/** After that it is begun in any case: a person who changes things all the time waits for them, too. */
const GATHER_MS_MAX = 400

/**
 * Waits until `state` reads the same for a moment, so that what is changed at the same time is done together. `state` is
 * compared as text.
 */
export async function gatherChanges(
  state: () => Promise<string>,
  { signal, now = () => performance.now() }: { signal: AbortSignal; now?: () => number },
): Promise<void> {
  const began = now()
  let before = await state()
  for (;;) {
    await sleep(QUIET_MS, undefined, { signal })
    const after = await state()
    if (after === before || now() - began >= GATHER_MS_MAX) return
    before = after
  }
}
