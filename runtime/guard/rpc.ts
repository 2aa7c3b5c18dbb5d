import { rpcMethod, type LiveContext } from '../kernel/objects/rpc-method.ts'
import type { AsyncHandlersOf } from '../kernel/objects/calls.ts'
import { ApiError, invalid } from '../kernel/errors.ts'
import { fieldOf, isAction } from './action.ts'
import type { GuardCalls } from './types.ts'
import type { JsonText } from '../kernel/json-text.ts'
import { readVariable, textVariable } from '../kernel/variable.ts'
import { isFields, requireShortText } from '../kernel/fields.ts'

const SITEVERIFY_URL = 'https://challenges.cloudflare.com/turnstile/v0/siteverify'
const TIMEOUT_MS = 5000
const TOKEN_CHARS_MAX = 2048
const KEY_CHARS_MAX = 500
/** Error codes that a page or visitor can cause. All others are caused by the operator's settings or by Turnstile. */
const TOKEN_ERROR_CODES = new Set([
  'missing-input-response',
  'invalid-input-response',
  'timeout-or-duplicate',
])

interface RateLimit {
  limit(of: { key: string }): Promise<{ success: boolean }>
}

interface GuardEnv {
  GUARD_LIMITS?: JsonText<{ name: string; per: 'ip' | 'user' }[]>
  GUARD_PROTECT?: JsonText<string[]>
  /** The counter of each limit, by the index of the limit in `GUARD_LIMITS`. */
  [counter: `GUARD_LIMIT_${number}`]: RateLimit
}

interface SiteverifyResult {
  success?: unknown
  hostname?: unknown
  action?: unknown
  'error-codes'?: unknown
}

type GuardContext = Pick<LiveContext, 'tier' | 'env'>

export const handleGuard = rpcMethod<GuardContext, GuardCalls>(guardHandlers)

function guardHandlers({ tier, env }: GuardContext): AsyncHandlersOf<GuardCalls> {
  const values = env as GuardEnv
  const limits = readVariable(values.GUARD_LIMITS, [])
  const siteKey = textVariable(env, 'GUARD_SITE_KEY') ?? ''
  return {
    facts: () => ({
      siteKey,
      protect: readVariable(values.GUARD_PROTECT, []),
      limits: Object.fromEntries(limits.map(({ name, per }) => [name, per])),
    }),
    verify: async ({ token, action, hostname }) => {
      if (!isAction(action)) throw invalid('action', 'must have 1 to 32 letters, digits, - or _')
      if (typeof token !== 'string' || token === '' || token.length > TOKEN_CHARS_MAX)
        throw botRejected(action, 'Confirm that you are a person, and try again.')
      const verdict = await callProvider(textVariable(env, 'GUARD_SECRET') ?? '', token)
      if (verdict.success === true && verdict.hostname === hostname && verdict.action === action) return null
      throw botRejected(action, 'It could not be confirmed that you are a person. Try again.')
    },
    limit: async ({ name, key }) => {
      const at = limits.findIndex((one) => one.name === name)
      requireShortText('key', key, KEY_CHARS_MAX)
      // The operator has not set a limit with this name.
      if (at === -1) return true
      const counter = values[`GUARD_LIMIT_${at}`]
      if (counter === undefined) throw guardUnavailable()
      // Projects in the same cloud account may share a counter, so the key includes the project's site key.
      return (await counter.limit({ key: `${siteKey} ${tier} ${key}` })).success
    },
  }
}

/**
 * Verifies a token with Turnstile and retries once after a failure: the idempotency key keeps the retry from counting as a second use.
 * Throws `unavailable` when Turnstile does not decide, so that nothing passes unverified.
 */
async function callProvider(secret: string, token: string): Promise<SiteverifyResult> {
  if (secret === '') throw guardUnavailable()
  const body = { secret, response: token, idempotency_key: crypto.randomUUID() }
  const verdict = (await callSiteverify(body)) ?? (await callSiteverify(body))
  if (verdict === null) throw guardUnavailable()
  const codes = Array.isArray(verdict['error-codes']) ? verdict['error-codes'] : []
  if (verdict.success !== true && !codes.every((code) => TOKEN_ERROR_CODES.has(String(code))))
    throw guardUnavailable()
  return verdict
}

async function callSiteverify(body: object): Promise<SiteverifyResult | null> {
  try {
    const answer = await fetch(SITEVERIFY_URL, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    if (answer.status >= 500 || answer.status === 429) {
      await answer.body?.cancel()
      return null
    }
    const verdict: unknown = await answer.json()
    return isFields(verdict) ? verdict : null
  } catch {
    return null
  }
}

const botRejected = (action: string, message: string) =>
  new ApiError('forbidden', message, { field: fieldOf(action) })

const guardUnavailable = () =>
  new ApiError('unavailable', 'The check for bots cannot be reached. Try again in a moment.')
