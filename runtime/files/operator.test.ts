import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { Hono } from 'hono'
import { MemoryBucket } from '../bytes/bucket.test.fixture.ts'
import type { AdminContext } from '../kernel/objects/admin.ts'
import type { Tier } from '../kernel/objects/objects.ts'
import { importInWorkerd } from '../kernel/objects/workerd.test.fixture.ts'

const importOperator = () =>
  importInWorkerd(() => Promise.all([import('./operator.ts'), import('../kernel/worker/envelope.ts')]))

const LIMIT = 'limit: must be a whole number from 1 to 1000'

describe('the files of an app, as its operator sees them', () => {
  let modules: Awaited<ReturnType<typeof importOperator>>
  let bucket: MemoryBucket
  let preview: MemoryBucket
  before(async () => {
    modules = await importOperator()
  })
  beforeEach(() => {
    bucket = new MemoryBucket()
    preview = new MemoryBucket()
    preview.store('f/of-preview', 'preview')
  })
  const ask = (
    path: string,
    tier: Tier = 'production',
    env: object = { FILES: bucket, FILES_PREVIEW: preview },
  ) => {
    const [{ operator }, { errorResponse }] = modules
    return new Hono<AdminContext>()
      .use(async (c, next) => {
        c.set('tier', tier)
        await next()
      })
      .route('/', operator)
      .onError((error, c) => errorResponse(error, c.req.path))
      .request(path, {}, env)
  }
  async function list(query: string, tier?: Tier, env?: object) {
    const answer = (await (await ask(`/objects?${query}`, tier, env)).json()) as {
      ok: boolean
      data: { items: { key: string; name: string }[]; nextCursor: string | null }
      error: object
    }
    return answer.ok ? answer.data : answer.error
  }
  const keys = async (query: string) => {
    const { items, nextCursor } = (await list(query)) as {
      items: { key: string }[]
      nextCursor: string | null
    }
    return { keys: items.map(({ key }) => key), nextCursor }
  }
  /** Reads the whole list, page by page. */
  async function pages(limit: number): Promise<string[][]> {
    const all: string[][] = []
    let cursor: string | null = null
    do {
      const page = await keys(
        `limit=${limit}${cursor === null ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
      )
      all.push(page.keys)
      cursor = page.nextCursor
    } while (cursor !== null)
    return all
  }
  const errorWith = (code: string, message: string, field?: string) => ({
    code,
    message,
    ...(field !== undefined && { field }),
  })

  test("the operator's file list shows each file's name, size, type, owner and upload time, as far as they are stored", async () => {
    bucket.store('f/1', 'one', {
      httpMetadata: { contentType: 'image/png' },
      customMetadata: { name: 'A%20%C3%A9.png', owner: 'u_1' },
    })
    bucket.store('f/2', 'zwei', { customMetadata: { name: '100%' } })
    bucket.store('f/3', '')
    const unknown = { contentType: 'application/octet-stream', ownerId: null }
    const UPLOADED = '2026-11-20T10:00:00.00'
    assert.deepEqual(await list('limit=5'), {
      items: [
        {
          key: 'f/1',
          name: 'A é.png',
          contentType: 'image/png',
          ownerId: 'u_1',
          size: 3,
          uploadedAt: `${UPLOADED}0Z`,
        },
        { key: 'f/2', name: 'f/2', ...unknown, size: 4, uploadedAt: `${UPLOADED}1Z` },
        { key: 'f/3', name: 'f/3', ...unknown, size: 0, uploadedAt: `${UPLOADED}2Z` },
      ],
      nextCursor: null,
    })
  })

  test("the operator's file list has only the files of the requested tier, without resized copies of pictures", async () => {
    for (const key of ['f/1', 'w/256/f/1', 'pv/f/1']) bucket.store(key, key)
    assert.deepEqual((await keys('limit=5')).keys, ['f/1'])
    assert.deepEqual(
      ((await list('limit=5', 'preview')) as { items: { key: string }[] }).items[0]?.key,
      'f/of-preview',
    )
  })

  test("the pages of the operator's file list contain each file once, even when the bucket returns short pages", async () => {
    for (const name of 'abcdefg') bucket.store(`f/${name}`, name)
    for (const pageMax of [1, 2, 3, 1000]) {
      bucket.pageMax = pageMax
      assert.deepEqual(await pages(3), [['f/a', 'f/b', 'f/c'], ['f/d', 'f/e', 'f/f'], ['f/g']])
      assert.deepEqual(await pages(7), [['f/a', 'f/b', 'f/c', 'f/d', 'f/e', 'f/f', 'f/g']])
    }
  })

  test('removing files while the operator pages through the file list does not hide another file', async () => {
    for (const name of 'abcd') bucket.store(`f/${name}`, name)
    const { nextCursor } = await keys('limit=2')
    for (const name of 'ab') bucket.objects.delete(`f/${name}`)
    assert.deepEqual(await keys(`limit=2&cursor=${nextCursor}`), { keys: ['f/c', 'f/d'], nextCursor: null })
  })

  test('a file list page of 1,000 files, the largest allowed, requests no more objects than a bucket returns at once', async () => {
    await list('limit=1000')
    assert.deepEqual(bucket.asked, [
      { prefix: 'f/', limit: 1000, include: ['httpMetadata', 'customMetadata'] },
    ])
  })

  test("the operator's file list ends when the bucket returns an empty page but claims that more objects follow", async () => {
    bucket.store('f/1', 'one')
    bucket.isStuck = true
    assert.deepEqual(await list('limit=5'), { items: [], nextCursor: null })
  })

  test("the operator's file list refuses an invalid limit or cursor", async () => {
    for (const limit of ['', '0', '1001', '1.5', 'x', '-1'])
      assert.deepEqual(await list(`limit=${limit}`), errorWith('invalid_request', LIMIT, 'limit'))
    assert.deepEqual(await list(''), errorWith('invalid_request', LIMIT, 'limit'))
    for (const cursor of ['', 'x', '!', btoa('w/256/f/1'), btoa('%'), btoa('%E0%A4%A')])
      assert.deepEqual(
        await list(`limit=5&cursor=${encodeURIComponent(cursor)}`),
        errorWith('invalid_request', 'cursor: is not a cursor of this list', 'cursor'),
      )
  })

  test("the operator gets a file's stored bytes, with headers that keep a browser from running it as a page", async () => {
    bucket.store('f/1', '<script>', { httpMetadata: { contentType: 'text/html' } })
    const answer = await ask('/object?key=f%2F1')
    assert.deepEqual([answer.status, await answer.text()], [200, '<script>'])
    assert.equal(answer.headers.get('content-security-policy'), "sandbox; default-src 'none'")
    assert.equal(answer.headers.get('x-content-type-options'), 'nosniff')
  })

  test('the operator cannot read objects of the files bucket that are not uploaded files', async () => {
    for (const key of ['w/256/f/1', 'secret']) bucket.store(key, key)
    for (const key of ['f%2Fmissing', 'w%2F256%2Ff%2F1', 'secret', '']) {
      const answer = await ask(`/object?key=${key}`)
      assert.equal(answer.status, 404)
    }
    assert.equal((await ask('/object')).status, 404)
  })

  test("the operator's file list of a tier without a bucket fails with not_enabled", async () => {
    const off = errorWith('not_enabled', 'The capability files is off.')
    assert.deepEqual(await list('limit=5', 'preview', { FILES: bucket }), off)
    assert.deepEqual(await list('limit=5', 'production', { FILES_PREVIEW: preview }), off)
  })
})
