import { randomBytes } from 'node:crypto'
import * as z from 'zod'
import { parseJson } from '../cloudflare/json.ts'
import type { GithubProfile } from '../config.ts'
import { readBytes, sendTo } from './client.ts'
import { answeredWith, GithubError } from './errors.ts'

/** Creating private repositories and pushing to them takes this scope of an OAuth app. */
export const SCOPES = ['repo']

const LOCAL_CLIENT = 'slipway-local'
const TIMEOUT_MS = 10_000
const ANSWER_BYTES_MAX = 64 * 1024

const TokenAnswer = z.looseObject({ access_token: z.string().min(1), scope: z.string() })

/**
 * Signs in without a person (`prompt=none`), which only the local code host's built-in client may do: it opens an
 * account called `accountName`, or finds the one it has opened for `loginHint` before.
 */
export async function signInSilently(
  profile: GithubProfile,
  request: { redirectUri: string; loginHint: string; accountName: string },
): Promise<{ token: string; scopes: string[] }> {
  const state = randomBytes(16).toString('base64url')
  const query = new URLSearchParams({
    client_id: LOCAL_CLIENT,
    redirect_uri: request.redirectUri,
    scope: SCOPES.join(' '),
    state,
    prompt: 'none',
    login_hint: request.loginHint,
    account_name: request.accountName,
  })
  const page = `${profile.web}/login/oauth/authorize?${query.toString()}`
  const answer = await sendTo(page, { method: 'GET', timeoutMs: TIMEOUT_MS })
  await answer.body?.cancel()
  const location = answer.headers.get('location')
  const back = location === null ? null : new URL(location, request.redirectUri).searchParams
  const code = back?.get('code')
  if (typeof code !== 'string' || back?.get('state') !== state) {
    const { status, headers } = answer
    throw answeredWith({ status, doing: 'grant access', said: '', header: (name) => headers.get(name) })
  }
  return redeem(profile, code, request.redirectUri)
}

/** Exchanges a code. A refusal comes with status 200, so the body decides. */
async function redeem(profile: GithubProfile, code: string, redirectUri: string) {
  const answer = await sendTo(`${profile.web}/login/oauth/access_token`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams({ client_id: LOCAL_CLIENT, code, redirect_uri: redirectUri }),
    timeoutMs: TIMEOUT_MS,
  })
  const body = parseJson((await readBytes(answer, ANSWER_BYTES_MAX)).toString('utf8'))
  const read = TokenAnswer.safeParse(body)
  if (!read.success) {
    throw new GithubError('The code host did not grant access.', {
      status: answer.status,
      retryable: answer.status >= 500,
      cause: (body as { error?: unknown } | null)?.error ?? read.error,
    })
  }
  return { token: read.data.access_token, scopes: read.data.scope.split(/[ ,]+/).filter((one) => one !== '') }
}
