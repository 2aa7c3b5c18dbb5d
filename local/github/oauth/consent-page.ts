import type { Context } from 'hono'
import { html } from 'hono/html'
import type { GithubAccount } from '../accounts.ts'

/** Where a person says as whom they sign in, and whether the client may act for them. */
export async function consentPage(
  c: Context,
  options: { users: GithubAccount[]; fields: [name: string, value: string][] },
): Promise<Response> {
  const page = html`<!doctype html>
    <html lang="en">
      <meta charset="utf-8" />
      <title>Authorize on the local code host</title>
      <style>
        body {
          font: 16px/1.5 system-ui;
          max-width: 32rem;
          margin: 15vh auto;
        }
      </style>
      <h1>Local code host</h1>
      <form method="post" action="authorize">
        ${options.fields.map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}" />`)}
        <p>
          <label
            >Sign in as
            <select name="login">
              ${options.users.map(({ login }) => html`<option>${login}</option>`)}
            </select></label
          >
        </p>
        <p>
          <button name="decision" value="allow">Authorize</button>
          <button name="decision" value="deny">Deny</button>
        </p>
      </form>
    </html>`
  // Nobody may lay this page under their own.
  return c.html(page, 200, { 'Content-Security-Policy': "frame-ancestors 'none'" })
}
