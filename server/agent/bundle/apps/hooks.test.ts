import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { Stripe } from 'stripe'
import { until } from '../../../releases/testing.ts'
import { readManifest } from '../../source/manifest.ts'
import { starterTree } from '../../source/tree.ts'
import { compileApp } from '../../source/typegen.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'

const PAYMENT_FIELDS = {
  endpoint: { type: 'text' },
  deliveryId: { type: 'text' },
  receivedAt: { type: 'text' },
  headers: { type: 'json' },
  body: { type: 'json' },
  status: { type: 'enum', values: ['received', 'handled', 'failed'], index: true },
  attempts: { type: 'integer' },
  lastError: { type: 'text' },
}
const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['data', 'hook'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    payments: { partition: 'app', read: 'staff', write: 'nobody', fields: PAYMENT_FIELDS },
    pushes: {
      partition: 'app',
      read: 'public',
      write: 'public',
      fields: { body: { type: 'text' }, status: { type: 'text' } },
    },
    done: { partition: 'app', read: 'public', write: 'nobody', fields: { what: { type: 'text' } } },
  },
  hooks: [
    { name: 'pay', scheme: 'stripe', collection: 'payments', handler: 'on-payment' },
    { name: 'code', scheme: 'github', collection: 'pushes', handler: 'on-push' },
    { name: 'silent', scheme: 'token', collection: 'pushes' },
  ],
}
const HANDLER = (collection: string) => `import { data, type HookEvent } from '@slipway/app/server'

export default async (event: HookEvent, { attempt }: { attempt: number }) => {
  const body = event.body as { id: string; fails?: number }
  if (attempt <= (body.fails ?? 0)) throw new Error('not yet')
  await data.system.create('done', { what: [event.endpoint, event.deliveryId, body.id, '${collection}'].join(' ') })
}
`
const ROUTES = `import { data, hook } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/replay/:id', async (c) => c.json(await hook.replay(c.req.param('id'))))
routes.post('/send', async (c) => {
  const { url, type, data } = await c.req.json<{ url: string; type: string; data: unknown }>()
  return c.json(await hook.send(url, type, data))
})
routes.get('/payments', async (c) => c.json((await data.system.list('payments', { sort: 'createdAt' })).items))
`
const SECRET = 'whsec_of_the_payment_provider'
const SEND_KEY = `whsec_${Buffer.from('thirty-two bytes of a signing key').toString('base64')}`

interface Payment {
  id: string
  deliveryId: string
  status: string
  attempts: number
  lastError: string | null
  headers: Record<string, string>
  body: { id: string }
}

