import { createHash } from 'node:crypto'
import { type Context, Hono } from 'hono'
import { html } from 'hono/html'
import { checkBox, formOf, hiddenInputs, rejectCrossSiteForms, htmlPage } from '../world/page.ts'
import { redirectWithParams, LOCAL_CLIENT, type OauthProvider, authorizeProblem } from './provider.ts'

/** The consent page sends these fields back with its form. */
const REQUEST_FIELDS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
]
const EMAIL_FORMAT = /^[^\s@]+@[^\s@]+\.[^\s@]+$/

export function oauthPages(provider: OauthProvider): Hono {
  return new Hono()
    .get('/authorize', (c) => {
      const query = new URL(c.req.url).searchParams
      return refuseRequest(c, query) ?? consentPage(c, query)
    })
    .post('/authorize', rejectCrossSiteForms, async (c) => {
      const fields = await formOf(c)
      const readField = (name: string) => fields(name)[0] ?? ''
      const query = new URLSearchParams(REQUEST_FIELDS.map((name) => [name, readField(name)]))
      for (const name of ['nonce', 'state']) if (readField(name) === '') query.delete(name)
      const refused = refuseRequest(c, query)
      if (refused !== null) return refused
      if (readField('decision') !== 'allow')
        return c.redirect(redirectWithParams(query, { error: 'access_denied' }), 302)
      const email = readField('email').trim().toLowerCase()
      if (!EMAIL_FORMAT.test(email))
        return consentPage(c, query, {
          problem: 'Enter an email address.',
          email: readField('email'),
          name: readField('name'),
        })
      const account = {
        // The id is derived from the address, so that an address always has the same account and no accounts are stored.
        sub: createHash('sha256').update(email).digest('hex').slice(0, 32),
        email,
        email_verified: readField('verified') === 'yes',
        name: readField('name').trim() || (email.split('@')[0] ?? email),
      }
      return c.redirect(provider.grantConsent(query, account), 302)
    })
}

/** Returns an error response for an invalid request, else null. Redirects only to apps on this machine. */
function refuseRequest(c: Context, query: URLSearchParams): Response | null {
  const problem = authorizeProblem(query)
  if (problem === null) return null
  if (problem === 'unauthorized_client')
    return c.text(`Unknown client. The client id of the local provider is ${LOCAL_CLIENT.id}.`, 404)
  if (problem === 'redirect_uri_mismatch')
    return c.text('This redirect_uri is not allowed: it must be an app of this machine.', 400)
  return c.redirect(redirectWithParams(query, { error: problem }), 302)
}

/** Shows the form. After an invalid entry, the form keeps what the person typed. */
function consentPage(
  c: Context,
  query: URLSearchParams,
  { problem, email, name } = { problem: '', email: '', name: '' },
): Promise<Response> {
  const content = html`<p>
      <strong>${new URL(query.get('redirect_uri') ?? '').host}</strong> asks who you are. This provider stands
      in for a real one: you are whoever you say.
    </p>
    ${problem === '' ? '' : html`<p role="alert">${problem}</p>`}
    <form method="post" action="authorize">
      ${hiddenInputs(REQUEST_FIELDS.map((name) => [name, query.get(name) ?? '']))}
      <p>
        <label
          >Email <input type="text" name="email" inputmode="email" autocomplete="off" value="${email}"
        /></label>
        <label>Name <input type="text" name="name" autocomplete="off" value="${name}" /></label>
        ${checkBox('verified', 'yes', 'The address is confirmed', true)}
      </p>
      <p>
        <button name="decision" value="allow">Continue</button>
        <button name="decision" value="deny">Cancel</button>
      </p>
    </form>`
  return htmlPage(c, 'Local sign-in provider', content, problem === '' ? 200 : 400)
}
