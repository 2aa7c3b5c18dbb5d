import { errorText } from '../errors.ts'
import type { ObjectState } from 'cloudflare:workers'
import type { Alarms } from './alarms.ts'
import type { Hold } from './hold.ts'
import type { JobInfo, JobOutcome } from './jobs.ts'
import type { Tier } from './objects.ts'
import type { JsonText } from '../json-text.ts'

/**
 * How long a Durable Object waits before it checks again whether the app's worker can be called. Jobs that
 * are due wait until then.
 */
export const RECHECK_MS = 5 * 60_000

export interface RunnerDeps {
  ctx: ObjectState
  env: unknown
  tier: Tier
  hold: Hold
  alarms: Alarms
}

export type RunCaller = 'schedule' | 'hook' | 'email' | 'pay'

/**
 * The app worker's methods through which Durable Objects run the app's jobs. The capabilities add methods in `object-types.ts`. Deployed
 * older releases have these methods, so add methods but never change one.
 */
export interface HandlersBinding {
  schedule(job: string, info: JobInfo): Promise<JobOutcome>
  timer(job: string, data: unknown, info: JobInfo): Promise<JobOutcome>
}

interface CallbackEnv {
  APP?: HandlersBinding
  APP_PREVIEW?: HandlersBinding
  /**
   * JSON lists of the capabilities that may call the app's worker, one for production and one for the
   * preview.
   */
  APP_CALLERS?: JsonText<string[]>
  APP_PREVIEW_CALLERS?: JsonText<string[]>
}

/**
 * Returns null while the app is not deployed, or when it does not use the capability. A live worker that an earlier version of
 * Slipway uploaded has no list of callers; then every capability may call the app's worker.
 */
export function handlersOf(
  { env, tier }: Pick<RunnerDeps, 'env' | 'tier'>,
  caller: RunCaller,
): HandlersBinding | null {
  const { APP, APP_PREVIEW, APP_CALLERS, APP_PREVIEW_CALLERS } = env as CallbackEnv
  const [app, list] = tier === 'preview' ? [APP_PREVIEW, APP_PREVIEW_CALLERS] : [APP, APP_CALLERS]
  const mayCall = list === undefined || JSON.parse(list).includes(caller)
  return mayCall ? (app ?? null) : null
}

/** Calls the app's worker. A failure of the call itself is also returned as a failed outcome. */
export async function callHandlers(
  parts: Pick<RunnerDeps, 'env' | 'tier'>,
  caller: RunCaller,
  call: (handlers: HandlersBinding) => Promise<JobOutcome>,
): Promise<JobOutcome> {
  const handlers = handlersOf(parts, caller)
  if (handlers === null) return { ok: false, error: 'The app is not connected with its jobs. Ship it again.' }
  try {
    return await call(handlers)
  } catch (error) {
    return { ok: false, error: errorText(error) }
  }
}
