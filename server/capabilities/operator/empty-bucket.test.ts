import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { bodyResponse, closeProviders, cutShort, hangUp, startProvider } from '../../cloudflare/testing.ts'
import { newId } from '../../lib/ids.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'
import { emptyBuckets } from './empty-bucket.ts'

const UPLOADS = 'plants-assets'
const FILES = 'plants-files'

type Answer = Parameters<typeof startProvider>[0]
const removing = (removed: number, isEmpty: boolean): Answer =>
  bodyResponse({ ok: true, data: { removed, isEmpty } })
describe('emptying the buckets of a project', () => {
  let app: TestApp
  before(async () => {
    app = await testApp({ localWorld: false })
  })
  after(async () => {
    await app.close()
    await closeProviders()
  })

  /** Empties the bucket through its worker, which responds like this in turn. */
  async function empty(
    bucket: string,
    answers: Answer[],
    { workers = [bucket === UPLOADS ? UPLOADS : 'plants-admin'], signal = new AbortController().signal } = {},
  ) {
    const person = await app.signUp()
    const { data } = await person.call<{ id: string }>('POST /projects', { name: 'Plants' })
    app.effects.prepared({ events: { 'project.created': 1 } })
    const project = { id: data.id, org_id: person.organizationId, name: 'Plants' }
    // A name is unique in an account, and the tests of this file share one database.
    const account = { account_id: project.id, name: bucket }
    const { db, clock } = app.platform
    const now = clock.now()
    await db
      .insertInto('resources')
      .values({
        ...account,
        id: newId('res'),
        org_id: project.org_id,
        project_id: project.id,
        capability: null,
        tier: 'shared',
        kind: 'bucket',
        provider_id: null,
        state: 'ok',
        version_id: null,
        detail: null,
        updated_at: now,
        created_at: now,
      })
      .execute()
    const { options, requests } = await startProvider(...answers)
    const requireCloud = async () => ({
      id: 'con',
      account_id: project.id,
      subdomain: 'demo',
      endpoints: { ...app.config.cloudflare, appUrl: () => options.api },
      credential: () => options.credential,
    })
    const platform = { ...app.platform, accounts: { ...app.platform.accounts, requireCloud } }
    const rows = [
      { ...account, kind: 'bucket' },
      ...workers.map((name) => ({ ...account, name, kind: 'worker' })),
    ]
    const removed = await emptyBuckets(platform, project, rows, { actor: 'Ada', signal })
    const { data: log } = await person.call<{ items: { action: string; detail: string | null }[] }>(
      'GET /activity',
    )
    return {
      removed,
      calls: requests.map(({ method, url }) => `${method} ${url}`),
      recorded: log.items.filter(({ action }) => action === 'bucket.empty').map(({ detail }) => detail),
    }
  }

  test('a bucket is emptied in several calls through its worker, and the activity log has one entry with the number of objects', async () => {
    leaves({ activity: { 'bucket.empty': 2 } })
    const answers = [removing(1000, false), removing(1000, false), removing(7, true)]
    for (const [bucket, path] of [
      [UPLOADS, '/'],
      [FILES, '/files/objects'],
    ] as const)
      assert.deepEqual(await empty(bucket, answers), {
        removed: 2007,
        calls: Array(3).fill(`DELETE ${path}`),
        recorded: ['2007 objects'],
      })
  })

  test('emptying a bucket that is already empty leaves no entry in the activity log', async () => {
    assert.deepEqual((await empty(UPLOADS, [removing(0, true)])).recorded, [])
  })

  for (const [what, answer] of [
    ['with an error page', bodyResponse('<h1>Bad gateway</h1>', 502)],
    ['with a page that has a success status', bodyResponse('<h1>There is nothing here yet</h1>')],
    ['with another format', bodyResponse({ ok: true, data: { removed: -1, isEmpty: 'no' } })],
    ['with a refusal', bodyResponse({ ok: false, error: { code: 'unauthorized', message: 'No.' } }, 401)],
    ['without an end', cutShort()],
    ['by closing the connection', hangUp],
  ] as const)
    test(`a worker that responds ${what} ends the emptying of its bucket, and objects already removed are recorded`, async () => {
      leaves({ activity: { 'bucket.empty': 2 } })
      for (const bucket of [UPLOADS, FILES]) {
        const { removed, recorded } = await empty(bucket, [removing(1000, false), answer])
        assert.deepEqual([removed, recorded], [1000, ['1000 objects']], bucket)
      }
    })

  test('a worker that removes no object although its bucket is not empty is not called again', async () => {
    leaves({ activity: { 'bucket.empty': 2 } })
    for (const bucket of [UPLOADS, FILES]) {
      const signal = AbortSignal.timeout(20_000)
      const { calls, removed } = await empty(bucket, [removing(3, false), removing(0, false)], { signal })
      assert.deepEqual([calls.length, removed], [2, 3])
    }
  })

  test('a bucket of an unknown name, or without its worker, is not emptied through a worker', async () => {
    for (const [bucket, workers] of [
      [UPLOADS, []],
      [FILES, [UPLOADS]],
      ['plants', ['plants']],
    ] as const)
      assert.deepEqual(await empty(bucket, [removing(1, true)], { workers: [...workers] }), {
        removed: 0,
        calls: [],
        recorded: [],
      })
  })

  test('when emptying a bucket is aborted, no further call is made', async () => {
    const { calls } = await empty(FILES, [removing(1, false)], { signal: AbortSignal.abort() })
    assert.deepEqual(calls, [])
  })
})
