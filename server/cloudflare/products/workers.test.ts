import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { CloudflareError } from '../errors.ts'
import { closeProviders, errorResponse, hangUp, okResponse, startProvider } from '../testing.ts'
import {
  addWorkerVersion,
  countObjects,
  deleteWorker,
  disableAddress,
  findNamespace,
  findWorkerVersion,
  hasAddress,
  listTagged,
  readBindings,
  readServing,
  serveVersion,
  setSecrets,
} from './workers.ts'

const SCRIPT = '/accounts/acc/workers/scripts/app'
const missing = errorResponse(404, 10007, 'This Worker does not exist on your account.')
const UPLOAD = {
  mainModule: 'index.js',
  modules: { 'index.js': 'export default {}' },
  bindings: [],
  tags: [],
  compatibility: { date: '2026-07-01', flags: [] },
  annotations: { tag: 'dep_1', message: 'm' },
}
const versionsResponse = (...tags: string[]) =>
  okResponse({ items: tags.map((tag, i) => ({ id: `v${i}`, annotations: { 'workers/tag': tag } })) })

describe('the workers of a Cloudflare account', () => {
  after(closeProviders)

  test('the deployed version of a worker is the first version of its newest deployment, or null if it has no deployment', async () => {
    const { cloud, calls } = await startProvider(
      okResponse({
        deployments: [
          {
            id: 'd2',
            versions: [
              { version_id: 'v2', percentage: 90 },
              { version_id: 'v1', percentage: 10 },
            ],
          },
          { id: 'd1', versions: [{ version_id: 'v1', percentage: 100 }] },
        ],
      }),
      okResponse({ deployments: [] }),
      okResponse({ deployments: [{ id: 'd1', versions: [] }] }),
      missing,
    )
    assert.deepEqual(await readServing(cloud, 'app'), { versionId: 'v2' })
    assert.deepEqual(await readServing(cloud, 'app'), { versionId: null })
    assert.deepEqual(await readServing(cloud, 'app'), { versionId: null })
    assert.equal(await readServing(cloud, 'app'), null)
    assert.deepEqual(calls(), Array(4).fill(`GET ${SCRIPT}/deployments`))
  })

  test('a worker version that Cloudflare refuses is not looked up and not uploaded again', async () => {
    const { cloud, seen, records } = await startProvider(errorResponse(400, 10021, 'Uncaught Error: x'))
    await assert.rejects(addWorkerVersion(cloud, 'app', UPLOAD), {
      message: 'The cloud account refused to upload a version of the worker app: Uncaught Error: x.',
    })
    assert.deepEqual(seen, [`POST ${SCRIPT}/versions`])
    assert.deepEqual(records, ['worker.version app failed'])
  })

  test('a worker version whose upload was lost before it arrived is uploaded once more', async () => {
    const { cloud, seen, records } = await startProvider(
      hangUp,
      versionsResponse('dep_0'),
      okResponse({ id: 'v9' }),
    )
    assert.equal(await addWorkerVersion(cloud, 'app', UPLOAD), 'v9')
    assert.deepEqual(seen, [`POST ${SCRIPT}/versions`, `GET ${SCRIPT}/versions`, `POST ${SCRIPT}/versions`])
    assert.deepEqual(records, ['worker.version app failed', 'worker.version app ok'])
  })

  test('a worker version is found by its tag when the response to its upload has an unexpected form', async () => {
    const { cloud, seen } = await startProvider(okResponse({}), versionsResponse('dep_0', 'dep_1'))
    assert.equal(await addWorkerVersion(cloud, 'app', UPLOAD), 'v1')
    assert.equal(seen.length, 2)
  })

  test('a worker version upload whose response is lost twice throws an error that says that the outcome is unknown', async () => {
    const { cloud, seen } = await startProvider(hangUp, versionsResponse(), hangUp)
    await assert.rejects(
      addWorkerVersion(cloud, 'app', UPLOAD),
      (error: CloudflareError) => !error.isClear && error.retryable,
    )
    assert.equal(seen.length, 3)
  })

  test('looking up a worker version by its tag returns null when no version is annotated or the worker does not exist', async () => {
    const { cloud, calls } = await startProvider(
      okResponse({ items: [{ id: 'v0' }, { id: 'v1', annotations: null }, { id: 'v2', annotations: {} }] }),
      missing,
    )
    assert.equal(await findWorkerVersion(cloud, 'app', 'dep_1'), null)
    assert.equal(await findWorkerVersion(cloud, 'app', 'dep_1'), null)
    assert.deepEqual(calls(), Array(2).fill(`GET ${SCRIPT}/versions?deployable=true`))
  })

  test('a deployed worker version receives all requests, and the deployment call is retried after a lost response', async () => {
    const { cloud, calls, records } = await startProvider(hangUp, okResponse({ id: 'd1' }))
    await serveVersion(cloud, 'app', 'v1', 'ship')
    const call = [
      `POST ${SCRIPT}/deployments`,
      {
        strategy: 'percentage',
        versions: [{ version_id: 'v1', percentage: 100 }],
        annotations: { 'workers/message': 'ship' },
      },
    ]
    assert.deepEqual(calls(), [call, call])
    assert.deepEqual(records, ['worker.deploy app ok'])
  })

  test('looking up the workers.dev address of a missing worker returns null, and disabling that address succeeds', async () => {
    const { cloud, calls, records } = await startProvider(
      okResponse({ enabled: true }),
      okResponse({ enabled: false }),
      missing,
      okResponse({ enabled: false }),
      missing,
    )
    const read = [
      await hasAddress(cloud, 'app'),
      await hasAddress(cloud, 'app'),
      await hasAddress(cloud, 'app'),
    ]
    assert.deepEqual(read, [true, false, null])
    await disableAddress(cloud, 'app')
    await disableAddress(cloud, 'app')
    const takeOff = [`POST ${SCRIPT}/subdomain`, { enabled: false, previews_enabled: false }]
    assert.deepEqual(calls().slice(3), [takeOff, takeOff])
    assert.deepEqual(records, Array(2).fill('worker.offline app ok'))
  })

  test('the bindings of a worker are read without the values of secrets, and are null when the worker does not exist', async () => {
    const bindings = [
      { type: 'plain_text', name: 'TIER', text: 'production' },
      { type: 'secret_text', name: 'KEY' },
    ]
    const { cloud } = await startProvider(okResponse({ bindings }), missing)
    assert.deepEqual(await readBindings(cloud, 'app'), bindings)
    assert.equal(await readBindings(cloud, 'app'), null)
  })

  test('setting the secrets of a worker removes all its other secrets, even one named constructor', async () => {
    const names = ['OLD', 'KEPT', 'constructor']
    const { cloud, calls, records } = await startProvider(
      okResponse(names.map((name) => ({ name }))),
      okResponse(null),
    )
    await setSecrets(cloud, 'app', { KEPT: 'a', NEW: 'b' })
    assert.deepEqual(calls(), [
      `GET ${SCRIPT}/secrets`,
      [
        `PATCH ${SCRIPT}/secrets-bulk`,
        {
          secrets: {
            OLD: null,
            constructor: null,
            KEPT: { type: 'secret_text', name: 'KEPT', text: 'a' },
            NEW: { type: 'secret_text', name: 'NEW', text: 'b' },
          },
        },
      ],
    ])
    assert.deepEqual(records, ['worker.secrets app ok'])
  })

  test('setting no secrets for a worker without secrets changes nothing in the account', async () => {
    const { cloud, seen, records } = await startProvider(okResponse([]))
    await setSecrets(cloud, 'app', {})
    assert.deepEqual(seen, [`GET ${SCRIPT}/secrets`])
    assert.deepEqual(records, [])
  })

  test('deleting a worker deletes its Durable Objects, succeeds when the worker does not exist, and encodes the name in the URL', async () => {
    const { cloud, requests, records } = await startProvider(okResponse(null), missing)
    await deleteWorker(cloud, 'a/b?c')
    await deleteWorker(cloud, 'a/b?c')
    assert.deepEqual(
      requests.map(({ method, url }) => `${method} ${url}`),
      Array(2).fill('DELETE /accounts/acc/workers/scripts/a%2Fb%3Fc?force=true'),
    )
    assert.deepEqual(records, Array(2).fill('worker.delete a/b?c ok'))
  })

  test('listing workers by a tag returns only the workers with that tag', async () => {
    const { cloud } = await startProvider(
      okResponse([
        { id: 'a', tags: ['slipway', 'prj_1'] },
        { id: 'b', tags: null },
        { id: 'c' },
        { id: 'd', tags: ['prj_10'] },
      ]),
    )
    assert.deepEqual(await listTagged(cloud, 'prj_1'), ['a'])
  })

  test('the Durable Object namespace of a class is found on a later page, and the search ends at the first page that is not full', async () => {
    const full = okResponse(
      Array.from({ length: 1000 }, (_, i) => ({ id: `n${i}`, class: 'Room', script: `other-${i}` })),
    )
    const last = okResponse([
      { id: 'wrong-class', class: 'Timer', script: 'app' },
      { id: 'deleted', class: null, script: null },
      { id: 'right', class: 'Room', script: 'app' },
    ])
    const { cloud, calls } = await startProvider(full, last)
    assert.equal(await findNamespace(cloud, 'app', 'Room'), 'right')
    const path = 'GET /accounts/acc/workers/durable_objects/namespaces'
    assert.deepEqual(calls(), [`${path}?page=1&per_page=1000`, `${path}?page=2&per_page=1000`])
    const none = await startProvider(full, okResponse([]))
    assert.equal(await findNamespace(none.cloud, 'app', 'Room'), null)
    assert.equal(none.seen.length, 2)
  })

  test('Durable Objects are counted unless Cloudflare says that they store nothing', async () => {
    const { cloud, calls } = await startProvider(
      okResponse([{ hasStoredData: true }, { hasStoredData: false }, { hasStoredData: null }, {}]),
    )
    assert.equal(await countObjects(cloud, 'ns'), 3)
    assert.deepEqual(calls(), ['GET /accounts/acc/workers/durable_objects/namespaces/ns/objects?limit=1000'])
  })
})
