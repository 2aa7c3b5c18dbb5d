import type { Context } from 'hono'
import { html } from 'hono/html'
import { formOf, htmlPage } from '../../world/page.ts'
import type { Stripe } from '../context.ts'
import { accountOfKey } from '../objects.ts'
import { createKey, KEY_MARK, type Permissions, KEY_RESOURCES, revokeKey } from '../protocol/keys.ts'

/** The page that creates restricted keys and revokes keys. */
export function showKeys(stripe: Stripe, c: Context): Promise<Response> {
  const keys = stripe.store.all<{ room: string; ending: string; revoked_at: number | null }>(
    'SELECT room, ending, revoked_at FROM stripe_keys ORDER BY created_at DESC LIMIT 100',
  )
  const levels = KEY_RESOURCES.map(
    (name) =>
      html`<label
        >${name}
        <select name="${name}">
          <option value="write" selected>write</option>
          <option value="read">read</option>
          <option value="none">none</option>
        </select></label
      >`,
  )
  return htmlPage(
    c,
    'Keys of the local Stripe',
    html`<p>
        A secret key names its account and needs no page: <code>sk_test${KEY_MARK}myshop</code> and
        <code>sk_live${KEY_MARK}myshop</code> may do everything.
      </p>
      <form method="post" action="keys">
        <fieldset>
          <legend>A restricted key</legend>
          <label>Account <input type="text" name="account" value="myshop" /></label>
          <label
            >Mode
            <select name="mode">
              <option value="test" selected>test</option>
              <option value="live">live</option>
            </select></label
          >
          ${levels}
          <button name="do" value="create">Make the key</button>
        </fieldset>
      </form>
      <form method="post" action="keys">
        <label>A key to end <input type="text" name="key" autocomplete="off" /></label>
        <button name="do" value="revoke">End it</button>
      </form>
      <table>
        ${keys.map(
          ({ room, ending, revoked_at: revoked }) =>
            html`<tr>
              <td>${accountOfKey(room).name}, ${accountOfKey(room).isLive ? 'live' : 'test'}</td>
              <td>...${ending}</td>
              <td>${revoked === null ? 'in force' : 'ended'}</td>
            </tr>`,
        )}
      </table>`,
  )
}

export async function postKeys(stripe: Stripe, c: Context): Promise<Response> {
  const fields = await formOf(c)
  const readTrimmed = (name: string) => (fields(name)[0] ?? '').trim()
  if (readTrimmed('do') === 'revoke') {
    revokeKey(stripe, readTrimmed('key'))
    return c.redirect(c.req.path, 303)
  }
  const accountName = readTrimmed('account')
  if (!/^[A-Za-z0-9]{1,40}$/.test(accountName))
    return htmlPage(c, 'No key was made', html`<p>An account has letters and digits.</p>`, 400)
  const permissions: Permissions = {}
  for (const name of KEY_RESOURCES) {
    const level = readTrimmed(name)
    if (level === 'read' || level === 'write') permissions[name] = level
  }
  const key = createKey(stripe, { name: accountName, isLive: readTrimmed('mode') === 'live' }, permissions)
  return htmlPage(
    c,
    'The key',
    html`<p><code>${key}</code></p>
      <p>It is shown once.</p>
      <p><a href="keys">All keys</a></p>`,
  )
}
