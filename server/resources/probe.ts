import { setTimeout as sleep } from 'node:timers/promises'
import * as z from 'zod'
import { CloudflareError } from '../cloudflare/errors.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { parseJson } from '../cloudflare/json.ts'

const PATIENCE_MS = 30_000
const STEP_MS = 50
const STEP_MS_MAX = 1_000

const Health = z.looseObject({ data: z.looseObject({ release: z.string().nullish() }) })

/**
 * Waits until the app says that it is well and that this release is what answers; what it said last is the
 * reason when it never does.
 */
export async function waitUntilHealthy(
  url: string,
  release: string,
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<void> {
  const giveUpAt = performance.now() + patienceMs
  for (let waitMs = STEP_MS; ; waitMs = Math.min(waitMs * 2, STEP_MS_MAX)) {
    const problem = await probe(url, release, signal)
    if (problem === null) return
    if (performance.now() + waitMs > giveUpAt) {
      const message = `The app was deployed but does not come up: GET /_app/health ${problem}`
      throw new CloudflareError('upstream', message, { status: null })
    }
    await sleep(waitMs, undefined, { signal })
  }
}

/** Looks once: what is wrong with a worker that should answer with this release, or null. */
export async function probe(url: string, release: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await cloudFetch(`${url}/_app/health`, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    const text = await answer.text()
    if (answer.status !== 200) return `answers ${answer.status} ${text.slice(0, 200)}`.trim()
    // An edge that has not heard of the switch yet still answers with the version before.
    const served = Health.safeParse(parseJson(text)).data?.data.release
    return served === release ? null : `answers for release ${served ?? 'unknown'}`
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return `gets no answer (${cause instanceof Error ? cause.message : String(cause)})`
  }
}
