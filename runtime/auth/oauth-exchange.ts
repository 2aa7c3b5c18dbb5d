import { Buffer } from 'node:buffer'
import { hasIdToken, type Provider } from './providers.ts'

const TIMEOUT_MS = 10_000
const BYTES_MAX = 256 * 1024

/** Who somebody is at a provider. */
export interface Profile {
  subject: string
  email: string | null
  emailVerified: boolean
  name: string | null
}

/** A provider refused, or did not answer as it should. The message names the step only. */
export class ProviderError extends Error {}

type Fields = Record<string, unknown>

/** Redeems a code for a token and reads whose it is. Throws `ProviderError`. */
export async function exchange(
  provider: Provider,
  trip: { code: string; verifier: string; redirectUri: string; nonce: string },
): Promise<Profile> {
  const form = new URLSearchParams({
    grant_type: 'authorization_code',
    code: trip.code,
    redirect_uri: trip.redirectUri,
    client_id: provider.clientId,
    client_secret: provider.clientSecret,
    code_verifier: trip.verifier,
  })
  const answer = await ask(provider, 'token', provider.tokenUrl, { method: 'POST', body: form })
  const token = textOf(answer['access_token'])
  if (token === null) throw new ProviderError(`${provider.id}: no access token`)
  const claims = hasIdToken(provider) ? claimsIn(provider, answer['id_token'], trip.nonce) : null
  const authorization = { authorization: `Bearer ${token}` }
  const user = await ask(provider, 'profile', provider.userInfoUrl, { headers: authorization })
  const subject = subjectOf(claims ?? user)
  // The profile of somebody else must not be taken for this person's (OpenID Connect Core 5.3.2).
  if (subject === null || (claims !== null && subjectOf(user) !== subject))
    throw new ProviderError(`${provider.id}: the profile is of nobody`)
  const named = { subject, name: textOf(user['name']) ?? textOf(user['login']) }
  if (provider.emailsUrl === undefined)
    return { ...named, email: textOf(user['email']), emailVerified: user['email_verified'] === true }
  const emails = await ask(provider, 'addresses', provider.emailsUrl, { headers: authorization })
  const primary = Object.values(emails).find((one): one is Fields => isFields(one) && one['primary'] === true)
  const email = textOf(primary?.['email'])
  return { ...named, email, emailVerified: email !== null && primary?.['verified'] === true }
}

/**
 * Returns the claims of an id token. It comes from the provider itself over TLS, which stands for its signature (OpenID
 * Connect Core 3.1.3.7); that it is for this app and this sign-in is checked here.
 */
function claimsIn(provider: Provider, token: unknown, nonce: string): Fields {
  const payload = textOf(token)?.split('.')[1] ?? ''
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
  if (claims['nonce'] !== nonce || !isForUs || !isFresh || !isIssuer(provider, textOf(iss) ?? ''))
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

/** A call of a provider. */
interface Ask {
  method?: string
  body?: URLSearchParams
  headers?: Record<string, string>
}

async function ask(provider: Provider, step: string, url: string, init: Ask): Promise<Fields> {
  const headers = { accept: 'application/json', 'user-agent': 'Slipway app', ...init.headers }
  let answer: unknown
  try {
    const response = await fetch(url, {
      ...init,
      headers,
      // A redirect would carry the secret or the token elsewhere.
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    const text = await textWithin(response)
    answer = response.ok ? JSON.parse(text) : null
  } catch (cause) {
    throw new ProviderError(`${provider.id}: no usable answer (${step})`, { cause })
  }
  if (typeof answer !== 'object' || answer === null)
    throw new ProviderError(`${provider.id}: refused (${step})`)
  return answer as Fields
}

async function textWithin(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    sizeBytes += chunk.length
    if (sizeBytes > BYTES_MAX) throw new Error('the answer is too large')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)

/** OpenID Connect says `sub`; others say `id`, some of them as a number. */
function subjectOf(fields: Fields): string | null {
  const subject = fields['sub'] ?? fields['id']
  return typeof subject === 'number' ? String(subject) : (textOf(subject)?.slice(0, 255) ?? null)
}
