import { setTimeout as sleep } from 'node:timers/promises'
import { CloudflareError } from '../cloudflare/errors.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'

const PATIENCE_MS = 30_000
const STEP_MS = 50
const STEP_MS_MAX = 1_000

/** Waits until the app itself says that it is well; what it said last is the reason when it never does. */
export async function waitUntilHealthy(url: string, signal: AbortSignal): Promise<void> {
  const giveUpAt = performance.now() + PATIENCE_MS
  for (let waitMs = STEP_MS; ; waitMs = Math.min(waitMs * 2, STEP_MS_MAX)) {
    const problem = await probe(`${url}/_app/health`, signal)
    if (problem === null) return
    if (performance.now() + waitMs > giveUpAt) {
      throw new CloudflareError('upstream', `The app was deployed but does not answer: ${problem}`, {
        status: null,
      })
    }
    await sleep(waitMs, undefined, { signal })
  }
}

async function probe(url: string, signal: AbortSignal): Promise<string | null> {
  try {
    const answer = await cloudFetch(url, {
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(10_000)]),
    })
    const text = await answer.text()
    return answer.status === 200
      ? null
      : `GET /_app/health says ${answer.status} ${text.slice(0, 200)}`.trim()
  } catch (error) {
    signal.throwIfAborted()
    const cause = error instanceof Error ? (error.cause ?? error) : error
    return `GET /_app/health gets no answer (${cause instanceof Error ? cause.message : String(cause)})`
  }
}
