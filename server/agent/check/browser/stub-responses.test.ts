import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Route } from 'playwright-core'
import type { Manifest } from '../../source/manifest.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { createResponder, STUB_ORIGIN, type ViewState } from './stub-responses.ts'

const webFile = (text: string, contentType: string) => ({ bytes: Buffer.from(text), contentType })
const WEB = {
  '/index.html': webFile('<html>', 'text/html; charset=utf-8'),
  '/assets/a.js': webFile('code', 'text/javascript; charset=utf-8'),
}
const MANIFEST = {
  collections: { tasks: { fields: { title: { type: 'text' } } } },
} as unknown as Manifest

/** Makes the page request an address. Returns the response, or the reason why the request was aborted. */
async function request(
  path: string,
  given: {
    method?: string
    web?: Record<string, ReturnType<typeof webFile>>
    app?: () => { status: number; body: string }
  } & Partial<ViewState> = {},
) {
  const asked: unknown[] = []
  const sandbox = {
    get: async (...args: unknown[]) => {
      asked.push(args)
      return given.app?.() ?? { status: 200, body: 'from the app' }
    },
  } as unknown as Sandbox
  let refusals = 0
  let outcome: unknown
  const respond = createResponder(
    { web: given.web ?? WEB, manifest: MANIFEST, sandbox },
    { hasRecords: given.hasRecords ?? true, isSignedIn: given.isSignedIn ?? true },
    () => void refusals++,
  )
  await respond({
    request: () => ({ url: () => new URL(path, STUB_ORIGIN).href, method: () => given.method ?? 'GET' }),
    abort: async (reason: string) => void (outcome = reason),
    fulfill: async ({
      status,
      contentType,
      body,
    }: {
      status: number
      contentType: string
      body: string | Buffer
    }) => {
      const text = body.toString()
      outcome = { status, contentType, body: contentType === 'application/json' ? JSON.parse(text) : text }
    },
  } as unknown as Route)
  return { outcome, asked, refusals }
}
const json = (body: unknown, status = 200) => ({ status, contentType: 'application/json', body })
const ok = (data: unknown) => json({ ok: true, data })
const failure = (status: number, code: string, message: string) =>
  json({ ok: false, error: { code, message } }, status)
const outcomeOf = async (...given: Parameters<typeof request>) => (await request(...given)).outcome
const record = (id: string, title: string | null) => ({
  id,
  ownerId: 'sample-person',
  rev: 1,
  createdAt: '2026-11-20T09:30:00.000Z',
  updatedAt: '2026-11-20T09:30:00.000Z',
  title,
})

