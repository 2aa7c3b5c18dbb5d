import type { PreparedResult } from '../kernel/objects/calls.ts'
import { isTooDeep } from '../kernel/depth.ts'
import { ApiError, invalid, failureAnswer, unwrapResult } from '../kernel/errors.ts'
import { partitionOf } from '../kernel/objects/objects.ts'
import { publicUrl } from '../kernel/public-url.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import { storableHeaders } from './message.ts'
import { webhookBody } from './send.ts'
import { type HookSettings, hookSettingsOf } from './settings.ts'
import type { Delivery, HookCalls, HookObjectCalls, HookSpec, RawMessage } from './types.ts'
import { deliveryIdOf, verifyMessage } from './verify.ts'
import { fieldsOf } from '../kernel/fields.ts'

/** The collection for messages of an endpoint that is declared only in the operator's settings. */
export const EVENTS_COLLECTION = 'hookEvents'

/**
 * Runs in the live worker, which owns the Durable Objects: handles RPC calls from the app's worker. Returns
 * an `ApiError` as a value. A message whose signature is not valid is rejected here, before any Durable
 * Object is called.
 */
export async function handleHook<Kind extends keyof HookCalls>(
  { objects, tier, env }: LiveContext,
  hash: string,
  kind: Kind,
  ask: HookCalls[Kind]['ask'],
): Promise<PreparedResult<HookCalls[Kind]['answer']>> {
  const settings = hookSettingsOf(env)
  const app = partitionOf(objects, tier, 'app')

  async function call<Call extends keyof HookObjectCalls>(call: Call, given: HookObjectCalls[Call]['ask']) {
    const answer = await app.hook(call, given)
    return answer && unwrapResult(answer)
  }

  const handlers: {
    [K in keyof HookCalls]: (given: HookCalls[K]['ask']) => Promise<HookCalls[K]['answer'] | null>
  } = {
    receive: async ({ name, spec, message }) => {
      const read = readMessage(settings, name, spec, message)
      return 'challenge' in read ? read : await call('take', { hash, delivery: read })
    },
    replay: (given) => call('replay', given),
    send: async ({ url, type, data }) => {
      if (settings.sendKey === null)
        throw new ApiError('not_enabled', 'Give the capability hook a key to sign with before the app sends.')
      const id = `msg_${crypto.randomUUID().replaceAll('-', '')}`
      return await call('send', { id, url: publicUrl(url), body: webhookBody(type, data, new Date()) })
    },
  }
  try {
    const value = await handlers[kind](ask)
    return value === null ? { ok: false, unprepared: true } : { ok: true, value }
  } catch (error) {
    return failureAnswer(error)
  }
}

/**
 * Verifies a message and returns it. For a handshake, which some senders send first, returns its challenge instead. Throws when the
 * signature is not valid.
 */
function readMessage(
  settings: HookSettings,
  name: string,
  spec: HookSpec | null,
  message: RawMessage,
): Delivery | { challenge: string } {
  const details = Object.hasOwn(settings.endpoints, name) ? (settings.endpoints[name] ?? {}) : {}
  const scheme = spec?.scheme ?? details.scheme
  if (scheme === undefined) throw new ApiError('not_found', 'There is no such endpoint.')
  const secret = settings.secretOf(name)
  if (secret === null)
    throw new ApiError('unauthorized', 'This endpoint has no secret yet, so it accepts nothing.')
  verifyMessage(scheme, message, { secret, details, nowMs: Date.now() })
  const body = parseBody(message.bytes)
  if (isTooDeep(body)) throw invalid('body', 'is nested too deeply')
  const { type, challenge } = fieldsOf(body)
  if (scheme === 'slack' && type === 'url_verification' && typeof challenge === 'string') return { challenge }
  return {
    endpoint: name,
    collection: spec?.collection ?? details.collection ?? EVENTS_COLLECTION,
    handler: spec?.handler ?? null,
    deliveryId: deliveryIdOf(scheme, message, body),
    headers: storableHeaders(message.headers),
    body,
  }
}

function parseBody(bytes: ArrayBuffer): unknown {
  const text = new TextDecoder().decode(bytes)
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
