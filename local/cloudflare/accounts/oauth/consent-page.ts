import type { Context } from 'hono'
import { html } from 'hono/html'
import { checkBox, hiddenInputs, htmlPage } from '../../../world/page.ts'
import type { Store } from '../../../world/store.ts'
import { findAccountByHint, listAccounts } from '../accounts.ts'
import { scopeName } from './scopes.ts'

/** The parameters of the authorization request, which the form of the consent page submits again. */
const REQUEST_FIELDS = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'login_hint',
  'account_name',
]

/**
 * The page on which a person chooses the accounts and permissions that a client gets. The person may choose fewer
 * permissions than were requested.
 */
export function consentPage(
  store: Store,
  c: Context,
  field: (name: string) => string,
  scopes: string[],
  problem: string | null = null,
): Promise<Response> {
  const known = findAccountByHint(store, field('login_hint'))
  const accounts = listAccounts(store).map(({ id, name, subdomain }) =>
    checkBox('account', id, html`${name} <span class="note">${subdomain}</span>`, id === known?.id),
  )
  const content = html`<p>
      <strong>${field('client_id')}</strong> asks for access, and sends you back to
      <strong>${new URL(field('redirect_uri')).host}</strong>.
    </p>
    ${problem === null ? '' : html`<p role="alert">${problem}</p>`}
    <form method="post" action="auth">
      ${hiddenInputs(REQUEST_FIELDS.map((name) => [name, field(name)]))}
      <fieldset>
        <legend>Accounts</legend>
        ${checkBox('account', 'new', 'New local account', known === null)}
        <label>Its name <input name="new_name" value="${field('account_name')}" /></label>
        ${accounts}
      </fieldset>
      <fieldset>
        <legend>Permissions</legend>
        ${scopes.map((scope) => checkBox('grant', scope, scopeName(scope), true))}
      </fieldset>
      <button name="decision" value="allow">Allow</button>
      <button name="decision" value="deny">Deny</button>
    </form>`
  return htmlPage(c, 'Local cloud: grant access', content, problem === null ? 200 : 400)
}
