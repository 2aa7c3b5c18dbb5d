import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Cloudflare } from 'cloudflare'
import { deployWorker, missingRoutes, startTestWorld, type TestWorld, workerUpload } from './world.ts'

const SOURCE = `export default { fetch() { return new Response('ok') } }`

describe('telemetry and products, used by the official Cloudflare SDK', () => {
  let world: TestWorld
  let client: Cloudflare
  let account_id: string
  before(async () => {
    world = await startTestWorld()
    account_id = world.account.id
    client = new Cloudflare({
      apiToken: world.account.token,
      baseURL: `${world.restUrl}/cloudflare/client/v4`,
      maxRetries: 0,
    })
    await deployWorker(world, 'shop', workerUpload(SOURCE, { observability: { enabled: true } }))
  })
  after(() => world.remove())

  const countItems = async (list: AsyncIterable<unknown>) => {
    let items = 0
    for await (const _item of list) items++
    return items
  }

  test('the Cloudflare SDK tails a worker and reads its telemetry', async () => {
    const tail = await client.workers.scripts.tail.create('shop', { account_id, body: {} })
    assert.match(tail.url ?? '', /^ws:/)
    await client.workers.scripts.tail.delete('shop', tail.id, { account_id })
    const timeframe = { from: Date.now() - 1000, to: Date.now() }
    const query = { account_id, queryId: 'sdk', timeframe, view: 'events' as const }
    const found = await client.workers.observability.telemetry.query(query)
    assert.equal(found.run.status, 'COMPLETED')
  })

  test('the Cloudflare SDK runs AI models, and reads all pages of models and gateways', async () => {
    const model = '@cf/meta/llama-3.1-8b-instruct'
    assert.partialDeepStrictEqual(await client.ai.run(model, { account_id, prompt: 'hi' }), {
      response: 'hi',
    })
    assert.ok((await countItems(client.ai.models.list({ account_id }))) > 5)
    await client.aiGateway.create({
      account_id,
      id: 'shop',
      cache_invalidate_on_update: true,
      cache_ttl: 0,
      collect_logs: true,
      rate_limiting_interval: 0,
      rate_limiting_limit: 0,
    })
    assert.equal(await countItems(client.aiGateway.list({ account_id })), 1)
    assert.equal((await client.aiGateway.delete('shop', { account_id })).id, 'shop')
  })

  test('the Cloudflare SDK creates, changes, lists and removes videos', async () => {
    const { uid = '' } = await client.stream.directUpload.create({ account_id, maxDurationSeconds: 10 })
    assert.equal((await client.stream.get(uid, { account_id })).status?.state, 'pendingupload')
    await client.stream.edit(uid, { account_id, meta: { name: 'a walk' } })
    assert.equal(await countItems(client.stream.list({ account_id, search: 'walk' })), 1)
    assert.ok((await client.stream.token.create(uid, { account_id })).token)
    await client.stream.delete(uid, { account_id })
    assert.equal(await countItems(client.stream.list({ account_id })), 0)
  })

  test('the Cloudflare SDK queries data points with SQL, and lists the datasets', async () => {
    const querySql = (body: string) =>
      client.post<unknown, { data: unknown[] }>(`/accounts/${account_id}/analytics_engine/sql`, {
        // Send bytes, because the SDK would encode a string as JSON.
        body: new TextEncoder().encode(body),
        headers: { 'content-type': 'text/plain' },
      })
    assert.deepEqual((await querySql('SHOW TABLES FORMAT JSON')).data, [])
    await assert.rejects(
      querySql('SELECT count() FROM shop_events'),
      (error) => error instanceof Cloudflare.APIError && error.status === 400,
    )
  })

  test('the Cloudflare SDK creates, changes, rotates, lists and removes bot-check widgets, and lists contain no secret', async () => {
    const { widgets } = client.turnstile
    const made = await widgets.create({
      account_id,
      name: 'shop-guard',
      domains: ['shop.test'],
      mode: 'managed',
    })
    assert.match(made.sitekey, /^1x/)
    assert.equal((await widgets.get(made.sitekey, { account_id })).secret, made.secret)
    const changed = {
      account_id,
      name: 'shop-guard',
      domains: ['shop.test', 'b.test'],
      mode: 'invisible' as const,
    }
    assert.deepEqual((await widgets.update(made.sitekey, changed)).domains, ['shop.test', 'b.test'])
    const rotated = await widgets.rotateSecret(made.sitekey, { account_id, invalidate_immediately: true })
    assert.notEqual(rotated.secret, made.secret)
    for await (const listed of widgets.list({ account_id })) {
      assert.deepEqual([listed.name, listed.mode], ['shop-guard', 'invisible'])
      assert.ok(!('secret' in listed))
    }
    await widgets.delete(made.sitekey, { account_id })
    assert.equal(await countItems(widgets.list({ account_id })), 0)
    await assert.rejects(widgets.get(made.sitekey, { account_id }), { status: 404 })
  })

  test('the Cloudflare SDK creates SFU apps for calls and TURN keys, whose secrets are returned only at their creation', async () => {
    const { sfu, turn } = client.calls
    const app = await sfu.create({ account_id, name: 'shop-call' })
    const key = await turn.create({ account_id, name: 'shop-call' })
    assert.deepEqual([typeof app.secret, typeof key.key], ['string', 'string'])
    const [id, keyId] = [app.uid ?? '', key.uid ?? '']
    assert.ok(!('secret' in (await sfu.get(id, { account_id }))))
    assert.ok(!('key' in (await turn.get(keyId, { account_id }))))
    assert.equal((await sfu.update(id, { account_id, name: 'other' })).name, 'other')
    for await (const listed of sfu.list({ account_id })) assert.ok(!('secret' in listed))
    for await (const listed of turn.list({ account_id })) assert.ok(!('key' in listed))
    await sfu.delete(id, { account_id })
    await turn.delete(keyId, { account_id })
    assert.deepEqual(
      [await countItems(sfu.list({ account_id })), await countItems(turn.list({ account_id }))],
      [0, 0],
    )
    await assert.rejects(sfu.get(id, { account_id }), { status: 404 })
  })

  test('the local Cloudflare emulator implements every product route that the Cloudflare SDK called in these tests', async () => {
    assert.deepEqual(await missingRoutes(world, 15), [])
  })
})
