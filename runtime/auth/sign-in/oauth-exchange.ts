import { Buffer } from 'node:buffer'
import { hasIdToken, type Provider } from '../providers.ts'
import { type UnvalidatedFields, isFields } from '../../kernel/fields.ts'

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 256 * 1024
const SUBJECT_CHARS_MAX = 255

export interface Profile {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/** A provider refused a request or sent an unusable response. The message names only the step that failed. */
export class ProviderError extends Error {
  /** The OAuth error code (RFC 6749, 5.2); null when the response has none. */
  readonly refusal: string | null

  constructor(message: string, { cause, refusal = null }: { cause?: unknown; refusal?: string | null } = {}) {
    super(message, { cause })
    this.refusal = refusal
  }
}

export interface TokenServer {
  id: string
  clientId: string
  clientSecret: string
  tokenUrl: string
  /**
   * How the provider expects token requests: with the secret in the `Authorization` header, or as JSON. By
   * default the request is a form that contains the secret.
   */
  tokenForm?: 'basic' | 'json' | undefined
  /** The response field that contains the person's token, if the token is not at the top level. */
  tokenIn?: 'authed_user' | undefined
  hasPkce?: false | undefined
}

/**
 * Redeems an authorization code for a token and returns the profile of the person who signed in. Throws
 * `ProviderError`.
 */
export async function exchange(
  provider: Provider,
  grant: { code: string; verifier: string; redirectUri: string; nonce: string },
): Promise<Profile> {
  const answer = await redeem(provider, grant)
  const claims = hasIdToken(provider) ? idTokenClaims(provider, answer['id_token'], grant.nonce) : null
  const authorization = { authorization: `Bearer ${answer.access_token}` }
  const user = await askProvider(provider, 'profile', provider.userInfoUrl, { headers: authorization })
  const subject = subjectOf(claims ?? user)
  // Reject a profile whose subject differs from the subject of the id token (OpenID Connect Core 5.3.2).
  if (subject === null || (claims !== null && subjectOf(user) !== subject))
    throw new ProviderError(`${provider.id}: the profile names another account, or none`)
  const named = { subject, name: textOrNull(user['name']) ?? textOrNull(user['login']) }
  if (provider.emailsUrl === undefined)
    return { ...named, email: textOrNull(user['email']), emailVerified: user['email_verified'] === true }
  const emails = await askProvider(provider, 'addresses', provider.emailsUrl, { headers: authorization })
  const primary = Object.values(emails).find(
    (one): one is UnvalidatedFields => isFields(one) && one['primary'] === true,
  )
  const email = textOrNull(primary?.['email'])
  return { ...named, email, emailVerified: email !== null && primary?.['verified'] === true }
}

/** Redeems an authorization code for a token. Throws `ProviderError`. */
export const redeem = (server: TokenServer, grant: { code: string; verifier: string; redirectUri: string }) =>
  askToken(server, {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    ...(server.hasPkce !== false && { code_verifier: grant.verifier }),
  })

/** Returns the fields of the token response. Throws `ProviderError`. */
export async function askToken(
  server: TokenServer,
  fields: Record<string, string>,
): Promise<UnvalidatedFields & { access_token: string }> {
  const answer = await askProvider(server, 'token', server.tokenUrl, tokenRequest(server, fields))
  const { tokenIn } = server
  // With `tokenIn`, the person's first token is inside that field, and the top level has the token of the app's bot. A renewed token is at
  // the top level.
  const isInside = tokenIn !== undefined && fields['grant_type'] === 'authorization_code'
  const found = isInside ? answer[tokenIn] : answer
  const granted = isFields(found) ? found : {}
  const token = textOrNull(granted['access_token'])
  // Some providers send errors with status 200.
  if (token === null)
    throw new ProviderError(`${server.id}: no access token`, { refusal: textOrNull(answer['error']) })
  return { ...granted, access_token: token }
}

export function tokenRequest(
  { clientId, clientSecret, tokenForm }: Omit<TokenServer, 'id' | 'tokenUrl'>,
  fields: Record<string, string>,
): ProviderRequest {
  const whole = { ...fields, client_id: clientId, client_secret: clientSecret }
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`
  return {
    method: 'POST',
    ...(tokenForm === undefined
      ? { body: new URLSearchParams(whole) }
      : { headers: { authorization: basic }, body: new URLSearchParams(fields) }),
    ...(tokenForm === 'json' && {
      headers: { authorization: basic, 'content-type': 'application/json' },
      body: JSON.stringify(fields),
    }),
  }
}

/**
 * Returns the claims of an id token. Its signature need not be checked, because it came from the provider over TLS (OpenID Connect Core
 * 3.1.3.7). Throws when the token is for another app or another sign-in.
 */
function idTokenClaims(provider: Provider, token: unknown, nonce: string): UnvalidatedFields {
  const payload = textOrNull(token)?.split('.')[1] ?? ''
  let claims: unknown
  try {
    claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
  } catch {
    claims = null
  }
  if (!isFields(claims)) throw new ProviderError(`${provider.id}: no id token`)
  const { aud, exp, iss } = claims
  const isForUs = Array.isArray(aud)
    ? aud.length === 1 && aud[0] === provider.clientId
    : aud === provider.clientId
  const isFresh = typeof exp === 'number' && exp * 1000 > Date.now()
  if (claims['nonce'] !== nonce || !isForUs || !isFresh || !isIssuer(provider, textOrNull(iss) ?? ''))
    throw new ProviderError(`${provider.id}: the id token is of another sign-in`)
  return claims
}

function isIssuer({ issuer }: Provider, named: string): boolean {
  if (issuer === undefined) return true
  const [start = '', end] = issuer.split('*')
  if (end === undefined) return named === issuer
  const tenant = named.slice(start.length, named.length - end.length)
  return named.startsWith(start) && named.endsWith(end) && /^[\w-]+$/.test(tenant)
}

interface ProviderRequest {
  method?: string
  body?: URLSearchParams | string
  headers?: Record<string, string>
}

async function askProvider(
  provider: { id: string },
  step: string,
  url: string,
  init: ProviderRequest,
): Promise<UnvalidatedFields> {
  const headers = { accept: 'application/json', 'user-agent': 'Slipway app', ...init.headers }
  let answer: unknown
  let isRefused = true
  try {
    const response = await fetch(url, {
      ...init,
      headers,
      // Following a redirect would send the secret or the token to another host.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await textWithin(response)
    isRefused = !response.ok
    answer = isRefused ? parseFields(text) : JSON.parse(text)
  } catch (cause) {
    throw new ProviderError(`${provider.id}: no usable answer (${step})`, { cause })
  }
  if (isRefused || typeof answer !== 'object' || answer === null)
    throw new ProviderError(`${provider.id}: refused (${step})`, {
      refusal: isFields(answer) ? textOrNull(answer['error']) : null,
    })
  return answer as UnvalidatedFields
}

/** Returns null for text that is not JSON, such as the body of some error responses. */
function parseFields(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

async function textWithin(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length
    if (sizeBytes > ANSWER_BYTES_MAX) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const textOrNull = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null

/**
 * The id is `sub` in OpenID Connect and `id` elsewhere, sometimes as a number. Returns null for an id that is longer than OpenID Connect
 * allows (Core, 2): a truncated id could be another person's.
 */
function subjectOf(fields: UnvalidatedFields): string | null {
  const subject = fields['sub'] ?? fields['id']
  const text = typeof subject === 'number' ? String(subject) : textOrNull(subject)
  return text !== null && text.length <= SUBJECT_CHARS_MAX ? text : null
}
