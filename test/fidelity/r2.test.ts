import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { api, askApp, missingRoutes, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { projectWith, wrangler, writeFiles } from './wrangler.ts'

const configWith = (extra: object) =>
  JSON.stringify({ name: 'shelf', main: 'index.js', compatibility_date: '2026-06-01', ...extra })

const BOUND = { r2_buckets: [{ binding: 'BOOKS', bucket_name: 'books' }] }

const SOURCE = `
export default {
  async fetch(request, env) {
    const key = decodeURIComponent(new URL(request.url).pathname.slice(1))
    const object = await env.BOOKS.get(key)
    if (object === null) return new Response('none', { status: 404 })
    return Response.json({ text: await object.text(), type: object.httpMetadata.contentType })
  },
}`

describe('R2 of the local cloud, used by the real wrangler', () => {
  let world: TestWorld
  let project: string
  before(async () => {
    world = await startTestWorld()
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

  test('wrangler creates an R2 bucket once, lists it and describes it', async () => {
    await runWrangler('r2', 'bucket', 'create', 'books')
    assert.match(await runRefused('r2', 'bucket', 'create', 'books'), /already exists/)
    assert.match(await runWrangler('r2', 'bucket', 'list'), /books/)
    assert.match(await runWrangler('r2', 'bucket', 'info', 'books'), /WEUR/)
    assert.match(await runRefused('r2', 'bucket', 'create', 'Not_A_Name'), /not valid|invalid/i)
  })

  test('wrangler puts a file into an R2 bucket, gets the same bytes, and deletes it', async () => {
    const bytes = randomBytes(300_000)
    writeFileSync(join(project, 'in.bin'), bytes)
    await runWrangler('r2', 'object', 'put', 'books/deep/er.bin', '--file', 'in.bin', '--remote')
    await runWrangler('r2', 'object', 'get', 'books/deep/er.bin', '--file', 'out.bin', '--remote')
    const sha256 = (data: Uint8Array) => createHash('sha256').update(data).digest('hex')
    assert.equal(sha256(readFileSync(join(project, 'out.bin'))), sha256(bytes))
    await runWrangler('r2', 'object', 'delete', 'books/deep/er.bin', '--remote')
    await runRefused('r2', 'object', 'get', 'books/deep/er.bin', '--file', 'gone.bin', '--remote')
  })

  test('a worker reads objects that were stored in its bucket before and after the bucket was bound', async () => {
    writeFiles(project, { 'one.txt': 'chapter one', 'two.txt': 'chapter two' })
    const putBook = (key: string, file: string) =>
      runWrangler(
        'r2',
        'object',
        'put',
        `books/${key}`,
        '--file',
        file,
        '--content-type',
        'text/x-book',
        '--remote',
      )
    await putBook('one', 'one.txt')
    writeFiles(project, { 'wrangler.jsonc': configWith(BOUND) })
    await runWrangler('deploy')
    await putBook('two', 'two.txt')
    for (const [key, text] of [
      ['one', 'chapter one'],
      ['two', 'chapter two'],
    ]) {
      const answer = await askApp(world, 'shelf', `/${key}`)
      assert.deepEqual(JSON.parse(answer.text), { text, type: 'text/x-book' })
    }
  })

  test('R2 objects survive a restart of the local Cloudflare emulator, and are listed by prefix and cursor', async () => {
    await world.stop()
    await world.start()
    const listBooks = async (query: string) => {
      const answer = await api(world, 'GET', `/r2/buckets/books/objects?${query}`)
      return answer as typeof answer & { result_info: { cursor?: string; is_truncated: boolean } }
    }
    const keysOf = (answer: { result: unknown }) => (answer.result as { key: string }[]).map(({ key }) => key)
    const first = await listBooks('per_page=1')
    assert.deepEqual([keysOf(first), first.result_info.is_truncated], [['one'], true])
    const second = await listBooks(`per_page=1&cursor=${encodeURIComponent(first.result_info.cursor ?? '')}`)
    assert.deepEqual([keysOf(second), second.result_info.is_truncated], [['two'], false])
    assert.deepEqual(keysOf(await listBooks('prefix=tw')), ['two'])
  })

  test('only an empty R2 bucket can be deleted, and a new bucket with the same name is empty', async () => {
    assert.match(await runRefused('r2', 'bucket', 'delete', 'books'), /not empty/)
    for (const key of ['one', 'two']) await runWrangler('r2', 'object', 'delete', `books/${key}`, '--remote')
    await runWrangler('delete', '--force')
    await runWrangler('r2', 'bucket', 'delete', 'books')
    assert.doesNotMatch(await runWrangler('r2', 'bucket', 'list'), /books/)
    await runWrangler('r2', 'bucket', 'create', 'books')
    assert.deepEqual((await api(world, 'GET', '/r2/buckets/books/objects')).result, [])
  })

  test('a worker bound to an R2 bucket that does not exist is refused', async () => {
    // Upload without wrangler, which would create the bucket.
    const form = workerUpload(SOURCE, {
      bindings: [{ type: 'r2_bucket', name: 'BOOKS', bucket_name: 'no-such-bucket' }],
    })
    const answer = await api(world, 'PUT', '/workers/scripts/shelf', form)
    assert.deepEqual([answer.status, answer.errors[0]?.code], [400, 10085])
  })

  test('the local Cloudflare emulator implements every R2 route that wrangler called in these tests', async () => {
    assert.deepEqual(await missingRoutes(world, 20), [])
  })
})
