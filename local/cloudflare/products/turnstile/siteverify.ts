import * as z from 'zod'
import type { Store } from '../../../world/store.ts'
import { isRecord } from '../../is-record.ts'
import { isForm } from '../../rest/read-body.ts'
import { widgetOfSecret } from './widgets.ts'

/** The host at which an app verifies a token. */
export const TURNSTILE_HOST = 'challenges.cloudflare.com'

const TOKEN_MS = 300_000
const TOKEN_PREFIX = 'XXXX.DUMMY.TOKEN.'
/**
 * The content of a token. In the local cloud, the page writes the content into the token; the real provider stores the content on its
 * servers.
 */
const Token = z.object({ action: z.string(), hostname: z.string(), id: z.string(), at: z.number() })

interface SiteverifyResult {
  success: boolean
  'error-codes': string[]
  challenge_ts?: string
  hostname?: string
  action?: string
}

/** Verifies a token for an app. Only the local cloud's widgets exist. */
export const siteverify =
  (store: Store, now: () => number) =>
  async (request: Request): Promise<Response> => {
    if (request.method !== 'POST' || new URL(request.url).pathname !== '/turnstile/v0/siteverify')
      return new Response('The local cloud answers /turnstile/v0/siteverify only.', { status: 404 })
    return Response.json(verifyToken(store, await readFields(request), now()))
  }

/** Reads a body as JSON, as a form, or as a multipart form. A body in none of these forms has no fields. */
async function readFields(request: Request): Promise<Record<string, unknown>> {
  if (isForm(request)) {
    const form = await request.formData().catch(() => new FormData())
    return Object.fromEntries(form)
  }
  const text = await request.text()
  if (request.headers.get('content-type')?.includes('json') !== true)
    return Object.fromEntries(new URLSearchParams(text))
  try {
    const fields: unknown = JSON.parse(text)
    return isRecord(fields) ? fields : {}
  } catch {
    return {}
  }
}

function verifyToken(store: Store, fields: Record<string, unknown>, now: number): SiteverifyResult {
  const { secret, response } = fields
  if (typeof secret !== 'string' || secret === '') return failedVerdict('missing-input-secret')
  const widget = widgetOfSecret(store, secret, now)
  if (widget === null) return failedVerdict('invalid-input-secret')
  if (typeof response !== 'string' || response === '') return failedVerdict('missing-input-response')
  const token = readToken(response)
  const isOwn = token !== null && widget.domains.some((one) => isSameOrSubdomain(token.hostname, one))
  if (!isOwn || widget.sitekey.startsWith('2x')) return failedVerdict('invalid-input-response')
  const isOld = token.at < now - TOKEN_MS
  if (
    isOld ||
    widget.sitekey.startsWith('3x') ||
    !redeemToken(store, token.id, fields['idempotency_key'], now)
  )
    return failedVerdict('timeout-or-duplicate')
  const { action, hostname } = token
  return {
    success: true,
    'error-codes': [],
    challenge_ts: new Date(token.at).toISOString(),
    hostname,
    action,
  }
}

const failedVerdict = (code: string): SiteverifyResult => ({ success: false, 'error-codes': [code] })

const isSameOrSubdomain = (hostname: string, domain: string) =>
  hostname === domain || hostname.endsWith(`.${domain}`)

function readToken(response: string): z.output<typeof Token> | null {
  if (!response.startsWith(TOKEN_PREFIX)) return null
  try {
    const text = Buffer.from(response.slice(TOKEN_PREFIX.length), 'base64url').toString()
    return Token.safeParse(JSON.parse(text)).data ?? null
  } catch {
    return null
  }
}

/** Marks a token as used. Returns false when the token was used before, unless both calls have the same idempotency key. */
function redeemToken(store: Store, id: string, key: unknown, now: number): boolean {
  const idempotencyKey = typeof key === 'string' ? key : null
  store.run('DELETE FROM turnstile_tokens WHERE used_at < ?', now - TOKEN_MS)
  const known = store.get<{ idempotency_key: string | null }>(
    'SELECT idempotency_key FROM turnstile_tokens WHERE id = ?',
    id,
  )
  if (known !== undefined) return idempotencyKey !== null && known.idempotency_key === idempotencyKey
  store.run('INSERT INTO turnstile_tokens VALUES (?, ?, ?)', id, idempotencyKey, now)
  return true
}
