import { setTimeout as sleep } from 'node:timers/promises'
import { rebind } from '../cloudflare/workers.ts'
import { CloudflareError } from '../cloudflare/errors.ts'
import { appName } from '../resource-names.ts'
import { readGate } from '../capabilities/access/code.ts'
import { readGateOf } from '../resources/probe.ts'
import type { Work } from '../resources/work.ts'
import { appBindings } from './app-worker.ts'

const APPLY_CODE_MS_MAX = 30_000
const CHECK_PAUSE_MS = 100

/** Thrown for an app that an earlier version of the service shipped: its runtime has no access codes. */
export class AccessCodeUnsupported extends Error {}

/**
 * Waits until the live app asks visitors for the current access code of the project, and returns the id of the code.
 * Without a code it waits until the app asks for none, and returns null. The code is a binding of a version and never
 * changes in it, so a new code needs a new version with the same files. Throws `AccessCodeUnsupported` for a runtime
 * without access codes.
 */
export async function applyAccessCode(
  work: Work<'config' | 'keyring'>,
  app: { url: string; sha: string; enabled: ReadonlySet<string> },
): Promise<{ gate: string | null; isRebound: boolean }> {
  const { platform, cloud, project, signal } = work
  const name = appName(project, 'production')
  const giveUpAt = performance.now() + APPLY_CODE_MS_MAX
  let bound: string | null | undefined
  for (;;) {
    // Read again each time, because the code may be changed in the meantime.
    const wanted = (await readGate(platform, platform.db, project))?.id ?? null
    const served = await readGateOf(app.url, signal)
    if (served === wanted || (served === 'unknown' && wanted === null))
      return { gate: wanted, isRebound: bound !== undefined }
    if (served === 'unknown') throw new AccessCodeUnsupported()
    if (bound !== wanted) {
      await rebind(cloud, name, await appBindings(work, { ...app, tier: 'production' }))
      bound = wanted
    }
    if (performance.now() > giveUpAt)
      throw new CloudflareError('upstream', 'The app does not follow the change of its access code yet.', {
        status: null,
        retryable: true,
      })
    await sleep(CHECK_PAUSE_MS, undefined, { signal })
  }
}
