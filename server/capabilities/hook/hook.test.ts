import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['data', 'hook'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    payments: {
      partition: 'app',
      read: 'staff',
      write: 'nobody',
      fields: {
        body: { type: 'json' },
        status: { type: 'enum', values: ['received', 'handled', 'failed'] },
        attempts: { type: 'integer' },
      },
    },
    sales: { partition: 'app', read: 'public', write: 'nobody', fields: { what: { type: 'text' } } },
  },
  hooks: [{ name: 'pay', scheme: 'stripe', collection: 'payments', handler: 'on-payment' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`
const JOB = `import { data, type HookEvent } from '@slipway/app/server'

export default async ({ body }: HookEvent) => {
  await data.system.create('sales', { what: (body as { id: string }).id })
}
`
const CANARY = 'whsec_canary-of-the-endpoint'

interface Message {
  id: string
  partition: string
  status: string
  attempts: number
  body: { id: string }
}

/** The tests share one shipped app with a webhook endpoint and depend on their order. */
describe('messages of other services to a live app', () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let slug: string
  let appUrl: string

  const save = (change: object) =>
    operator.call<Record<string, unknown>>(`PUT ${at}/capabilities/hook`, { enabled: true, ...change })
  const messages = async () =>
    (await operator.call<Message[]>(`GET ${at}/capabilities/data/records/payments`)).data
  const sales = async () =>
    (await operator.call<{ what: string }[]>(`GET ${at}/capabilities/data/records/sales`)).data.map(
      ({ what }) => what,
    )
  async function pay(event: object, secret = CANARY) {
    const payload = JSON.stringify(event)
    const answer = await cloudFetch(`${appUrl}/_app/hook/pay`, {
      method: 'POST',
      headers: { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret }) },
      body: payload,
    })
    return { status: answer.status, ...((await answer.json()) as { error?: { code: string } }) }
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Shop')
    operator = made.person
    at = made.path
    slug = made.project.slug
    assert.equal((await save({})).error, undefined)
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
      ['server/jobs/on-payment.ts', JOB],
    ])
    await cloud.build(made.project.id, tree)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
  })
  after(() => cloud.close())

  test('a webhook endpoint refuses messages until its secret is set, and then handles signed messages', async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    assert.deepEqual(await pay({ id: 'evt_0' }).then(({ status, error }) => [status, error?.code]), [
      401,
      'unauthorized',
    ])
    const { data } = await save({ settings: { endpoints: { pay: {} } }, secrets: { paySecret: CANARY } })
    assert.equal(data['hasPaySecret'], true)
    await until(async () => (await pay({ id: 'evt_1' })).status === 202)
    await until(async () => (await sales()).length === 1)
    await until(async () => (await messages())[0]?.status === 'handled')
    assert.deepEqual(await sales(), ['evt_1'])
    assert.equal((await pay({ id: 'evt_2' }, 'another secret')).status, 401)
  })

  test('a webhook message whose status the operator resets to received is handled again', async () => {
    leaves({ activity: { 'record.replace': 1 } })
    const [message] = await messages()
    assert.ok(message)
    const path = `${at}/capabilities/data/records/payments/app/${message.id}`
    const { error } = await operator.call(`PUT ${path}`, { ...message, status: 'received' })
    assert.equal(error, undefined)
    await until(async () => (await sales()).length === 2)
    await until(async () => (await messages())[0]?.status === 'handled')
  })

  test('signed webhook messages are accepted even if the app has an access code', async () => {
    leaves({
      activity: { 'access_code.remove': 1, 'access_code.set': 1, 'worker.rebind': 'any' },
      jobs: { provision: 'any' },
    })
    const gate = await operator.call(`PUT ${at}/access`, { code: 'open sesame, please' })
    assert.equal(gate.error, undefined)
    await until(async () => (await cloudFetch(`${appUrl}/`)).status === 401)
    assert.equal((await pay({ id: 'evt_3' })).status, 202)
    assert.equal((await pay({ id: 'evt_4' }, 'another secret')).status, 401)
    await operator.call(`PUT ${at}/access`, { code: null })
  })

  test('only the Durable Objects worker has the secrets of webhooks, and no response or row contains them', async () => {
    const account = await cloud.accountOf(operator.organizationId)
    const Bindings = z.looseObject({
      bindings: z.array(z.looseObject({ name: z.string(), type: z.string() })),
    })
    const shown: string[] = []
    for (const name of [slug, `${slug}-live`]) {
      const { bindings } = await account.call({
        method: 'GET',
        path: `/accounts/:account/workers/scripts/${name}/settings`,
        doing: 'read its bindings',
        result: Bindings,
      })
      const secrets = bindings.filter(({ type }) => type.startsWith('secret')).map((one) => one.name)
      assert.equal(secrets.includes('HOOK_PAY_SECRET'), name !== slug, name)
      shown.push(JSON.stringify(bindings))
    }
    for (const path of ['', '/capabilities', '/capabilities/hook', '/capabilities/data/records/payments'])
      shown.push(JSON.stringify(await operator.call(`GET ${at}${path}`)))
    shown.push(JSON.stringify(await operator.call('GET /activity')))
    for (const table of ['capability_secrets', 'capabilities', 'resources'])
      shown.push(JSON.stringify((await cloud.app.platform.pool.query(`select * from ${table}`)).rows))
    for (const text of shown) assert.ok(!text.includes(CANARY), text.slice(0, 200))
  })

  test('invalid settings and secrets of webhooks are refused with the name of the field', async () => {
    const many = Object.fromEntries(Array.from({ length: 21 }, (_, i) => [`e${i}`, {}]))
    const wrong: [object, string][] = [
      [{ settings: { endpoints: { Pay: {} } } }, 'settings.endpoints'],
      [{ settings: { endpoints: many } }, 'settings.endpoints'],
      [{ settings: { endpoints: { 'my-shop': {}, my_shop: {} } } }, 'settings.endpoints'],
      [{ settings: { endpoints: { 'a-b': {}, 'a-B': {} } } }, 'settings.endpoints'],
      [{ settings: { endpoints: { crm: { scheme: 'md5' } } } }, 'settings.endpoints'],
      [{ settings: { endpoints: { crm: { scheme: 'hmac', signed: 'nothing' } } } }, 'settings.endpoints'],
      [{ settings: { keepDays: 0 } }, 'settings.keepDays'],
      [{ secrets: { paySecret: 'short' } }, 'secrets.paySecret'],
      [{ secrets: { sendKey: 'whsec_short' } }, 'secrets.sendKey'],
    ]
    for (const [change, field] of wrong) {
      const { error } = await save(change)
      assert.equal(error?.code, 'invalid_request', JSON.stringify(change))
      assert.ok(error?.message.startsWith(field), error?.message)
    }
  })

  test('removing a webhook endpoint deletes its secret, so that a new endpoint of the same name has no secret', async () => {
    leaves({ activity: { 'worker.secrets': 'any' }, jobs: { provision: 'any' } })
    await save({ settings: { endpoints: {} } })
    const { data } = await save({ settings: { endpoints: { pay: {} } } })
    assert.equal(data['hasPaySecret'], false)
    await until(async () => (await pay({ id: 'evt_6' })).status === 401)
    await save({ secrets: { paySecret: CANARY } })
    await until(async () => (await pay({ id: 'evt_6' })).status === 202)
  })

  test('while the hook capability is off, no webhook message is accepted', async () => {
    leaves({ activity: { 'worker.rebind': 'any', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const off = await operator.call(`PUT ${at}/capabilities/hook`, { enabled: false })
    assert.equal(off.error, undefined)
    await until(async () => (await pay({ id: 'evt_5' })).error?.code === 'not_enabled')
  })
})
