import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { ENDPOINTS_MAX, secretPlace } from './webhooks.ts'
import { leaves } from '../testing/effects.ts'

const ADDRESS = 'https://hooks.example.test/in?token=abc'

describe('webhook endpoints', () => {
  let app: TestApp
  let ann: Client
  before(async () => {
    app = await testApp({ outboundAllow: ['10.1.0.0/16', 'hooks.localhost'] })
    ann = await app.signUp('Ann')
  })
  after(() => app.close())

  const createWebhook = (as: Client, body: object) =>
    as.call<{ id: string; secret: string }>('POST /webhooks', body)
  const listWebhooks = async (as: Client) => (await as.call<{ id: string }[]>('GET /webhooks')).data

  test('the secret of a webhook endpoint is shown only in the response that creates it', async () => {
    leaves({ activity: { 'webhook.created': 1 } })
    const made = await createWebhook(ann, {
      url: ADDRESS,
      events: ['ticket.created', 'ticket.created', 'project.deployed'],
    })
    assert.equal(made.status, 200)
    assert.deepEqual(Object.keys(made.data), ['id', 'secret'])
    assert.match(made.data.id, /^whe_/)
    assert.match(made.data.secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.deepEqual(await listWebhooks(ann), [
      {
        id: made.data.id,
        url: ADDRESS,
        events: ['ticket.created', 'project.deployed'],
        lastDeliveryAt: null,
        createdAt: app.clock.now().toISOString(),
      },
    ])
    const row = await app.platform.db
      .selectFrom('webhook_endpoints')
      .selectAll()
      .where('id', '=', made.data.id)
      .executeTakeFirstOrThrow()
    assert.ok(!JSON.stringify(row).includes(made.data.secret.slice(6)))
    const place = secretPlace(made.data.id, ann.organizationId)
    assert.equal(app.platform.keyring.open(row.secret, place), made.data.secret)
    assert.throws(() => app.platform.keyring.open(row.secret, secretPlace(made.data.id, 'org_other')))
  })

  test('deleting a webhook endpoint a second time returns a 404, and its creation and deletion are in the activity log', async () => {
    leaves({ activity: { 'webhook.created': 1, 'webhook.deleted': 1 } })
    const { data } = await createWebhook(ann, { url: 'https://example.test/a', events: ['*'] })
    const key = await app.keyFor(ann, ['projects:write'])
    assert.deepEqual((await key.call(`DELETE /webhooks/${data.id}`)).data, { id: data.id })
    assert.equal((await key.call(`DELETE /webhooks/${data.id}`)).error?.code, 'not_found')
    assert.ok(!(await listWebhooks(ann)).some((endpoint) => endpoint.id === data.id))
    const log = await app.platform.db
      .selectFrom('activity')
      .select(['action', 'target'])
      .where('org_id', '=', ann.organizationId)
      .where('action', 'like', 'webhook.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(log, [
      { action: 'webhook.created', target: 'hooks.example.test' },
      { action: 'webhook.created', target: 'example.test' },
      { action: 'webhook.deleted', target: 'example.test' },
    ])
  })

  test('another organization can neither see nor delete a webhook endpoint', async () => {
    leaves({ activity: { 'webhook.created': 1 } })
    const { data } = await createWebhook(ann, { url: ADDRESS, events: ['*'] })
    const bob = await app.signUp('Bob')
    assert.deepEqual(await listWebhooks(bob), [])
    const foreign = await bob.call(`DELETE /webhooks/${data.id}`)
    const unknown = await bob.call('DELETE /webhooks/whe_00000000000000000000000000')
    assert.deepEqual([foreign.status, foreign.error], [unknown.status, unknown.error])
    assert.equal(foreign.status, 404)
    assert.ok((await listWebhooks(ann)).some((endpoint) => endpoint.id === data.id))
  })

  test('an API key may list webhook endpoints with the scope projects:read and delete them with projects:write, but never create one', async () => {
    const reader = await app.keyFor(ann, ['projects:read'])
    const all = await app.keyFor(ann, ['projects:read', 'projects:write', 'deploy:write'])
    assert.equal((await reader.call('GET /webhooks')).status, 200)
    assert.equal((await reader.call('DELETE /webhooks/whe_x')).error?.code, 'forbidden_scope')
    assert.equal((await createWebhook(all, { url: ADDRESS, events: ['*'] })).error?.code, 'forbidden')
    assert.equal((await app.nobody.call('GET /webhooks')).error?.code, 'unauthorized')
  })

  test('a webhook with an unknown event, no event, or "*" among other events is refused with an error for the events field', async () => {
    const before = await listWebhooks(ann)
    const bad: unknown[] = [
      undefined,
      [],
      'ticket.created',
      ['ticket.deleted'],
      ['ticket.created', 'TICKET.CREATED'],
      ['*', 'ticket.created'],
      [null],
    ]
    for (const events of bad) {
      const { status, error } = await createWebhook(ann, { url: ADDRESS, events })
      assert.equal(status, 400, JSON.stringify(events))
      assert.equal(error?.code, 'invalid_request')
      assert.match(error?.message ?? '', /^events(\.\d+)?: /, JSON.stringify(events))
    }
    assert.deepEqual(await listWebhooks(ann), before)
  })

  test('a webhook address that is not http(s), or is private and not allowed, is refused with an error for the url field', async () => {
    const before = await listWebhooks(ann)
    const bad: unknown[] = [
      undefined,
      7,
      '',
      'example.test',
      'ftp://example.test/',
      'javascript:alert(1)',
      'https://user:secret@example.test/',
      `https://example.test/${'x'.repeat(2000)}`,
      'http://127.0.0.1:9/',
      'http://2130706433/',
      'http://0x7f.1/',
      'http://[::1]/',
      'http://[::ffff:127.0.0.1]/',
      'http://[::ffff:7f00:1]/',
      'http://localhost/',
      'http://LOCALHOST./',
      'http://app.localhost/',
      'http://10.0.0.1/',
      'http://192.168.1.1/',
      'http://172.16.0.1/',
      'http://169.254.169.254/latest/meta-data/',
      'http://[fd00:ec2::254]/',
      'http://0.0.0.0/',
      'http://[64:ff9b::7f00:1]/',
    ]
    for (const url of bad) {
      const { status, error } = await createWebhook(ann, { url, events: ['*'] })
      assert.equal(status, 400, String(url))
      assert.match(error?.message ?? '', /^url: /, String(url))
    }
    assert.deepEqual(await listWebhooks(ann), before)
  })

  test('a webhook address that the operator allowed, or whose host does not resolve yet, is accepted', async () => {
    leaves({ activity: { 'webhook.created': 4 } })
    for (const url of [
      'http://10.1.2.3:8080/in',
      'http://hooks.localhost/',
      'http://8.8.8.8/',
      'https://not-yet.invalid/in',
    ])
      assert.equal((await createWebhook(ann, { url, events: ['*'] })).status, 200, url)
  })

  test('an organization has at most a hundred webhook endpoints, even when they are created concurrently', async () => {
    leaves({ activity: { 'webhook.created': 101, 'webhook.deleted': 1 } })
    const greedy = await app.signUp('Greedy')
    const answers = await Promise.all(
      Array.from({ length: ENDPOINTS_MAX + 10 }, (_, n) =>
        createWebhook(greedy, { url: `http://8.8.8.8/${n}`, events: ['*'] }),
      ),
    )
    assert.equal(answers.filter((answer) => answer.status === 200).length, ENDPOINTS_MAX)
    assert.equal(answers.filter((answer) => answer.error?.code === 'conflict').length, 10)
    const listed = await listWebhooks(greedy)
    assert.equal(listed.length, ENDPOINTS_MAX)
    await greedy.call(`DELETE /webhooks/${listed[0]?.id}`)
    assert.equal((await createWebhook(greedy, { url: ADDRESS, events: ['*'] })).status, 200)
  })
})
