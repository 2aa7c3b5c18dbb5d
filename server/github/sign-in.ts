import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { challengeOf, newVerifier } from '../crypto/pkce.ts'
import { parseJson } from '../lib/json.ts'
import type { GithubProfile } from '../config.ts'
import { readResponseBytes, sendTo } from './client.ts'
import { errorFromResponse, GithubError } from './errors.ts'

/** The OAuth scope that permits creating private repositories and pushing to them. */
export const GITHUB_SCOPES: readonly string[] = ['repo']

const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 64 * 1024

const TokenAnswer = z.looseObject({ access_token: z.string().min(1), scope: z.string() })
const Refusal = z.looseObject({ error: z.string() })

export interface GithubGrant {
  token: string
  scopes: string[]
}

/** Thrown when the code host refused the OAuth code, because it is wrong, has expired or was used before. */
export class SignInRefusedError extends GithubError {
  constructor(cause: unknown) {
    super('The code host did not grant access.', { status: 200, cause })
  }
}

/**
 * Returns the URL of the code host's page where a person grants access. With `isSilent` the local emulator of GitHub
 * shows no page and grants access at once.
 */
export function githubAuthorizeUrl(
  profile: Pick<GithubProfile, 'web' | 'clientId'>,
  request: {
    redirectUri: string
    scopes: readonly string[]
    state: string
    challenge: string
    /** The account that the local emulator of GitHub selects or creates. GitHub ignores this field. */
    suggest?: { loginHint: string; accountName: string } | null
    isSilent?: boolean
  },
): string {
  const { suggest } = request
  const query = new URLSearchParams({
    client_id: profile.clientId ?? '',
    redirect_uri: request.redirectUri,
    scope: request.scopes.join(' '),
    state: request.state,
    code_challenge: request.challenge,
    code_challenge_method: 'S256',
    ...(suggest != null && { login_hint: suggest.loginHint, account_name: suggest.accountName }),
    ...(request.isSilent === true && { prompt: 'none' }),
  })
  return `${profile.web}/login/oauth/authorize?${query.toString()}`
}

/**
 * Signs in without a person, which only the local emulator of GitHub allows. The emulator creates an account named
 * `accountName`, or uses the account that it created earlier for the same `loginHint`.
 */
export async function signInToGithub(
  profile: GithubProfile,
  request: { redirectUri: string; loginHint: string; accountName: string },
): Promise<GithubGrant> {
  const state = randomBytes(16).toString('base64url')
  const verifier = newVerifier()
  const { redirectUri } = request
  const challenge = challengeOf(verifier)
  const page = { redirectUri, scopes: GITHUB_SCOPES, state, challenge, suggest: request, isSilent: true }
  const response = await sendTo(githubAuthorizeUrl(profile, page), { method: 'GET', timeoutMs: TIMEOUT_MS })
  await response.body?.cancel()
  const location = response.headers.get('location')
  const back = location === null ? null : new URL(location, redirectUri).searchParams
  const code = back?.get('code')
  if (typeof code !== 'string' || back?.get('state') !== state) {
    const { status, headers } = response
    throw errorFromResponse({ status, doing: 'grant access', said: '', header: (name) => headers.get(name) })
  }
  return redeemGithubCode(profile, { code, verifier, redirectUri })
}

/**
 * Exchanges an OAuth code for a token. GitHub responds with the status 200 even when it refuses the code, so the body
 * is checked.
 */
export async function redeemGithubCode(
  profile: GithubProfile,
  grant: { code: string; verifier: string; redirectUri: string },
): Promise<GithubGrant> {
  const response = await sendTo(`${profile.web}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({
      client_id: profile.clientId ?? '',
      ...(profile.clientSecret !== null && { client_secret: profile.clientSecret }),
      code: grant.code,
      redirect_uri: grant.redirectUri,
      code_verifier: grant.verifier,
    }),
    timeoutMs: TIMEOUT_MS,
  })
  const body = parseJson((await readResponseBytes(response, ANSWER_BYTES_MAX)).toString('utf8'))
  const read = TokenAnswer.safeParse(body)
  if (read.success) {
    const { access_token: token, scope } = read.data
    return { token, scopes: scope.split(/[ ,]+/).filter((one) => one !== '') }
  }
  const { status } = response
  const isBusy = status >= 500 || status === 429
  const refusal = Refusal.safeParse(body).data?.error
  if (refusal !== undefined && !isBusy) throw new SignInRefusedError(refusal)
  throw new GithubError('The code host returned an unexpected response to the sign-in.', {
    status,
    retryable: isBusy,
  })
}

/** Revokes a token. Returns false instead of throwing when the revocation fails. */
export async function revokeToken(profile: GithubProfile, token: string): Promise<boolean> {
  if (profile.clientId === null) return false
  const client = Buffer.from(`${profile.clientId}:${profile.clientSecret ?? ''}`).toString('base64')
  const response = await sendTo(`${profile.api}/applications/${encodeURIComponent(profile.clientId)}/token`, {
    method: 'DELETE',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Basic ${client}`,
      'content-type': 'application/json',
      'user-agent': 'slipway',
    },
    body: JSON.stringify({ access_token: token }),
    timeoutMs: TIMEOUT_MS,
  }).catch(() => null)
  await response?.body?.cancel()
  return response?.status === 204
}
