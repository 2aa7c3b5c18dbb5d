import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { findAccount, userForHint } from '../accounts.ts'
import type { Github } from '../context.ts'
import { issueGithubCode, redeemGithubCode } from '../tokens.ts'
import { isAllowedRedirect } from '../../world/allowed-redirect.ts'
import { BUILT_IN_CLIENT } from '../../world/ids.ts'
import { formOf, rejectCrossSiteForms } from '../../world/page.ts'
import { consentPage } from './consent-page.ts'

const Fields = z.record(z.string(), z.unknown())

const ERROR_DESCRIPTIONS = {
  bad_verification_code: 'The code passed is incorrect or expired.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
}

export function oauthRoutes(github: Github): Hono {
  const { store, now } = github
  return new Hono()
    .get('/authorize', (c) => authorizeClient(github, c, (name) => c.req.queries(name) ?? []))
    .post('/authorize', rejectCrossSiteForms, async (c) => authorizeClient(github, c, await formOf(c)))
    .post('/access_token', async (c) => {
      const isJson = (c.req.header('content-type') ?? '').includes('json')
      const body = isJson
        ? (Fields.safeParse(await c.req.json().catch(() => null)).data ?? {})
        : await c.req.parseBody()
      const readField = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
      const clientId = readField('client_id')
      const redeemed =
        clientId === BUILT_IN_CLIENT
          ? redeemGithubCode(store, {
              code: readField('code'),
              clientId,
              redirectUri: readField('redirect_uri'),
              verifier: readField('code_verifier'),
              at: now(),
            })
          : { error: 'incorrect_client_credentials' as const }
      // As at the provider, errors have status 200: clients must read the body.
      return respondWithFields(
        c,
        'error' in redeemed
          ? { error: redeemed.error, error_description: ERROR_DESCRIPTIONS[redeemed.error] }
          : { access_token: redeemed.secret, scope: redeemed.scopes.join(','), token_type: 'bearer' },
      )
    })
}

/** As at the provider, responds with form fields, or with JSON when the client accepts it. */
function respondWithFields(c: Context, fields: Record<string, string>): Response {
  if ((c.req.header('accept') ?? '').includes('json')) return c.json(fields)
  return c.body(new URLSearchParams(fields).toString(), 200, {
    'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
  })
}

/**
 * Handles an authorization request. With `prompt=none` and a `login_hint`, authorizes immediately without a page. The service sends such a
 * request when it connects an organization to the local code host. `login_hint` identifies the organization, so a repeated request finds
 * the user that the first request created. All other requests get the consent page.
 */
async function authorizeClient(
  github: Github,
  c: Context,
  fields: (name: string) => string[],
): Promise<Response> {
  const { store, now, baseUrl } = github
  const firstValueOf = (name: string) => fields(name)[0] ?? ''
  const redirectUri = firstValueOf('redirect_uri')
  // Check the client and its redirect address before any redirect: an error must not be sent to an unknown address.
  if (firstValueOf('client_id') !== BUILT_IN_CLIENT) return c.text('Unknown client.', 404)
  if (!isAllowedRedirect(redirectUri, baseUrl)) return c.text('This redirect_uri is not allowed.', 400)
  const redirectToClient = (told: Record<string, string>) => {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value)
    if (firstValueOf('state') !== '') url.searchParams.set('state', firstValueOf('state'))
    return c.redirect(url.href, 302)
  }
  const isSilent = firstValueOf('prompt') === 'none' && firstValueOf('login_hint') !== ''
  const isDecided = c.req.method === 'POST'
  const asked = firstValueOf('scope')
    .split(/[ ,]+/)
    .filter((scope) => /^[a-z_:]+$/.test(scope))
  if (!isSilent && !isDecided) return consentPage(store, c, firstValueOf, asked)
  if (isDecided && firstValueOf('decision') !== 'allow') return redirectToClient({ error: 'access_denied' })
  const hint = firstValueOf('login_hint')
  const isNew = isDecided && firstValueOf('login') === ''
  const user =
    isDecided && !isNew
      ? findAccount(store, firstValueOf('login'))
      : userForHint(store, hint, firstValueOf('account_name') || hint || 'user', now())
  if (user === null || user.type !== 'User') return c.text('No such person.', 404)
  const scopes = isSilent ? asked : asked.filter((scope) => fields('grant').includes(scope))
  const challenge = firstValueOf('code_challenge')
  const authorization = {
    userId: user.id,
    clientId: BUILT_IN_CLIENT,
    redirectUri,
    scopes,
    challenge: challenge === '' ? null : challenge,
  }
  return redirectToClient({ code: issueGithubCode(store, authorization, now()) })
}
