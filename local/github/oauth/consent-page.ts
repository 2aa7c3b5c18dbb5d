import type { Context } from 'hono'
import { html } from 'hono/html'
import { checkBox, hiddenInputs, htmlPage } from '../../world/page.ts'
import type { Store } from '../../world/store.ts'
import { findByHint, listUsers } from '../accounts.ts'

/** The consent page sends these fields back with its form. */
const REQUEST_FIELDS = [
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'login_hint',
  'account_name',
]

/** The page where a person chooses a user and the permissions of the client. */
export function consentPage(
  store: Store,
  c: Context,
  field: (name: string) => string,
  scopes: string[],
): Promise<Response> {
  const known = findByHint(store, field('login_hint'))
  const users = listUsers(store).filter(({ login }) => login !== known?.login)
  const content = html`<p><strong>${field('client_id')}</strong> asks to act for you.</p>
    <form method="post" action="authorize">
      ${hiddenInputs(REQUEST_FIELDS.map((name) => [name, field(name)]))}
      <p>
        <label
          >Sign in as
          <select name="login">
            ${
              known === null
                ? html`<option value="">a new person</option>`
                : html`<option>${known.login}</option>`
            }
            ${users.map(({ login }) => html`<option>${login}</option>`)}
          </select></label
        >
      </p>
      <fieldset>
        <legend>Permissions</legend>
        ${scopes.map((scope) => checkBox('grant', scope, scope, true))}
      </fieldset>
      <p>
        <button name="decision" value="allow">Authorize</button>
        <button name="decision" value="deny">Deny</button>
      </p>
    </form>`
  return htmlPage(c, 'Local code host: authorize', content)
}
