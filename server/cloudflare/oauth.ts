import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { challengeOf, newVerifier } from '../crypto/pkce.ts'
import { ProviderError } from '../lib/provider-error.ts'
import { cloudFetch, type CloudResponse } from './fetch.ts'
import { parseJson } from '../lib/json.ts'
import { retryAfterSeconds } from '@slipway/runtime/kernel/retry-after.ts'

export interface OAuthClient {
  /** The base address of the authorization server, with `/auth`, `/token` and `/revoke` below it. */
  oauth: string
  /** Null when the operator has registered no OAuth client at the provider. */
  clientId: string | null
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
  /** The granted scopes. Empty when a refresh returned no scopes, which means that the scopes are unchanged. */
  scopes: string[]
}

/** Thrown when the code or the refresh token was refused. A person has to connect the account again. */
export class GrantRefusedError extends ProviderError {
  constructor(cause: unknown) {
    super('cloudflare', 'The connected cloud account refused its sign-in. Connect the account again.', {
      status: 400,
      cause,
    })
  }
}

/**
 * The parameters of a sign-in without a consent page. Only the local emulator of Cloudflare supports such a sign-in;
 * Cloudflare ignores these parameters.
 */
export interface SilentSignIn {
  /**
   * Identifies the account in the emulator: the first sign-in with this text creates an account, and later sign-ins
   * get the same account.
   */
  loginHint: string
  accountName: string
  /**
   * The account's former id and subdomain, with which the emulator creates the account again after its data was
   * deleted.
   */
  account?: { id: string; subdomain: string | null } | null
}

/**
 * Returns the address of the provider's page where a person grants access. With `silent` the emulator shows no page
 * and grants access at once.
 */
export function cloudflareAuthorizeUrl(
  client: OAuthClient,
  request: {
    redirectUri: string
    scopes: readonly string[]
    state: string
    challenge: string
    silent?: SilentSignIn | null
    /** The values that the consent page of the local emulator suggests. */
    suggest?: Pick<SilentSignIn, 'loginHint' | 'accountName'> | null
  },
): string {
  const { silent, suggest } = request
  const hints = silent ?? suggest
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: client.clientId ?? '',
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
    ...(hints != null && { login_hint: hints.loginHint, account_name: hints.accountName }),
    ...(silent != null && { prompt: 'none' }),
    ...(silent?.account != null && {
      account_id: silent.account.id,
      ...(silent.account.subdomain !== null && { account_subdomain: silent.account.subdomain }),
    }),
  })
  return `${client.oauth}/auth?${query.toString()}`
}

/**
 * Signs in without a person, which only the local emulator of Cloudflare allows. Throws a `ProviderError` when the
 * sign-in is refused.
 */
export async function signInToCloudflare(
  client: OAuthClient,
  request: { redirectUri: string; silent: SilentSignIn; scopes: readonly string[]; now: Date },
): Promise<Tokens> {
  const verifier = newVerifier()
  const state = randomBytes(16).toString('base64url')
  const { redirectUri, scopes, silent } = request
  const page = cloudflareAuthorizeUrl(client, {
    redirectUri,
    scopes,
    silent,
    state,
    challenge: challengeOf(verifier),
  })
  const response = await fetchSignIn(page, { redirect: 'manual' })
  await response.body?.cancel()
  const location = response.headers.get('location')
  const back = location === null ? null : new URL(location, redirectUri).searchParams
  const code = back?.get('code')
  if (code === null || code === undefined || back?.get('state') !== state) {
    throw new ProviderError('cloudflare', 'The cloud account did not grant access.', {
      status: response.status,
      retryable: response.status >= 500,
      cause: back?.get('error_description') ?? back?.get('error') ?? `status ${response.status}`,
    })
  }
  return await redeemCloudflareCode(client, { code, verifier, redirectUri, scopes, now: request.now })
}

/** Exchanges a code for tokens. Throws `GrantRefusedError` for a code that has expired or was used before. */
export async function redeemCloudflareCode(
  client: OAuthClient,
  grant: { code: string; verifier: string; redirectUri: string; scopes: readonly string[]; now: Date },
): Promise<Tokens> {
  const tokens = await tokenRequest(client, grant.now, {
    grant_type: 'authorization_code',
    code: grant.code,
    redirect_uri: grant.redirectUri,
    code_verifier: grant.verifier,
  })
  // A response without scopes means that the requested scopes were granted (RFC 6749, 5.1).
  return tokens.scopes.length > 0 ? tokens : { ...tokens, scopes: [...grant.scopes] }
}

/**
 * Exchanges a refresh token. Throws `GrantRefusedError` when a person has to connect again. The old token is invalid
 * afterwards, so store the result before using it.
 */
export async function refreshTokens(client: OAuthClient, refreshToken: string, now: Date): Promise<Tokens> {
  return await tokenRequest(client, now, { grant_type: 'refresh_token', refresh_token: refreshToken })
}

/**
 * Revokes a token. Returns whether the provider confirmed the revocation, and never throws. An unknown token counts as
 * revoked (RFC 7009, 2.2).
 */
export async function revokeGrant(client: OAuthClient, token: string): Promise<boolean> {
  const form = clientForm(client, { token })
  const response = await fetchSignIn(`${client.oauth}/revoke`, { method: 'POST', body: form }).catch(
    () => null,
  )
  await response?.body?.cancel()
  return response?.ok === true
}

function clientForm(client: OAuthClient, fields: Record<string, string>): URLSearchParams {
  const form = new URLSearchParams({ ...fields, client_id: client.clientId ?? '' })
  if (client.clientSecret !== null) form.set('client_secret', client.clientSecret)
  return form
}

async function tokenRequest(client: OAuthClient, now: Date, fields: Record<string, string>): Promise<Tokens> {
  const response = await fetchSignIn(`${client.oauth}/token`, {
    method: 'POST',
    body: clientForm(client, fields),
  })
  const text = await response.text().catch((cause: unknown) => {
    throw unreachableSignIn(cause)
  })
  if (!response.ok) {
    if (text.includes('invalid_grant')) throw new GrantRefusedError(text.slice(0, 500))
    throw new ProviderError(
      'cloudflare',
      `The sign-in at the cloud account returned status ${response.status}.`,
      {
        status: response.status,
        retryable: response.status >= 500 || response.status === 429,
        retryAfterSeconds: retryAfterSeconds(response.headers.get('retry-after')),
      },
    )
  }
  const read = TokenAnswer.safeParse(parseJson(text))
  if (!read.success)
    throw new ProviderError('cloudflare', 'The sign-in at the cloud account returned an unexpected response.')
  const { access_token, refresh_token, expires_in, scope } = read.data
  return {
    accessToken: access_token,
    refreshToken: refresh_token ?? null,
    expiresAt: expires_in === undefined ? null : new Date(now.getTime() + expires_in * 1000),
    scopes: (scope ?? '').split(' ').filter((one) => one !== ''),
  }
}

async function fetchSignIn(url: string, init: Parameters<typeof cloudFetch>[1]): Promise<CloudResponse> {
  try {
    return await cloudFetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(10_000) })
  } catch (cause) {
    throw unreachableSignIn(cause)
  }
}

const unreachableSignIn = (cause: unknown) =>
  new ProviderError('cloudflare', "The cloud account's sign-in cannot be reached.", {
    retryable: true,
    cause,
  })
