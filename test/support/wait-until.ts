import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

/** Polls until `isDone` returns true. Fails after `limitMs` with the text of `details`. */
export async function waitUntil(
  isDone: () => boolean | Promise<boolean>,
  { limitMs = 30_000, details = () => '' }: { limitMs?: number; details?: () => string } = {},
): Promise<void> {
  const deadline = performance.now() + limitMs
  while (!(await isDone())) {
    assert.ok(performance.now() < deadline, `did not happen in ${limitMs} ms: ${details()}`)
    await sleep(20)
  }
}
