import { Hono } from 'hono'
import type { Context } from 'hono'
import { html } from 'hono/html'
import { checkBox, formOf, rejectCrossSiteForms, htmlPage } from '../../world/page.ts'
import type { Store } from '../../world/store.ts'
import { listAccounts, readAccount } from './accounts.ts'
import { OAUTH_SCOPES, scopeName } from './oauth/scopes.ts'
import { issueToken, listApiTokens, revokeFamily } from './tokens.ts'

/** The page for creating API tokens by hand, mounted at /cloudflare/tokens. */
export function tokensPage({ store, now }: { store: Store; now(): number }): Hono {
  return new Hono()
    .get('/', (c) => renderPage(store, c))
    .post('/', rejectCrossSiteForms, async (c) => {
      const fields = await formOf(c)
      const [account, ...others] = fields('account').filter((id) => readAccount(store, id) !== null)
      const known = new Set(OAUTH_SCOPES.map(({ id }) => id))
      const scopes = fields('grant').filter((scope) => known.has(scope))
      // A token without scopes would have every permission, so require at least one.
      if (account === undefined || scopes.length === 0)
        return renderPage(
          store,
          c,
          html`<p role="alert">Choose at least one account and one permission.</p>`,
          400,
        )
      const name = (fields('name')[0] ?? '').trim().slice(0, 100)
      const { secret } = issueToken(store, {
        kind: 'api',
        accountId: account,
        otherAccounts: others,
        scopes,
        name: name === '' ? 'API token' : name,
        at: now(),
      })
      return renderPage(
        store,
        c,
        html`<p role="status">Your token, shown this once: <br /><code id="token">${secret}</code></p>`,
      )
    })
    .post('/:id/revoke', rejectCrossSiteForms, (c) => {
      const token = listApiTokens(store).find(({ id }) => id === c.req.param('id'))
      if (token !== undefined) revokeFamily(store, token.family, now())
      return c.redirect('/cloudflare/tokens', 303)
    })
}

function renderPage(
  store: Store,
  c: Context,
  told: ReturnType<typeof html> | null = null,
  status: 200 | 400 = 200,
): Promise<Response> {
  const accountName = (id: string) => readAccount(store, id)?.name ?? id
  const rows = listApiTokens(store).map(
    ({ id, name, accountIds, scopes }) =>
      html`<tr>
        <td>${name ?? 'made by the control API'}</td>
        <td>${accountIds.map(accountName).join(', ')}</td>
        <td>${scopes.length === 0 ? 'everything' : scopes.map(scopeName).join(', ')}</td>
        <td>
          <form method="post" action="/cloudflare/tokens/${id}/revoke"><button>Revoke</button></form>
        </td>
      </tr>`,
  )
  const content = html`${told ?? ''}
    <form method="post" action="/cloudflare/tokens">
      <label>Name <input name="name" value="Slipway" /></label>
      <fieldset>
        <legend>Accounts</legend>
        ${listAccounts(store).map(({ id, name }, index) => checkBox('account', id, name, index === 0))}
      </fieldset>
      <fieldset>
        <legend>Permissions</legend>
        ${OAUTH_SCOPES.map(({ id, name }) => checkBox('grant', id, name, true))}
      </fieldset>
      <button>Create token</button>
    </form>
    <table>
      <tr>
        <th>Token</th>
        <th>Accounts</th>
        <th>Permissions</th>
        <th></th>
      </tr>
      ${rows}
    </table>`
  return htmlPage(c, 'Local cloud: API tokens', content, status)
}
