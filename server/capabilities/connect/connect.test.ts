import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Notes',
  uses: ['auth', 'connect'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  providers: [{ id: 'club', scopes: ['offline_access'] }, { id: 'github' }],
}
const ROUTES = `import { auth, connect } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/me', async (c) => connect.fetch((await auth.require(c.req.raw)).id, 'club', '/me'))
`
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const CANARY = 'canary-of-the-github-secret'
/** The OAuth client that is registered at the stand-in for other services. */
const CLIENT = { id: 'local-app', secret: 'local-secret' }

test('settings of connected services are refused for a missing field, a repeated id or an address without https', () => {
  const { settings } = capabilityOf('connect')
  const problem = (...providers: object[]) => settings.safeParse({ providers }).error?.issues[0]?.message
  const own = { id: 'crm', clientId: 'c', authorizeUrl: 'https://crm.test/a', tokenUrl: 'https://crm.test/t' }
  assert.equal(problem({ id: 'github', clientId: 'c' }), undefined)
  assert.equal(problem({ ...own, apiBase: 'https://crm.test/api' }), undefined)
  assert.equal(problem({ id: 'crm', kind: 'apiKey', apiBase: 'https://crm.test' }), undefined)
  assert.equal(problem({ id: 'github' }), 'github needs a client id')
  assert.equal(problem(own), 'crm needs its API address')
  assert.equal(
    problem({ id: 'crm', clientId: 'c', apiBase: 'https://crm.test' }),
    'crm needs its authorization and token address',
  )
  assert.equal(
    problem({ id: 'github', clientId: 'a' }, { id: 'github', clientId: 'b' }),
    'two services have the same id',
  )
  assert.match(problem({ ...own, apiBase: 'http://crm.test' }) ?? '', /URL/)
  assert.match(
    problem({ ...own, apiBase: 'https://crm.test', authorizeUrl: 'http://crm.test' }) ?? '',
    /https/,
  )
  const many = Array.from({ length: 21 }, (_, i) => ({
    id: `p${i}`,
    kind: 'apiKey',
    apiBase: 'https://x.test',
  }))
  assert.match(problem(...many) ?? '', /20/)
})

/** The tests share one shipped app and depend on their order. */
describe('the connections of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let slug: string
  let appUrl: string
  let cookie = ''
  const shown: string[] = []

  const save = (change: object) =>
    operator.call<Record<string, unknown>>(`PUT ${at}/capabilities/connect`, { enabled: true, ...change })
  async function ask(path: string, init: { method?: string; body?: string } = {}) {
    const answer = await cloudFetch(new URL(path, appUrl).href, {
      ...init,
      headers: { cookie, 'user-agent': 'Test' },
      redirect: 'manual',
    })
    const set = answer.headers.get('set-cookie')
    if (set !== null) cookie = set.split(';')[0] ?? ''
    const text = await answer.text()
    shown.push(text)
    return { status: answer.status, text, location: answer.headers.get('location') }
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Notes')
    operator = made.person
    at = made.path
    slug = made.project.slug
    const { restUrl } = cloud.world
    const issuer = 'https://oauth.slipway.test'
    const club = {
      id: 'club',
      clientId: CLIENT.id,
      authorizeUrl: `${restUrl}/oauth/authorize`,
      tokenUrl: `${issuer}/token`,
      apiBase: `${issuer}/api`,
      revokeUrl: `${issuer}/revoke`,
    }
    const saved = await save({
      settings: { providers: [club, { id: 'github', clientId: 'Iv1.1' }] },
      secrets: { clubClientSecret: CLIENT.secret, githubClientSecret: CANARY },
    })
    assert.equal(saved.error, undefined)
    shown.push(JSON.stringify(saved.data))
    const unchecked = saved.data['unchecked'] as { secret: string; reason: string }[]
    assert.deepEqual(
      unchecked.map(({ secret, reason }) => [secret, reason.slice(0, 33)]),
      [['clubClientSecret', 'club did not respond to the check']],
      'its address leads nowhere from here, and a known one is not asked by a local cloud',
    )
    assert.deepEqual([saved.data['hasClubClientSecret'], saved.data['hasGithubClientSecret']], [true, true])
    const tree = new Map([
      ...starterTree('Notes'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
      ['server/routes.ts', ROUTES],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    const body = JSON.stringify({ email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' })
    assert.equal((await ask('/_app/auth/sign-up', { method: 'POST', body })).status, 200)
  })
  after(() => cloud.close())

  test("an app can use an account that the app's user has linked on the provider's page", async () => {
    const start = await ask('/_app/connect/club/start')
    const consent = new URL(start.location ?? '')
    const form = new URLSearchParams(consent.search)
    form.set('email', 'ada@club.test')
    form.set('decision', 'allow')
    const agreed = await fetch(new URL('authorize', consent), {
      method: 'POST',
      body: form,
      redirect: 'manual',
    })
    const back = new URL(agreed.headers.get('location') ?? '')
    const done = await ask(`${back.pathname}${back.search}`)
    assert.match(done.location ?? '', /\/\?connect=linked$/)
    const me = await ask('/api/me')
    assert.equal(me.status, 200)
    assert.equal((JSON.parse(me.text) as { email: string }).email, 'ada@club.test')
  })

  test('only the Durable Objects worker has the client secrets and the encryption key of linked accounts, and no response contains them', async () => {
    const account = await cloud.accountOf(operator.organizationId)
    const secretsOf = async (name: string) => {
      const { bindings } = await account.call({
        method: 'GET',
        path: `/accounts/:account/workers/scripts/${name}/settings`,
        doing: 'read its bindings',
        result: z.looseObject({ bindings: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
      })
      shown.push(JSON.stringify(bindings))
      return bindings.filter(({ type }) => type.startsWith('secret')).map(({ name: one }) => one)
    }
    const secrets = ['CONNECT_CLUB_SECRET', 'CONNECT_GITHUB_SECRET', 'CONNECT_VAULT_KEY']
    assert.deepEqual(
      (await secretsOf(`${slug}-live`)).filter((name) => name.startsWith('CONNECT')).toSorted(),
      secrets,
    )
    for (const name of [slug, `${slug}-admin`]) assert.deepEqual(await secretsOf(name), [])
    for (const path of [
      '',
      '/capabilities',
      '/capabilities/connect',
      '/deploy/readiness',
      '/capabilities/auth/users',
    ])
      shown.push(JSON.stringify(await operator.call(`GET ${at}${path}`)))
    shown.push(JSON.stringify(await operator.call('GET /activity')))
    const { rows } = await cloud.app.platform.pool.query('select * from capability_secrets')
    shown.push(JSON.stringify(rows))
    for (const text of shown) assert.ok(!text.includes(CANARY), text.slice(0, 200))
  })

  test('the readiness report names a connected service that app.json declares but the settings do not contain', async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    await save({ settings: { providers: [] } })
    const reasons = async () => JSON.stringify((await operator.call(`GET ${at}/deploy/readiness`)).data)
    assert.match(await reasons(), /The service github is not among the settings/)
  })

  test('an app can use a linked account only while the connect capability is on', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.secrets': 'any',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await save({ enabled: false })
    await until(async () => (await ask('/_app/connect')).status === 404)
    assert.equal((await ask('/api/me')).status, 404)
    await save({})
    assert.equal((await operator.call(`POST ${at}/deploy`)).error, undefined)
    const listed = await ask('/_app/connect')
    assert.match(listed.text, /"provider":"club","status":"linked"/)
  })
})
