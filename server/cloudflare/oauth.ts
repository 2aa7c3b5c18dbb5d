import { createHash, randomBytes } from 'node:crypto'
import * as z from 'zod'
import { ProviderError } from '../lib/provider-error.ts'
import { cloudFetch, type CloudResponse } from './fetch.ts'
import { parseJson } from './json.ts'

export interface OAuthClient {
  /** Base address of the authorization server; `/auth` and `/token` stand under it. */
  oauth: string
  clientId: string
  clientSecret: string | null
}

const TokenAnswer = z.looseObject({
  access_token: z.string().min(1),
  refresh_token: z.string().optional(),
  expires_in: z.number().optional(),
  scope: z.string().optional(),
})

export interface Tokens {
  accessToken: string
  refreshToken: string | null
  expiresAt: Date | null
  scopes: string[]
}

/**
 * What every organization's connection asks for; capabilities ask for more when they are switched on. R2 is among
 * it because what people attach to a ticket is kept there.
 */
export const CORE_SCOPES = [
  'user-details.read',
  'memberships.read',
  'account-settings.read',
  'workers-scripts.write',
  'r2.write',
  'workers-observability.read',
]

/** The refresh token was refused: only a person can connect again. */
export class GrantRefused extends ProviderError {
  constructor(cause: unknown) {
    super('cloudflare', 'The connected cloud account refused its sign-in. Connect the account again.', {
      status: 400,
      cause,
    })
  }
}

/**
 * Signs in without a person (`prompt=none`), which only the local cloud's built-in client may do: it opens an
 * account called `accountName`, or finds the one it has opened for `loginHint` before.
 */
export async function signInSilently(
  client: OAuthClient,
  request: {
    redirectUri: string
    loginHint: string
    accountName: string
    scopes: readonly string[]
    now: Date
  },
): Promise<Tokens> {
  const verifier = randomBytes(32).toString('base64url')
  const state = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    prompt: 'none',
    login_hint: request.loginHint,
    account_name: request.accountName,
  })
  const answer = await reach(`${client.oauth}/auth?${query.toString()}`, { redirect: 'manual' })
  await answer.body?.cancel()
  const location = answer.headers.get('location')
  const back = location === null ? null : new URL(location, request.redirectUri).searchParams
  const code = back?.get('code')
  if (code === null || code === undefined || back?.get('state') !== state) {
    throw new ProviderError('cloudflare', 'The cloud account did not grant access.', {
      status: answer.status,
      retryable: answer.status >= 500,
      cause: back?.get('error_description') ?? back?.get('error') ?? `status ${answer.status}`,
    })
  }
  return await tokenRequest(client, request.now, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: request.redirectUri,
    code_verifier: verifier,
  })
}

/** Exchanges a refresh token; the old one is dead afterwards, so store the answer before using it. */
export async function refreshTokens(client: OAuthClient, refreshToken: string, now: Date): Promise<Tokens> {
  return await tokenRequest(client, now, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

async function tokenRequest(client: OAuthClient, now: Date, fields: Record<string, string>): Promise<Tokens> {
  const form = new URLSearchParams({ ...fields, client_id: client.clientId })
  if (client.clientSecret !== null) form.set('client_secret', client.clientSecret)
  const answer = await reach(`${client.oauth}/token`, { method: 'POST', body: form })
  const text = await answer.text()
  if (!answer.ok) {
    if (text.includes('invalid_grant')) throw new GrantRefused(text.slice(0, 500))
    throw new ProviderError('cloudflare', `The cloud account's sign-in answered ${answer.status}.`, {
      status: answer.status,
      retryable: answer.status >= 500 || answer.status === 429,
    })
  }
  const read = TokenAnswer.safeParse(parseJson(text))
  if (!read.success)
    throw new ProviderError('cloudflare', "The cloud account's sign-in gave an unexpected answer.")
  const { access_token, refresh_token, expires_in, scope } = read.data
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : new Date(now.getTime() + expires_in * 1000),
    scopes: scope === undefined || scope === '' ? [] : scope.split(' '),
  }
}

async function reach(url: string, init: Parameters<typeof cloudFetch>[1]): Promise<CloudResponse> {
  try {
    return await cloudFetch(url, { ...init, signal: AbortSignal.timeout(10_000) })
  } catch (cause) {
    throw new ProviderError('cloudflare', "The cloud account's sign-in cannot be reached.", {
      retryable: true,
      cause,
    })
  }
}