describe('webhook messages of other services to a running app', () => {
  let app: RunningApp
  const sent: { url: string; headers: Headers; body: string }[] = []
  let answerOf: () => Response = () => new Response('ok')

  before(async () => {
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['server/routes.ts', ROUTES],
      ['server/jobs/on-payment.ts', HANDLER('payments')],
      ['server/jobs/on-push.ts', HANDLER('pushes')],
    ])
    app = await startApp(tree, {
      enabled: ['data', 'hook'],
      gate: 'off',
      variables: {
        HOOK_ENDPOINTS: JSON.stringify({ crm: { scheme: 'hmac', header: 'X-Sig' }, pay: {}, code: {} }),
        HOOK_PAY_SECRET: SECRET,
        HOOK_CODE_SECRET: 'code secret',
        HOOK_CRM_SECRET: 'crm secret',
        HOOK_SEND_KEY: SEND_KEY,
      },
      outbound: (request) => {
        sent.push(request)
        return Promise.resolve(answerOf())
      },
    })
    const read = readManifest(JSON.stringify(MANIFEST))
    assert.ok(read.ok, JSON.stringify(read))
    const { hash, manifest } = compileApp(read.manifest)
    await app.operate('activate', 'production', hash, manifest)
  })
  after(() => app.stop())

  async function post(name: string, body: string, headers: Record<string, string>) {
    const answer = await app.fetch(`/_app/hook/${name}`, { method: 'POST', headers, body })
    return {
      status: answer.status,
      ...((await answer.json()) as { data?: { id: string }; error?: { code: string; message: string } }),
    }
  }
  const pay = (event: object) => paySigned(JSON.stringify(event))
  const paySigned = (body: string) => {
    const signature = Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET })
    return post('pay', body, { 'stripe-signature': signature, 'content-type': 'application/json' })
  }
  const payments = async () => (await (await app.fetch('/api/payments')).json()) as Payment[]
  const paymentOf = async (event: string) => (await payments()).find(({ body }) => body.id === event)
  const listOf = (collection: string) =>
    app.operate<Record<string, unknown>[]>('records', 'production', collection, 100)
  const done = async () => (await listOf('done')).map(({ what }) => String(what))
  const timesDone = async (event: string) => (await done()).filter((what) => what.includes(event)).length

  test('a signed webhook message is stored as a record and handled', async () => {
    const { status, data } = await pay({ id: 'evt_1', type: 'checkout.session.completed' })
    assert.equal(status, 202)
    await until(async () => (await paymentOf('evt_1'))?.status === 'handled')
    const payment = await paymentOf('evt_1')
    assert.deepEqual(
      [payment?.id, payment?.deliveryId, payment?.attempts, payment?.lastError],
      [data?.id, 'evt_1', 1, null],
    )
    assert.deepEqual(payment?.headers, { 'content-type': 'application/json', 'user-agent': 'node' })
    await until(async () => (await done()).includes('pay evt_1 evt_1 payments'))
  })

  test('fifty concurrent copies of a webhook message become one record that is handled once', async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => pay({ id: 'evt_2' })))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([202]))
    assert.equal(new Set(answers.map(({ data }) => data?.id)).size, 1)
    await until(async () => (await paymentOf('evt_2'))?.status === 'handled')
    assert.equal((await payments()).filter(({ body }) => body.id === 'evt_2').length, 1)
    await until(async () => (await timesDone('evt_2')) > 0)
    assert.equal(await timesDone('evt_2'), 1)
  })

  test('webhook messages that are forged, outdated or signed for another endpoint are refused and not stored', async () => {
    const before = JSON.stringify(await payments())
    const body = '{"id":"evt_3"}'
    const at = (seconds: number) =>
      Stripe.webhooks.generateTestHeaderString({ payload: body, secret: SECRET, timestamp: seconds })
    const now = Math.floor(Date.now() / 1000)
    const refusals = [
      post('pay', body, {}),
      post('pay', body, { 'stripe-signature': at(now - 400) }),
      post('pay', `${body} `, { 'stripe-signature': at(now) }),
      // The signature is made with the secret of another endpoint.
      post('pay', body, {
        'stripe-signature': Stripe.webhooks.generateTestHeaderString({
          payload: body,
          secret: 'code secret',
        }),
      }),
      // `silent` is an endpoint that has no secret yet, so it rejects every message.
      post('silent', body, { authorization: 'Bearer ' }),
      post('silent', body, { authorization: 'Bearer undefined' }),
    ]
    for (const { status, error } of await Promise.all(refusals))
      assert.deepEqual([status, error?.code], [401, 'unauthorized'])
    for (const name of ['nothing', 'constructor', '__proto__'])
      assert.deepEqual((await post(name, body, {})).error?.code, 'not_found')
    const large = await post('pay', JSON.stringify({ id: 'x'.repeat(256 * 1024) }), {})
    assert.deepEqual([large.status, large.error?.code], [400, 'invalid_request'])
    assert.equal(JSON.stringify(await payments()), before)
  })

  test('a webhook message that is too large for a record is refused with 400 and not stored', async () => {
    const { status, error } = await pay({ id: 'evt_large', text: 'x'.repeat(140_000) })
    assert.deepEqual([status, error?.code], [400, 'invalid_request'])
    assert.equal(await paymentOf('evt_large'), undefined)
  })

  test('a webhook message nested more than 100 levels deep is refused with 400 and not stored', async () => {
    const before = (await payments()).length
    const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`
    const payNested = (id: string, levels: number) => paySigned(`{"id":"${id}","data":${nested(levels)}}`)
    for (const [id, levels] of [
      ['evt_deep', 100],
      ['evt_deeper', 100_000],
    ] as const) {
      const { status, error } = await payNested(id, levels)
      assert.deepEqual(
        [status, error?.code, error?.message],
        [400, 'invalid_request', 'body: is nested too deeply'],
      )
    }
    assert.equal((await payments()).length, before)
    assert.equal((await payNested('evt_less_deep', 99)).status, 202)
    await until(async () => (await paymentOf('evt_less_deep'))?.status === 'handled')
  })

  test("the error of a webhook handler is stored in the record, and setting the record's status to `received` runs the handler again", async () => {
    await pay({ id: 'evt_4', fails: 1 })
    await until(async () => (await paymentOf('evt_4'))?.attempts === 1)
    const failed = await paymentOf('evt_4')
    assert.deepEqual([failed?.status, failed?.lastError], ['received', 'not yet'])
    assert.equal(await timesDone('evt_4'), 0)

    await pay({ id: 'evt_5' })
    await until(async () => (await paymentOf('evt_5'))?.status === 'handled')
    const handled = await paymentOf('evt_5')
    assert.ok(handled)
    const place = { collection: 'payments', partition: 'app', id: handled.id }
    await until(async () => (await listOf('payments')).some(({ id }) => id === handled.id))
    await app.operate('replace', 'production', place, { ...handled, status: 'received', attempts: 7 })
    await until(
      async () =>
        (await paymentOf('evt_5'))?.status === 'handled' && (await paymentOf('evt_5'))?.attempts === 1,
    )
    await until(async () => (await timesDone('evt_5')) === 2)

    const replay = (id: string) => app.fetch(`/api/replay/${id}`, { method: 'POST' })
    assert.equal((await replay(handled.id)).status, 200)
    await until(async () => (await timesDone('evt_5')) === 3)
    assert.equal((await replay('0'.repeat(32))).status, 404)
  })

  test('a record that a client creates in a webhook collection does not start the webhook handler', async () => {
    const ops = [
      { op: 'create', collection: 'pushes', fields: { body: '{"id":"forged"}', status: 'received' } },
    ]
    const answer = await app.fetch('/_app/data/mutate', {
      method: 'POST',
      body: JSON.stringify({ mutationId: crypto.randomUUID(), ops }),
    })
    assert.equal(answer.status, 200)
    await pay({ id: 'evt_6' })
    await until(async () => (await done()).includes('pay evt_6 evt_6 payments'))
    assert.equal(await timesDone('forged'), 0)
  })

  test('a webhook collection stores only the fields it declares, and the handler gets the whole message', async () => {
    const body = '{ "id": "push-1" }'
    const mac = createHmac('sha256', 'code secret').update(body).digest('hex')
    const headers = {
      'x-hub-signature-256': `sha256=${mac}`,
      'x-github-delivery': 'd-1',
      'x-github-event': 'push',
    }
    assert.equal((await post('code', body, headers)).status, 202)
    await until(async () => (await done()).includes('code d-1 push-1 pushes'))
    const push = (await listOf('pushes')).find(({ status }) => status === 'handled')
    assert.equal(push?.['body'], '{"id":"push-1"}')
  })

  test("messages to a webhook endpoint that only the operator has configured, not the app's manifest, are stored", async () => {
    const body = 'a=1&b=2'
    const mac = createHmac('sha256', 'crm secret').update(body).digest('hex')
    const type = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal((await post('crm', body, { 'x-sig': mac, ...type })).status, 202)
    await until(async () => (await listOf('hookEvents')).length === 1)
    const [event] = await listOf('hookEvents')
    assert.deepEqual(
      [event?.['endpoint'], event?.['body'], event?.['headers']],
      ['crm', body, { ...type, 'user-agent': 'node' }],
    )
  })

  test('webhooks that the app sends are signed and retried until delivered, and never go to a private address', async () => {
    const send = async (url: string) => {
      const body = JSON.stringify({ url, type: 'order.made', data: { id: 7 } })
      const answer = await app.fetch('/api/send', { method: 'POST', body })
      return {
        status: answer.status,
        ...((await answer.json()) as { id?: string; error?: { field?: string } }),
      }
    }
    answerOf = () => new Response(null, { status: 302, headers: { location: 'https://10.0.0.1/' } })
    const { id } = await send('https://hooks.example.com/in')
    await until(() => Promise.resolve(sent.length === 1))
    const [first] = sent
    assert.ok(first)
    assert.equal(first.headers.get('webhook-id'), id)
    const seconds = first.headers.get('webhook-timestamp')
    const key = Buffer.from(SEND_KEY.slice(6), 'base64')
    const mac = createHmac('sha256', key).update(`${id}.${seconds}.${first.body}`).digest('base64')
    assert.equal(first.headers.get('webhook-signature'), `v1,${mac}`)
    const { type, data } = JSON.parse(first.body) as { type: string; data: unknown }
    assert.deepEqual([type, data], ['order.made', { id: 7 }])
    for (const url of ['https://10.0.0.1/', 'http://hooks.example.com/', 'https://app.localhost/']) {
      const refused = await send(url)
      assert.deepEqual([refused.status, refused.error?.field], [400, 'url'], url)
    }
    assert.equal(sent.length, 1)
  })
})
