import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'

const BOOKMARK = '00000000-00000000-00000000-00000000000000000000000000000000'
const md5 = (text: string) => createHash('md5').update(text).digest('hex')

describe('queries and SQL files of a D1 database over REST', () => {
  let cloud: TestCloud
  let database: string
  let asked: { do: string | undefined; body: unknown }[]
  /** The response of the process that has the database open. */
  let found: Response
  beforeEach(async () => {
    cloud = testCloud()
    asked = []
    database = await create('books')
    cloud.data.request = async (_resource, params, init?: RequestInit) => {
      const { body } = init ?? {}
      asked.push({ do: params['do'], body: JSON.parse(await new Response(body ?? null).text()) })
      return found.clone()
    }
  })
  afterEach(() => cloud.close())

  const create = async (name: string) =>
    ((await cloud.call('POST', '/A/d1/database', { name })).result as { uuid: string }).uuid
  const call = async (method: string, path: string, body?: object, id = database) => {
    const answer = await cloud.call(method, `/A/d1/database/${id}${path}`, body)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code, answer.errors[0]?.message]
  }
  const statement = (sql: string, params: unknown[] = []) => ({ sql, params })
  const result = (read: number, written: number, duration: number) => ({
    results: [],
    meta: { rows_read: read, rows_written: written, duration, size_after: 10 },
  })

  describe('queries', () => {
    test('each statement of a D1 query, alone or in a batch, is sent with its own parameters', async () => {
      const results = [result(1, 0, 1)]
      found = Response.json(results)
      assert.deepEqual(await call('POST', '/query', { sql: 'SELECT ?', params: [1] }), results)
      await call('POST', '/raw', { sql: 'SELECT 1; SELECT 2' })
      await call('POST', '/query', { batch: [statement('SELECT ?', ['a']), { sql: 'SELECT 2' }] })
      assert.deepEqual(asked, [
        { do: 'query', body: [statement('SELECT ?', [1])] },
        { do: 'raw', body: [statement('SELECT 1'), statement('SELECT 2')] },
        { do: 'query', body: [statement('SELECT ?', ['a']), statement('SELECT 2')] },
      ])
    })

    test('a D1 query without a statement, or with parameters for several statements, is refused', async () => {
      const refusals = [
        await call('POST', '/query', { sql: '  -- nothing' }),
        await call('POST', '/query', { sql: 'SELECT ?; SELECT ?', params: [1] }),
        await call('POST', '/query', { batch: [] }),
        await call('POST', '/query', { params: [1] }),
        await call('POST', '/query', { sql: 'SELECT 1' }, 'none'),
      ]
      assert.deepEqual(
        refusals.map((refusal) => (refusal as unknown[]).slice(0, 2)),
        [
          [400, 7500],
          [400, 7400],
          [400, 10001],
          [400, 10001],
          [404, 7404],
        ],
      )
      assert.deepEqual(asked, [])
    })

    test('an error of a D1 database is returned without the prefix D1_ERROR or D1_EXEC_ERROR', async () => {
      for (const prefix of ['D1_ERROR: ', 'D1_EXEC_ERROR: ', '']) {
        found = Response.json({ message: `${prefix}no such table: x` }, { status: 400 })
        assert.deepEqual(await call('POST', '/query', { sql: 'SELECT * FROM x' }), [
          400,
          7500,
          'no such table: x',
        ])
      }
    })

    test('the size of a D1 database is queried only when it was used before and the caller asks for a size field', async () => {
      const sizes = { file_size: 0, num_tables: 0 }
      const read = async (query = '') => {
        const { file_size: size, num_tables: tables } = (await call('GET', query)) as typeof sizes
        return { file_size: size, num_tables: tables }
      }
      assert.deepEqual([await read(), asked], [sizes, []])
      cloud.inUse.add('books')
      found = Response.json([{ results: [{ tables: 2 }], meta: { size_after: 4096 } }])
      assert.deepEqual(await read(), { file_size: 4096, num_tables: 2 })
      assert.deepEqual(await call('GET', '?fields=uuid,name,none'), { uuid: database, name: 'books' })
      assert.equal(asked.length, 1)
      assert.deepEqual(await call('GET', '?fields=num_tables'), { num_tables: 2 })
    })
  })

  describe('files', () => {
    const SQL = 'CREATE TABLE a (b); INSERT INTO a VALUES (1);'
    const importFile = (body: object, id = database) => call('POST', '/import', body, id)
    const init = async (id = database) =>
      (await importFile({ action: 'init', etag: 'x' }, id)) as { upload_url: string; filename: string }
    const pathOf = (url: string) => new URL(url).pathname
    const upload = async (url: string, text: string) => {
      const response = await cloud.send(pathOf(url), {
        method: 'PUT',
        body: text,
        headers: { authorization: '' },
      })
      return [response.status, response.headers.get('etag')]
    }
    const ingest = (filename: string, text: string, id = database) =>
      importFile({ action: 'ingest', filename, etag: md5(text) }, id)

    test('a SQL file for D1 is uploaded to a unique URL without a token, and imported in one request', async () => {
      const { upload_url: url, filename } = await init()
      assert.deepEqual(await upload(url, SQL), [200, `"${md5(SQL)}"`])
      found = Response.json([result(1, 2, 3), result(10, 20, 30)])
      assert.deepEqual(await ingest(filename, SQL), {
        success: true,
        type: 'import',
        status: 'complete',
        at_bookmark: BOOKMARK,
        messages: [],
        result: {
          num_queries: 2,
          final_bookmark: BOOKMARK,
          meta: { rows_read: 11, rows_written: 22, duration: 33, size_after: 10 },
        },
      })
      const statements = ['CREATE TABLE a (b)', 'INSERT INTO a VALUES (1)'].map((sql) => statement(sql))
      assert.deepEqual(asked, [{ do: 'query', body: statements }])
      const idle = { success: false, error: 'Not currently importing anything.' }
      assert.deepEqual(await importFile({ action: 'poll', current_bookmark: BOOKMARK }), idle)
    })

    test('D1 imports no SQL file that is missing, of another database, changed since its upload or without statements', async () => {
      const { upload_url: url, filename } = await init()
      const other = await create('others')
      const missing = [400, 7400, 'The file was not uploaded.']
      assert.deepEqual([await ingest(filename, SQL), await ingest('none', SQL)], [missing, missing])
      await upload(url, SQL)
      assert.deepEqual(await ingest(filename, SQL, other), missing)
      const changed = [400, 7400, 'The etag is not that of the uploaded file.']
      assert.deepEqual([await ingest(filename, `${SQL} `), await ingest(filename, '')], [changed, changed])
      await upload(url, '-- nothing')
      assert.deepEqual(await ingest(filename, '-- nothing'), [400, 7500, 'No SQL statements detected.'])
      assert.deepEqual(asked, [])
    })

    test('a D1 import returns the error of a statement that fails, and the file can be imported again', async () => {
      const { upload_url: url, filename } = await init()
      await upload(url, SQL)
      found = Response.json({ message: 'D1_ERROR: table a already exists' }, { status: 400 })
      assert.deepEqual(await ingest(filename, SQL), [400, 7500, 'table a already exists'])
      found = Response.json([result(0, 1, 1)])
      assert.equal(((await ingest(filename, SQL)) as { success: boolean }).success, true)
    })

    test('a D1 export is downloaded from a unique URL without a token, and has only the requested tables and parts', async () => {
      found = Response.json([['CREATE TABLE a (b);', 'INSERT INTO a VALUES (1);']])
      const exportFile = (options?: object) =>
        call('POST', '/export', { output_format: 'polling', ...(options && { dump_options: options }) })
      const made = (await exportFile({ no_data: true, tables: ['a'] })) as {
        result: { filename: string; signed_url: string }
      }
      await exportFile()
      assert.deepEqual(asked, [
        { do: 'dump', body: [false, true, 'a'] },
        { do: 'dump', body: [false, false] },
      ])
      assert.equal(made.result.filename, 'books.sql')
      const response = await cloud.send(pathOf(made.result.signed_url), {
        method: 'GET',
        headers: { authorization: '' },
      })
      assert.deepEqual(
        [response.status, response.headers.get('content-type'), await response.text()],
        [200, 'application/sql', 'CREATE TABLE a (b);\nINSERT INTO a VALUES (1);'],
      )
    })

    test('the URL of a D1 import file returns 404 before the upload and after the deletion of the database', async () => {
      const { upload_url: url } = await init()
      const get = async (path: string) => (await cloud.send(path, { method: 'GET' })).status
      const unknown = pathOf(url).replace(/[^/]+$/, 'd1_none')
      assert.deepEqual(
        [await get(pathOf(url)), await get(unknown), await upload(`http://x${unknown}`, 'x')],
        [404, 404, [404, null]],
      )
      await upload(url, SQL)
      assert.equal(await get(pathOf(url)), 200)
      await call('DELETE', '')
      assert.deepEqual([await get(pathOf(url)), await upload(url, SQL)], [404, [404, null]])
    })

    test('a D1 database of another account can be neither queried, imported nor exported', async () => {
      const { id } = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
      const { secret } = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 })
      for (const [path, body] of [
        ['query', { sql: 'SELECT 1' }],
        ['import', { action: 'init', etag: 'x' }],
        ['export', { output_format: 'polling' }],
      ] as const) {
        const answer = await cloud.call(
          'POST',
          `/accounts/${id}/d1/database/${database}/${path}`,
          body,
          secret,
        )
        assert.deepEqual([answer.status, answer.errors[0]?.code], [404, 7404])
      }
      assert.deepEqual(asked, [])
    })
  })
})
