import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

interface WorkerBinding {
  name: string
  type: string
}

const MANIFEST = {
  slipway: 1,
  name: 'Members',
  uses: ['auth', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const CANARY = 'canary-of-the-client-secret'
const SECRETS = ['AUTH_CODE_KEY', 'AUTH_GOOGLE_SECRET']

/** The tests share one shipped app, whose people can also sign in with Google, and depend on their order. */
describe('the secrets of a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let slug: string
  let appUrl: string

  async function bindingsOf(name: string): Promise<WorkerBinding[]> {
    const account = await cloud.accountOf(operator.organizationId)
    const { bindings } = await account.call({
      method: 'GET',
      path: `/accounts/:account/workers/scripts/${name}/settings`,
      doing: 'read its bindings',
      result: z.looseObject({ bindings: z.array(z.looseObject({ name: z.string(), type: z.string() })) }),
    })
    return bindings
  }
  const secretsOf = async (name: string) =>
    (await bindingsOf(name))
      .filter(({ type }) => type.startsWith('secret'))
      .map((one) => one.name)
      .sort()
  const save = (change: object) =>
    operator.call<{ hasGoogleClientSecret: boolean }>(`PUT ${at}/capabilities/auth`, {
      enabled: true,
      ...change,
    })
  const ways = async () => {
    const answer = await cloudFetch(`${appUrl}/_app/auth/settings`)
    const { data } = (await answer.json()) as {
      data: { methods: { emailCode: boolean; oauth: { id: string }[] } }
    }
    return data.methods
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Members')
    operator = made.person
    at = made.path
    slug = made.project.slug
    const oauth = [{ id: 'google', clientId: 'club.apps.test' }]
    const on = await save({
      settings: { methods: { emailCode: true, oauth } },
      secrets: { googleClientSecret: CANARY },
    })
    assert.equal(on.error, undefined)
    assert.equal(on.data.hasGoogleClientSecret, true)
    const tree = new Map([
      ...starterTree('Members'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
    ])
    await operator.call(`PUT ${at}/capabilities/data`, { enabled: true })
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
  })
  after(() => cloud.close())

  test("only the project's Durable Objects worker has the sign-in secrets and starts sign-ins with them", async () => {
    assert.deepEqual(await secretsOf(`${slug}-live`), SECRETS)
    for (const name of [slug, `${slug}-admin`]) assert.deepEqual(await secretsOf(name), [])
    assert.deepEqual((await ways()).oauth, [{ id: 'google', title: 'Google' }])
    const start = await cloudFetch(`${appUrl}/_app/auth/oauth/google/start`, { redirect: 'manual' })
    const to = new URL(start.headers.get('location') ?? '')
    assert.equal(to.host, 'accounts.google.com')
    assert.equal(to.searchParams.get('client_id'), 'club.apps.test')
  })

  test('no response, worker binding or database row contains a sign-in secret in plain text', async () => {
    const shown: string[] = [
      JSON.stringify(await bindingsOf(slug)),
      JSON.stringify(await bindingsOf(`${slug}-live`)),
      JSON.stringify(await bindingsOf(`${slug}-admin`)),
    ]
    for (const path of [
      '',
      '/capabilities',
      '/capabilities/auth',
      '/capabilities/auth/users',
      '/resources',
      '/readiness',
    ])
      shown.push(JSON.stringify(await operator.call(`GET ${at}${path}`)))
    shown.push(JSON.stringify(await operator.call('GET /activity')))
    for (const path of ['/', '/_app/auth/settings', '/_app/config', '/_app/auth/oauth/google/start'])
      shown.push(await (await cloudFetch(`${appUrl}${path}`, { redirect: 'manual' })).text())
    const rows = await cloud.app.platform.pool.query('select * from capability_secrets')
    assert.equal(rows.rowCount, 2)
    shown.push(JSON.stringify(rows.rows))
    const { rows: resources } = await cloud.app.platform.pool.query('select * from resources')
    shown.push(JSON.stringify(resources))
    for (const text of shown) assert.ok(!text.includes(CANARY), text.slice(0, 200))
  })

  test('changed and removed sign-in secrets take effect in the Durable Objects worker without a new upload', async () => {
    leaves({ activity: { 'worker.secrets': 'any' }, jobs: { provision: 'any' } })
    const uploads = () => cloud.countCalls('PUT', `/${slug}-live`)
    const before = await uploads()
    await save({ secrets: { googleClientSecret: null } })
    await until(async () => (await secretsOf(`${slug}-live`)).join() === 'AUTH_CODE_KEY')
    await until(async () => (await ways()).oauth.length === 0)
    await save({ secrets: { googleClientSecret: 'another one' } })
    await until(async () => (await secretsOf(`${slug}-live`)).join() === SECRETS.join())
    assert.equal(await uploads(), before)
  })

  test('disabling auth removes the generated sign-in key from the Durable Objects worker, and enabling auth restores the same key', async () => {
    leaves({ activity: { 'worker.rebind': 'any', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const sealed = async () =>
      (await cloud.app.platform.pool.query(`select sealed from capability_secrets where name = 'codeKey'`))
        .rows
    const made = await sealed()
    const off = await operator.call(`PUT ${at}/capabilities/auth`, { enabled: false })
    assert.equal(off.error, undefined)
    await until(async () => (await secretsOf(`${slug}-live`)).length === 0)
    await save({})
    await until(async () => (await secretsOf(`${slug}-live`)).join() === SECRETS.join())
    assert.deepEqual(await sealed(), made)
  })

  test('reading the mails that an app has not sent needs the scope projects:write and is in the activity log', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'app_outbox.read': 1,
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some' },
    })
    await operator.call(`POST ${at}/deploy`)
    const ask = await cloudFetch(`${appUrl}/_app/auth/code`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.test' }),
    })
    assert.deepEqual(await ask.json(), { ok: true, data: { sent: true } })
    const { data } = await operator.call<{ to: string; text: string }[]>(`GET ${at}/capabilities/auth/outbox`)
    assert.equal(data[0]?.to, 'ada@example.test')
    const code = /\d{6}/.exec(data[0]?.text ?? '')?.[0] ?? ''
    const confirm = await cloudFetch(`${appUrl}/_app/auth/code/confirm`, {
      method: 'POST',
      body: JSON.stringify({ email: 'ada@example.test', code }),
    })
    assert.equal(confirm.status, 200)
    const key = await cloud.app.keyFor(operator, ['projects:read'])
    assert.equal((await key.call(`GET ${at}/capabilities/auth/outbox`)).error?.code, 'forbidden_scope')
    const activity = await operator.call<{ items: { action: string }[] }>('GET /activity')
    assert.ok(activity.data.items.some(({ action }) => action === 'app_outbox.read'))
    const { data: people } = await operator.call<
      { email: string; emailVerified: boolean; methods: string[] }[]
    >(`GET ${at}/capabilities/auth/users`)
    assert.deepEqual(
      people.map(({ email, emailVerified, methods }) => [email, emailVerified, methods]),
      [['ada@example.test', true, ['emailCode']]],
    )
  })
})
