import { Hono } from 'hono'
import type { Context } from 'hono'
import { findAccount, userForHint } from '../accounts.ts'
import type { Github } from '../context.ts'
import { issueCode, redeemCode } from '../tokens.ts'
import { isAllowedRedirect } from '../../world/allowed-redirect.ts'
import { formOf, ownFormsOnly } from '../../world/page.ts'
import { consentPage } from './consent-page.ts'

/** The preregistered client. No other client may authorize without a person. */
export const BUILT_IN_CLIENT = 'slipway-local'

const EXPLANATIONS = {
  bad_verification_code: 'The code passed is incorrect or expired.',
  redirect_uri_mismatch: 'The redirect_uri MUST match the registered callback URL for this application.',
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
}

export function oauthRoutes(github: Github): Hono {
  const { store, now } = github
  return new Hono()
    .get('/authorize', (c) => authorize(github, c, (name) => c.req.queries(name) ?? []))
    .post('/authorize', ownFormsOnly, async (c) => authorize(github, c, await formOf(c)))
    .post('/access_token', async (c) => {
      const isJson = (c.req.header('content-type') ?? '').includes('json')
      const body: Record<string, unknown> = isJson
        ? await c.req.json<Record<string, unknown>>().catch(() => ({}))
        : await c.req.parseBody()
      const field = (name: string) => (typeof body[name] === 'string' ? body[name] : '')
      const clientId = field('client_id')
      const redeemed =
        clientId === BUILT_IN_CLIENT
          ? redeemCode(store, {
              code: field('code'),
              clientId,
              redirectUri: field('redirect_uri'),
              verifier: field('code_verifier'),
              at: now(),
            })
          : { error: 'incorrect_client_credentials' as const }
      // As at the provider, errors have status 200: clients must read the body.
      return answer(
        c,
        'error' in redeemed
          ? { error: redeemed.error, error_description: EXPLANATIONS[redeemed.error] }
          : { access_token: redeemed.secret, scope: redeemed.scopes.join(','), token_type: 'bearer' },
      )
    })
}

/** As at the provider, responds with form fields, or with JSON when the client accepts it. */
function answer(c: Context, fields: Record<string, string>): Response {
  if ((c.req.header('accept') ?? '').includes('json')) return c.json(fields)
  return c.body(new URLSearchParams(fields).toString(), 200, {
    'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8',
  })
}

/**
 * Authorizes silently for the embedded service: `prompt=none` with a `login_hint` that names its organization. A request repeated after a
 * crash finds the account that the first one created. Other clients get the consent page.
 */
async function authorize(github: Github, c: Context, fields: (name: string) => string[]): Promise<Response> {
  const { store, now, baseUrl } = github
  const field = (name: string) => fields(name)[0] ?? ''
  const redirectUri = field('redirect_uri')
  // Check this before any redirect: an error must not be sent to an unknown address.
  if (field('client_id') !== BUILT_IN_CLIENT) return c.text('Unknown client.', 404)
  if (!isAllowedRedirect(redirectUri, baseUrl)) return c.text('This redirect_uri is not allowed.', 400)
  const back = (told: Record<string, string>) => {
    const url = new URL(redirectUri)
    for (const [name, value] of Object.entries(told)) url.searchParams.set(name, value)
    if (field('state') !== '') url.searchParams.set('state', field('state'))
    return c.redirect(url.href, 302)
  }
  const isSilent = field('prompt') === 'none' && field('login_hint') !== ''
  const isDecided = c.req.method === 'POST'
  const asked = field('scope')
    .split(/[ ,]+/)
    .filter((scope) => /^[a-z_:]+$/.test(scope))
  if (!isSilent && !isDecided) return consentPage(store, c, field, asked)
  if (isDecided && field('decision') !== 'allow') return back({ error: 'access_denied' })
  const hint = field('login_hint')
  const isNew = isDecided && field('login') === ''
  const user =
    isDecided && !isNew
      ? findAccount(store, field('login'))
      : userForHint(store, hint, field('account_name') || hint || 'user', now())
  if (user === null || user.type !== 'User') return c.text('No such person.', 404)
  const scopes = isSilent ? asked : asked.filter((scope) => fields('grant').includes(scope))
  const challenge = field('code_challenge')
  const authorization = {
    userId: user.id,
    clientId: BUILT_IN_CLIENT,
    redirectUri,
    scopes,
    challenge: challenge === '' ? null : challenge,
  }
  return back({ code: issueCode(store, authorization, now()) })
}
