import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { APIError, Cloudflare, NotFoundError, toFile } from 'cloudflare'
import type { QueryResult } from 'cloudflare/resources/d1/database'
import {
  api,
  askApp,
  deployWorker,
  missingRoutes,
  startTestWorld,
  type TestWorld,
  workerUpload,
} from './world.ts'

describe('the local Cloudflare emulator, called by the official SDK', () => {
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
  })
  after(() => world.remove())

  async function collectAll<T>(list: AsyncIterable<T>): Promise<T[]> {
    const items: T[] = []
    for await (const item of list) items.push(item)
    return items
  }

  test('the Cloudflare SDK uploads a worker, enables its address and reads it back', async () => {
    const source = 'export default { fetch: () => new Response("from the SDK") }'
    await client.workers.scripts.update('by-sdk', {
      account_id,
      metadata: { main_module: 'index.js', compatibility_date: '2026-06-01' },
      files: [await toFile(Buffer.from(source), 'index.js', { type: 'application/javascript+module' })],
    })
    await client.workers.scripts.subdomain.create('by-sdk', { account_id, enabled: true })
    assert.equal((await askApp(world, 'by-sdk', '/')).text, 'from the SDK')
    const { items } = (await client.workers.scripts.versions.list('by-sdk', { account_id })).result
    assert.equal(items?.[0]?.number, 1)
  })

  test('as at Cloudflare, a worker upload in the multipart format of SDK version 7.3.0 is refused with 415', async () => {
    // SDK version 7.3.0 sends the metadata as separate form fields, but with the content type of a script
    // (https://github.com/cloudflare/cloudflare-typescript/issues/2799).
    const boundary = '----formdata-7.3.0'
    const formPart = (name: string, text: string) =>
      `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`
    const body = `${formPart('metadata[main_module]', 'index.js')}${formPart('files[]', 'export default {}')}--${boundary}--\r\n`
    const url = `${world.restUrl}/cloudflare/client/v4/accounts/${account_id}/workers/scripts/seven`
    const refused = await fetch(url, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${world.account.token}`,
        'content-type': 'application/javascript',
      },
      body,
    })
    assert.equal(refused.status, 415)
    assert.equal((await api(world, 'GET', '/workers/services/seven')).status, 404)
  })

  test('the Cloudflare SDK stores values in KV with metadata, and lists keys over several pages', async () => {
    const { id } = await client.kv.namespaces.create({ account_id, title: 'from the SDK' })
    await client.kv.namespaces.values.update(id, 'a/key with spaces', {
      account_id,
      value: 'a value',
      metadata: { colour: 'red' },
      expiration_ttl: 600,
    })
    const read = await client.kv.namespaces.values.get(id, 'a/key with spaces', { account_id })
    assert.equal(await read.text(), 'a value')
    const metadata = await client.kv.namespaces.metadata.get(id, 'a/key with spaces', { account_id })
    assert.deepEqual(metadata, { colour: 'red' })
    const pairs = Array.from({ length: 25 }, (_, n) => ({ key: `b/${n}`, value: `${n}` }))
    await client.kv.namespaces.bulkUpdate(id, { account_id, body: pairs })
    const keys = await collectAll(client.kv.namespaces.keys.list(id, { account_id, prefix: 'b/', limit: 10 }))
    assert.equal(new Set(keys.map(({ name }) => name)).size, 25)
    const many = await client.kv.namespaces.bulkGet(id, { account_id, keys: ['b/1', 'b/none'] })
    assert.deepEqual(many?.values, { 'b/1': '1', 'b/none': null })
    await client.kv.namespaces.bulkDelete(id, { account_id, body: keys.map(({ name }) => name) })
    assert.equal((await collectAll(client.kv.namespaces.keys.list(id, { account_id }))).length, 1)
    await assert.rejects(
      client.kv.namespaces.values.update(id, 'short', { account_id, value: 'x', expiration_ttl: 5 }),
      /at least 60/,
    )
  })

  test('the Cloudflare SDK queries a D1 database, with parameters, in batches and without column names', async () => {
    const { uuid } = await client.d1.database.create({ account_id, name: 'from-the-sdk' })
    const id = uuid ?? ''
    await client.d1.database.query(id, { account_id, sql: 'CREATE TABLE t (n INTEGER, b BLOB)' })
    const inserted = await collectAll(
      client.d1.database.query(id, {
        account_id,
        batch: [
          { sql: 'INSERT INTO t VALUES (?, ?)', params: ['1', 'x'] },
          { sql: 'INSERT INTO t VALUES (2, NULL)' },
        ],
      }),
    )
    assert.deepEqual(
      inserted.map(({ success, meta }) => [success, meta?.changes]),
      [
        [true, 1],
        [true, 1],
      ],
    )
    const failed = client.d1.database.query(id, {
      account_id,
      sql: 'INSERT INTO t VALUES (3, NULL); INSERT INTO nowhere VALUES (1)',
    })
    await assert.rejects(failed, (error: unknown) => error instanceof APIError && error.status === 400)
    const [rows] = await collectAll(
      client.d1.database.raw(id, { account_id, sql: 'SELECT n, n AS n FROM t ORDER BY n' }),
    )
    assert.deepEqual(rows?.results, {
      columns: ['n', 'n'],
      rows: [
        [1, 1],
        [2, 2],
      ],
    })
  })

  test('the statements of one D1 call are one transaction and report what they changed', async () => {
    const { uuid } = await client.d1.database.create({ account_id, name: 'transactions' })
    const id = uuid ?? ''
    for (const form of ['query', 'raw'] as const) {
      const run = (sql: string) =>
        collectAll<{ meta?: QueryResult['meta'] }>(client.d1.database[form](id, { account_id, sql }))
      const [, inserted] = await run(
        `CREATE TABLE ${form}_t (n UNIQUE); INSERT INTO ${form}_t VALUES (1), (2)`,
      )
      const { changes, rows_written: written, changed_db: isChanged } = inserted?.meta ?? {}
      assert.deepEqual([form, changes, written, isChanged], [form, 2, 4, true])
      await assert.rejects(
        run(`INSERT INTO ${form}_t VALUES (3); INSERT INTO ${form}_t VALUES (1)`),
        (error: unknown) => error instanceof APIError && /UNIQUE constraint failed/.test(error.message),
      )
      const [counted] = await collectAll(
        client.d1.database.query(id, { account_id, sql: `SELECT count(*) AS n FROM ${form}_t` }),
      )
      assert.deepEqual([form, counted?.results], [form, [{ n: 2 }]])
    }
    await client.d1.database.delete(id, { account_id })
  })

  test('the Cloudflare SDK reaches the end of every paged list, with and without items', async () => {
    for (const title of ['one', 'two', 'three']) await client.kv.namespaces.create({ account_id, title })
    const titles = await collectAll(client.kv.namespaces.list({ account_id, per_page: 2 }))
    assert.deepEqual(
      titles.map(({ title }) => title),
      ['from the SDK', 'one', 'three', 'two'],
    )
    assert.equal((await collectAll(client.d1.database.list({ account_id, per_page: 1 }))).length, 1)
    assert.deepEqual(
      (await collectAll(client.workers.scripts.list({ account_id }))).map(({ id }) => id),
      ['by-sdk'],
    )
    assert.equal((await collectAll(client.accounts.list())).length, 1)
    assert.deepEqual(await collectAll(client.durableObjects.namespaces.list({ account_id })), [])
  })

  test('the Cloudflare SDK lists the Durable Objects of a namespace over several pages', async () => {
    const source = `export class Box { constructor(state) { this.state = state }
        async fetch() { await this.state.storage.put('x', 1); return new Response('kept') } }
      export default { fetch(request, env) {
        return env.BOX.get(env.BOX.idFromName(new URL(request.url).pathname)).fetch(request) } }`
    const metadata = {
      bindings: [{ type: 'durable_object_namespace', name: 'BOX', class_name: 'Box' }],
      migrations: { new_tag: 'v1', new_sqlite_classes: ['Box'] },
    }
    await deployWorker(world, 'boxes', workerUpload(source, metadata))
    for (const name of ['a', 'b', 'c']) await askApp(world, 'boxes', `/${name}`)
    const [namespace] = await collectAll(client.durableObjects.namespaces.list({ account_id }))
    const objects = await collectAll(
      client.durableObjects.namespaces.objects.list(namespace?.id ?? '', { account_id, limit: 2 }),
    )
    assert.equal(new Set(objects.map(({ id }) => id)).size, 3)
  })

  test('the Cloudflare SDK creates, lists and deletes a bucket', async () => {
    await client.r2.buckets.create({ account_id, name: 'from-the-sdk' })
    const { buckets } = await client.r2.buckets.list({ account_id })
    assert.deepEqual(
      buckets?.map(({ name }) => name),
      ['from-the-sdk'],
    )
    await client.r2.buckets.delete('from-the-sdk', { account_id })
    await assert.rejects(client.r2.buckets.get('from-the-sdk', { account_id }), NotFoundError)
  })

  test("the Cloudflare SDK throws errors with the provider's status and code", async () => {
    await assert.rejects(client.workers.scripts.versions.list('nobody', { account_id }), (error: unknown) => {
      assert.ok(error instanceof NotFoundError)
      assert.equal(error.errors[0]?.code, 10007)
      return true
    })
  })

  test('the local Cloudflare emulator implements every worker route that the Cloudflare SDK called in these tests', async () => {
    assert.deepEqual(await missingRoutes(world, 30), [])
  })
})