describe('what a page gets from the check in place of a server', () => {
  test('during a page check a request of the page to another host, port or scheme is blocked', async () => {
    for (const url of [
      'https://evil.test/',
      'https://app.test:8443/',
      'http://app.test/',
      'https://app.test.evil.test/',
      'ws://app.test/',
    ])
      assert.deepEqual(await request(url), { outcome: 'blockedbyclient', asked: [], refusals: 0 })
  })

  test("during a page check the page gets the files of the app's bundle with their content types", async () => {
    assert.deepEqual(await outcomeOf('/assets/a.js?x=1'), {
      status: 200,
      contentType: 'text/javascript; charset=utf-8',
      body: 'code',
    })
  })

  test("a page check serves index.html for a path without a file, and the app's response for a server path without a stub", async () => {
    const page = { status: 200, contentType: 'text/html; charset=utf-8', body: '<html>' }
    for (const path of ['/', '/tasks/7', '/apish', '/_apple', '/%zz'])
      assert.deepEqual(await outcomeOf(path), page, path)
    const app = { status: 200, contentType: 'text/plain', body: 'from the app' }
    for (const path of ['/api/tasks?x=1', '/_app/hook/a']) {
      const { outcome, asked } = await request(path)
      assert.deepEqual([outcome, asked], [app, [['app', path, 2000]]])
    }
    assert.deepEqual(await outcomeOf('/about', { web: {} }), app)
  })

  test('during a page check a response of the app whose body begins like JSON is returned with the content type of JSON', async () => {
    for (const body of ['{"a":1}', ' [1]'])
      assert.deepEqual(
        await outcomeOf('/api/a', { app: () => ({ status: 201, body }) }),
        json(JSON.parse(body), 201),
      )
  })

  test('during a page check the page gets 503 when the app does not respond, and every status from 400 up is reported as refused', async () => {
    const silent = await request('/api/a', {
      app: () => {
        throw new Error('timeout')
      },
    })
    assert.deepEqual(
      [silent.outcome, silent.refusals],
      [failure(503, 'unavailable', 'The app did not respond.'), 1],
    )
    assert.equal((await request('/api/a', { app: () => ({ status: 400, body: '' }) })).refusals, 1)
    assert.equal((await request('/api/a', { app: () => ({ status: 399, body: '' }) })).refusals, 0)
  })

  test('a page check passes only GET requests on to the app; other requests fail, except reports of errors and events', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS'])
      assert.deepEqual(await request('/api/a', { method }), {
        outcome: failure(503, 'unavailable', 'Nothing is changed while a page is checked.'),
        asked: [],
        refusals: 1,
      })
    for (const path of ['/_app/error', '/_app/events'])
      assert.deepEqual(await request(path, { method: 'POST' }), { outcome: ok(null), asked: [], refusals: 0 })
  })

  test('during a page check the signed-in person is a sample person with the role staff, and null on a signed-out page', async () => {
    const { data } = ((await outcomeOf('/_app/auth/me')) as { body: { data: { id: string; role: string } } })
      .body
    assert.deepEqual([data.id, data.role], ['sample-person', 'staff'])
    assert.deepEqual(await outcomeOf('/_app/auth/me', { isSignedIn: false }), ok(null))
  })

  test('during a page check a list request returns three sample records, or none when the page is checked without records', async () => {
    const { data } = ((await outcomeOf('/_app/data/tasks')) as { body: { data: { items: object[] } } }).body
    assert.deepEqual(
      [data.items.slice(0, 2), data.items.length, { ...data, items: [] }],
      [[record('sample-id', 'Sample'), record('sample-2', null)], 3, { items: [], nextCursor: null, seq: 1 }],
    )
    assert.deepEqual(
      await outcomeOf('/_app/data/tasks', { hasRecords: false }),
      ok({ items: [], nextCursor: null, seq: 1 }),
    )
  })

  test('during a page check a filter by id selects among the sample records, and filters by other fields are ignored', async () => {
    const countOf = async (where: object) => {
      const path = `/_app/data/tasks?where=${encodeURIComponent(JSON.stringify(where))}`
      return ((await outcomeOf(path)) as { body: { data: { items: object[] } } }).body.data.items.length
    }
    assert.deepEqual(
      [await countOf({ id: 'sample-2' }), await countOf({ id: 'x' }), await countOf({ title: 'x' })],
      [1, 0, 3],
    )
  })

  test('during a page check a record id returns its sample record or a 404, and a count request returns the number of samples', async () => {
    assert.deepEqual(await outcomeOf('/_app/data/tasks/sample-id'), ok(record('sample-id', 'Sample')))
    const missing = await request('/_app/data/tasks/other')
    assert.deepEqual(
      [missing.outcome, missing.refusals],
      [failure(404, 'not_found', 'There is no such record.'), 1],
    )
    assert.deepEqual(await outcomeOf('/_app/data/tasks/count'), ok(3))
    assert.deepEqual(await outcomeOf('/_app/data/tasks/count', { hasRecords: false }), ok(0))
  })

  test('during a page check a search returns the sample records of the requested collection, whatever the search text', async () => {
    const { data } = (
      (await outcomeOf('/_app/data/search?collection=tasks&q=x')) as { body: { data: object[] } }
    ).body
    assert.deepEqual([data.length, data[0]], [3, record('sample-id', 'Sample')])
  })

  test('the sample records of an unknown collection, even one named constructor or __proto__, have only the built-in fields', async () => {
    const { title: _title, ...bare } = record('sample-id', null)
    for (const name of ['other', 'constructor', '__proto__'])
      assert.deepEqual(await outcomeOf(`/_app/data/${name}/sample-id`), ok(bare), name)
  })

  test('during a page check a request with a malformed URL or filter gets a 400 and does not make the check throw', async () => {
    const refused = failure(400, 'invalid_request', 'The address cannot be read.')
    for (const path of [
      '/_app/data/%zz',
      '/_app/data/tasks?where={',
      '/_app/data/tasks?where=7',
      '/_app/data/tasks?where=null',
    ])
      assert.deepEqual(await request(path), { outcome: refused, asked: [], refusals: 1 }, path)
  })
})
