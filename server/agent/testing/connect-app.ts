import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { starterTree } from '../source/tree.ts'
import { Browser } from './browser.ts'
import type { AppOptions } from './bundle.ts'
import { TestProvider } from './oauth-provider.ts'

// An app whose users connect accounts at other services. This file also contains stand-ins for those services.

const MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['auth', 'connect'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  providers: [
    { id: 'club', scopes: ['offline_access', 'notes'] },
    { id: 'other' },
    { id: 'crm' },
    { id: 'slack' },
    { id: 'dropbox' },
    { id: 'unset' },
    { id: 'bearer', scopes: ['offline_access'] },
  ],
}
const HOME = `import { connect, Page } from '@slipway/app/react'
export default () => <Page title="Home"><button onClick={() => connect.link('club')}>Link</button></Page>
`
const ROUTES = `import { auth, connect } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/me/:provider', async (c) => {
  const { id } = await auth.require(c.req.raw)
  return connect.fetch(id, c.req.param('provider') as never, c.req.query('path') ?? '/me')
})
routes.get('/of/:user/:provider', async (c) => {
  const { user, provider } = c.req.param()
  return c.json({ status: await connect.status(user, provider as never) })
})
`
export const TREE = new Map([
  ...starterTree('Notes'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['web/pages/Home.tsx', HOME],
  ['server/routes.ts', ROUTES],
])

export const provider = new TestProvider()
/** Every request that the services received, as text. */
export const asked: string[] = []
/** The response of Slack and Dropbox; a test may replace it. */
export const services = { answer: () => Response.json({ ok: true }) }
/** The Authorization headers of requests to `bearer.test`, which revokes the access token in that header. */
export const bearers: (string | null)[] = []
export const KEY = 'crm-key-canary'
export const ACCOUNT = { sub: 'ada', email: 'ada@club.test', email_verified: true, name: 'Ada' }

const settingsOf = (id: string) =>
  JSON.stringify({ id, kind: 'oauth', clientId: provider.client.id, ...provider.service })
export const vaultKey = () => randomBytes(32).toString('base64url')
export const VARIABLES = {
  CONNECT_VAULT_KEY: vaultKey(),
  CONNECTION_CLUB: settingsOf('club'),
  CONNECT_CLUB_SECRET: provider.client.secret,
  CONNECTION_OTHER: settingsOf('other'),
  CONNECT_OTHER_SECRET: provider.client.secret,
  CONNECTION_CRM: JSON.stringify({
    id: 'crm',
    kind: 'apiKey',
    apiBase: 'https://crm.test/v1',
    header: 'x-key',
  }),
  CONNECTION_SLACK: JSON.stringify({ id: 'slack', kind: 'apiKey', apiBase: 'https://slack.test' }),
  CONNECTION_DROPBOX: JSON.stringify({ id: 'dropbox', kind: 'apiKey', apiBase: 'https://dropbox.test' }),
  CONNECTION_UNSET: settingsOf('unset'),
  CONNECTION_BEARER: JSON.stringify({
    ...(JSON.parse(settingsOf('bearer')) as object),
    revokeUrl: 'https://bearer.test/revoke',
    revokeForm: 'bearer',
  }),
  CONNECT_BEARER_SECRET: provider.client.secret,
}

export const OPTIONS: AppOptions = {
  enabled: ['auth', 'connect'],
  variables: VARIABLES,
  outbound: async (request) => {
    asked.push(`${request.method} ${request.url} ${request.body}`)
    if (request.url === 'https://bearer.test/revoke') {
      bearers.push(request.headers.get('authorization'))
      return Response.json({ ok: true })
    }
    if (/^https:\/\/(slack|dropbox)\.test\//.test(request.url)) return services.answer()
    if (request.url !== 'https://crm.test/v1/me') return provider.answer(request)
    const isKnown = request.headers.get('x-key') === KEY
    return Response.json({ isKnown }, { status: isKnown ? 200 : 401 })
  },
}

/** Everything that was sent to browsers, to be searched for secrets. */
export const shown: string[] = []

export class Member extends Browser {
  override async fetch(method: string, path: string, body?: unknown): Promise<Response> {
    const answer = await super.fetch(method, path, body)
    shown.push(JSON.stringify([...answer.headers]), await answer.clone().text())
    return answer
  }

  /** Starts to link an account and consents at the provider. Returns the provider's redirect back to the app. */
  async leave(id = 'club', returnTo = '/'): Promise<URL> {
    const answer = await this.fetch(
      'GET',
      `/_app/connect/${id}/start?returnTo=${encodeURIComponent(returnTo)}`,
    )
    assert.equal(answer.status, 302, await answer.text())
    return new URL(provider.authorize(answer.headers.get('location') ?? '', ACCOUNT))
  }

  /** Follows the provider's redirect to the app, which stores the tokens. Returns the path to which the app then redirects. */
  async come(back: URL): Promise<string> {
    const answer = await this.fetch('GET', `${back.pathname}${back.search}`)
    const to = new URL(answer.headers.get('location') ?? '', 'http://x')
    return `${to.pathname}${to.search}`
  }

  link = async (id = 'club'): Promise<string> => this.come(await this.leave(id))
  connections = async () =>
    (await this.call('GET', '/_app/connect')).data as { provider: string; status: string }[]
  async ask(id = 'club', path = '/me') {
    const answer = await this.fetch('GET', `/api/me/${id}?path=${encodeURIComponent(path)}`)
    const body = (await answer.json()) as { email?: string; isKnown?: boolean; error?: { code: string } }
    return { status: answer.status, ...body }
  }
}
