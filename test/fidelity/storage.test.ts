import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  api,
  askApp,
  deployWorker,
  missingRoutes,
  startTestWorld,
  type TestWorld,
  workerUpload,
} from './world.ts'
import { projectWith, wrangler, writeFiles } from './wrangler.ts'

const SOURCE = `
export default {
  async fetch(request, env) {
    const { searchParams } = new URL(request.url)
    if (searchParams.has('sql')) {
      return Response.json((await env.LIBRARY.prepare(searchParams.get('sql')).all()).results)
    }
    const key = searchParams.get('key')
    if (request.method === 'PUT') await env.STORE.put(key, await request.text())
    return Response.json(await env.STORE.getWithMetadata(key))
  },
}`

const configWith = (extra: object) =>
  JSON.stringify({ name: 'library', main: 'index.js', compatibility_date: '2026-06-01', ...extra })

describe('KV and D1 of the local cloud, used by the real wrangler', () => {
  let world: TestWorld
  let project: string
  before(async () => {
    // Stop an idle app after half a second, so that the process ends between two commands and each call starts it again.
    world = await startTestWorld({ SLIPWAY_LOCAL_IDLE_MINUTES: '0.008' })
    project = projectWith(world, { 'wrangler.jsonc': configWith({}), 'index.js': SOURCE })
  })
  after(() => world.remove())

  async function runWrangler(...args: string[]): Promise<string> {
    const { code, output } = await wrangler(world, project, ...args)
    assert.equal(code, 0, output)
    return output
  }

  async function runRefused(...args: string[]): Promise<string> {
    const { code, output } = await wrangler(world, project, ...args)
    assert.notEqual(code, 0, output)
    return output
  }

  const kvId = async (title: string) => {
    const { result } = await api(world, 'GET', '/storage/kv/namespaces?per_page=100')
    return (result as { id: string; title: string }[]).find((one) => one.title === title)?.id ?? ''
  }
  const databaseId = async (name: string) =>
    ((await api(world, 'GET', `/d1/database/${name}`)).result as { uuid: string }).uuid
  const runKv = async (...args: string[]) =>
    runWrangler('kv', 'key', ...args, '--remote', '--namespace-id', await kvId('shelves'))
  const queryLibrary = async (query: string) => {
    const answer = await askApp(world, 'library', `/?${query}`)
    assert.equal(answer.status, 200, answer.text)
    return JSON.parse(answer.text)
  }

  test('wrangler puts, reads, lists by prefix and deletes KV values', async () => {
    await runWrangler('kv', 'namespace', 'create', 'shelves')
    await runKv('put', 'a/1', 'one', '--metadata', '{"colour":"red"}')
    await runKv('put', 'a/2', 'two', '--ttl', '600')
    await runKv('put', 'b/50% ü?#', 'three')
    assert.match(await runKv('get', 'b/50% ü?#'), /three/)
    assert.match(await runKv('get', 'a/1'), /one/)
    const listed = JSON.parse(await runKv('list', '--prefix', 'a/')) as {
      name: string
      expiration?: number
    }[]
    assert.deepEqual(
      listed.map(({ name }) => name),
      ['a/1', 'a/2'],
    )
    assert.ok((listed[1]?.expiration ?? 0) > Date.now() / 1000 + 500)
    await runKv('delete', 'b/50% ü?#')
    assert.match(
      await runRefused('kv', 'key', 'get', 'b/50% ü?#', '--remote', '--namespace-id', await kvId('shelves')),
      /404|not found/i,
    )
  })

  test('wrangler puts a file of KV values in one call', async () => {
    const pairs = Array.from({ length: 1500 }, (_, index) => ({ key: `many/${index}`, value: String(index) }))
    writeFiles(project, { 'pairs.json': JSON.stringify(pairs) })
    await runWrangler('kv', 'bulk', 'put', 'pairs.json', '--remote', '--namespace-id', await kvId('shelves'))
    // There are more keys than fit on one page.
    assert.equal((JSON.parse(await runKv('list', '--prefix', 'many/')) as unknown[]).length, 1500)
  })

  test('wrangler runs commands, files and migrations on a D1 database', async () => {
    await runWrangler('d1', 'create', 'books')
    const commands = `CREATE TABLE books (title TEXT NOT NULL); INSERT INTO books VALUES ('one; two')`
    await runWrangler('d1', 'execute', 'books', '--remote', '--command', commands)
    const trigger = `CREATE TRIGGER loud AFTER INSERT ON books BEGIN
      UPDATE books SET title = upper(title) WHERE rowid = new.rowid; END;`
    writeFiles(project, { 'more.sql': `${trigger}\nINSERT INTO books VALUES ('three');\n` })
    await runWrangler('d1', 'execute', 'books', '--remote', '--yes', '--file', 'more.sql')
    const output = await runWrangler(
      'd1',
      'execute',
      'books',
      '--remote',
      '--json',
      '--command',
      'SELECT * FROM books',
    )
    assert.match(output, /"one; two"[\s\S]*"THREE"/)
    assert.match(
      await runRefused('d1', 'execute', 'books', '--remote', '--command', 'SELECT * FROM nowhere'),
      /no such table: nowhere/,
    )
  })

  test('a worker that gets its bindings in a later deploy reads database rows and KV values with metadata', async () => {
    const bound = {
      kv_namespaces: [{ binding: 'STORE', id: await kvId('shelves') }],
      d1_databases: [{ binding: 'LIBRARY', database_name: 'books', database_id: await databaseId('books') }],
    }
    writeFiles(project, {
      'wrangler.jsonc': configWith(bound),
      'migrations/0001_shelf.sql': 'ALTER TABLE books ADD COLUMN shelf TEXT;',
    })
    await runWrangler('d1', 'migrations', 'apply', 'LIBRARY', '--remote')
    await runWrangler('deploy')
    assert.deepEqual(await queryLibrary('key=a/1'), {
      value: 'one',
      metadata: { colour: 'red' },
      cacheStatus: null,
    })
    await queryLibrary(`sql=${encodeURIComponent(`INSERT INTO books VALUES ('four', 'B')`)}`)
    assert.deepEqual(await queryLibrary(`sql=${encodeURIComponent('SELECT * FROM books')}`), [
      { title: 'one; two', shelf: null },
      { title: 'THREE', shelf: null },
      { title: 'FOUR', shelf: 'B' },
    ])
    assert.match(await runWrangler('d1', 'migrations', 'list', 'LIBRARY', '--remote'), /No migrations/)
  })

  test('values that wrangler writes after the deploy reach the worker, and survive kill -9 of the local Cloudflare emulator', async () => {
    await runKv('put', 'late', 'later')
    // SIGKILL leaves no time to write anything: acknowledged values must be on disk already.
    await world.kill()
    await world.start()
    assert.deepEqual(await queryLibrary('key=late'), { value: 'later', metadata: null, cacheStatus: null })
    assert.deepEqual(await queryLibrary(`sql=${encodeURIComponent('SELECT count(*) AS n FROM books')}`), [
      { n: 3 },
    ])
  })

  test('a database exported by wrangler is SQL that creates the same database', async () => {
    await runWrangler('d1', 'export', 'books', '--remote', '--output', 'dump.sql')
    assert.match(readFileSync(join(project, 'dump.sql'), 'utf8'), /'THREE'/)
    await runWrangler('d1', 'create', 'copies')
    await runWrangler('d1', 'execute', 'copies', '--remote', '--yes', '--file', 'dump.sql')
    const { result } = await api(world, 'POST', '/d1/database/copies/query', {
      sql: 'SELECT title FROM books WHERE shelf = ?',
      params: ['B'],
    })
    const [{ results }] = result as [{ results: unknown[] }]
    assert.deepEqual(results, [{ title: 'FOUR' }])
    assert.match(await runWrangler('d1', 'info', 'copies'), /copies/)
  })

  test('a KV namespace can be shared by a worker with and a worker without Durable Objects', async () => {
    const metadata = { migrations: { new_tag: 'v1', new_sqlite_classes: ['Box'] } }
    const source = `import { DurableObject } from 'cloudflare:workers'
export class Box extends DurableObject {}
export default { fetch: async (_, env) => new Response(env.STORE ? await env.STORE.get('late') : 'none') }`
    await deployWorker(world, 'boxes', workerUpload(source, metadata))
    const bindings = [{ type: 'kv_namespace', name: 'STORE', namespace_id: await kvId('shelves') }]
    assert.equal((await askApp(world, 'boxes', '/')).text, 'none')
    const bound = await api(world, 'PUT', '/workers/scripts/boxes', workerUpload(source, { bindings }))
    assert.equal(bound.status, 200, JSON.stringify(bound.errors))
    assert.equal((await askApp(world, 'boxes', '/')).text, 'later')
    assert.deepEqual(await queryLibrary('key=late'), { value: 'later', metadata: null, cacheStatus: null })
  })

  test('a KV namespace and a database recreated under the old name are empty, and their worker still runs', async () => {
    const namespace = await kvId('shelves')
    await runWrangler('kv', 'namespace', 'delete', '--namespace-id', namespace, '--skip-confirmation')
    await runWrangler('d1', 'delete', 'books', '--skip-confirmation')
    assert.equal((await askApp(world, 'library', '/?key=a/1')).status, 500)
    await runWrangler('kv', 'namespace', 'create', 'shelves')
    await runWrangler('d1', 'create', 'books')
    assert.notEqual(await kvId('shelves'), namespace)
    assert.deepEqual(JSON.parse(await runKv('list')), [])
    const { num_tables: tables } = (await api(world, 'GET', '/d1/database/books')).result as {
      num_tables: number
    }
    assert.equal(tables, 0)
  })

  test('the local Cloudflare emulator implements every storage route that wrangler called in these tests', async () => {
    assert.deepEqual(await missingRoutes(world, 30), [])
  })
})
