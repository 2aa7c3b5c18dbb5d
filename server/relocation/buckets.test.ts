import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { capability } from '../capability-declaration/capability.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { deleteWorker, enableAddress, putWorker } from '../cloudflare/products/workers.ts'
import { until } from '../releases/testing.ts'
import type { Client } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'
import { type AppInAccount, readObjectPage } from './app-transfer.ts'
import { copyObject } from './copy-object.ts'
import { MOVE_EFFECTS, type MovesApp, openMovesApp } from './testing.ts'

/** A worker with which a test stores and reads objects of a bucket, as code of an app can. */
const BUCKET_WORKER = `export default {
  async fetch(request, { BUCKET }) {
    const { pathname, searchParams } = new URL(request.url)
    const key = decodeURIComponent(pathname.slice(1))
    if (request.method === 'DELETE') await BUCKET.delete(key)
    if (request.method === 'PUT') {
      const { httpMetadata: { cacheExpiry, ...http } = {}, customMetadata = {} } = JSON.parse(searchParams.get('metadata'))
      const httpMetadata = { ...http, ...(cacheExpiry && { cacheExpiry: new Date(cacheExpiry) }) }
      await BUCKET.put(key, await request.arrayBuffer(), { httpMetadata, customMetadata })
    }
    if (request.method === 'POST')
      for (let n = 0; n < Number(searchParams.get('count')); n++) await BUCKET.put(key + n, 'object ' + n)
    const object = request.method === 'GET' ? await BUCKET.get(key) : null
    if (object === null) return new Response(null, { status: request.method === 'GET' ? 404 : 200 })
    const { httpMetadata, customMetadata } = object
    return new Response(object.body, { headers: { metadata: JSON.stringify({ httpMetadata, customMetadata }) } })
  },
}`

interface Metadata {
  httpMetadata?: object
  customMetadata?: Record<string, string>
}

describe('moving an app whose capabilities have buckets', () => {
  let it: MovesApp
  const meter = capabilityOf('meter')
  const declared = { ...meter }
  before(async () => {
    // Makes `meter` a capability that declares a bucket and has no other code for it, as a new capability may.
    Object.assign(meter, capability({ ...declared, resources: () => [], bucket: { copiedElsewhere: [] } }))
    it = await openMovesApp()
  })
  after(async () => {
    Object.assign(meter, declared)
    await it.close()
  })

  /** Deploys and waits until the deployment has ended, because the request may return earlier. */
  async function ship(person: Client, path: string) {
    await it.ship(person, path)
    await until(async () => (await it.stateOf(person, path)).state !== 'deploying', 240_000)
    return it.stateOf(person, path)
  }

  /** Opens a bucket in an account of the person's organization. */
  async function openBucket(person: Client, accountId: string, name: string) {
    const account = await it.app.platform.accounts.openCloud({
      orgId: person.organizationId,
      actor: 'by hand',
      accountId,
    })
    const worker = `${name}-hand`
    await putWorker(account, worker, {
      mainModule: 'index.js',
      modules: { 'index.js': BUCKET_WORKER },
      bindings: [{ type: 'r2_bucket', name: 'BUCKET', bucket_name: name }],
      tags: [],
      compatibility: { date: '2026-06-01', flags: [] },
      annotations: { tag: 'hand', message: 'by hand' },
    })
    await enableAddress(account, worker)
    const call = (
      key: string,
      init: Parameters<typeof cloudFetch>[1],
      query: Record<string, string> = {},
    ) => {
      const url = `${account.appUrl(worker)}/${encodeURIComponent(key)}?${new URLSearchParams(query).toString()}`
      return cloudFetch(url, init)
    }
    return {
      put: async (key: string, body: Buffer<ArrayBuffer> | string, metadata: Metadata = {}) => {
        const answer = await call(key, { method: 'PUT', body }, { metadata: JSON.stringify(metadata) })
        assert.equal(answer.status, 200, await answer.text())
      },
      fill: async (count: number) => {
        assert.equal((await call('', { method: 'POST' }, { count: String(count) })).status, 200)
      },
      remove: (key: string) => call(key, { method: 'DELETE' }),
      read: async (key: string) => {
        const answer = await call(key, { method: 'GET' })
        const bytes = Buffer.from(await answer.arrayBuffer())
        if (answer.status === 404) return null
        return { bytes, metadata: JSON.parse(answer.headers.get('metadata') ?? '') as Metadata }
      },
      close: () => deleteWorker(account, worker),
    }
  }

  test('a retried move copies the current objects that app code stored, with their metadata, but no bytes of deleted files', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'bucket.empty': 'some',
        'worker.offline': 'some',
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, project, path, from } = await it.liveProject('Raw')
    const former = await openBucket(person, from, `${project.slug}-files`)
    const large = randomBytes(7 * 1024 * 1024)
    const metadata = {
      httpMetadata: {
        contentType: 'text/plain',
        contentLanguage: 'de',
        cacheControl: 'max-age=60',
        cacheExpiry: '2030-01-02T03:04:05.000Z',
      },
      customMetadata: { made: 'by hand' },
    }
    await former.put('backups/a größe&?.txt', 'a backup', metadata)
    await former.put('backups/large', large)
    await former.put('empty', '', metadata)
    // The key looks like the key of a picture's smaller copy, but the object is not such a copy.
    await former.put('w/logo.png', 'a logo')
    for (const key of ['deleted', 'replaced']) await former.put(key, 'first')
    // The bytes of a deleted picture, which remain for a while, and the smaller copy of the picture.
    const left = ['f/u_a/deleted', 'w/64/f/u_a/deleted']
    for (const key of left) await former.put(key, 'deleted')
    const { id, token } = await it.realAccount()
    await it.paste(person, token)
    // The failure comes after the copy is complete, so the next attempt finds the objects that this attempt has copied.
    await it.order({ path: '/assets-upload-session', account: id, times: 9 }, { status: 403 })
    const failed = await ship(person, path)
    assert.deepEqual([failed.state, failed.move?.files], ['error', 6])
    await it.clearFaults()
    await former.put('replaced', 'second')
    await former.remove('deleted')
    await former.close()
    const shipped = await ship(person, path)
    assert.equal(shipped.state, 'live', shipped.error ?? '')
    const moved = await openBucket(person, id, `${project.slug}-files`)
    const text = await moved.read('backups/a größe&?.txt')
    assert.deepEqual([text?.bytes.toString(), text?.metadata], ['a backup', metadata])
    assert.ok((await moved.read('backups/large'))?.bytes.equals(large))
    assert.equal((await moved.read('w/logo.png'))?.bytes.toString(), 'a logo')
    const empty = await moved.read('empty')
    assert.deepEqual([empty?.bytes.length, empty?.metadata], [0, metadata])
    assert.equal((await moved.read('replaced'))?.bytes.toString(), 'second')
    for (const key of ['deleted', ...left]) assert.equal(await moved.read(key), null, key)
    await it.settled(person, path)
    assert.deepEqual(await it.heldBy(person, from, project), [])
  })

  test('an object that app code replaces after a move has listed it is reported as changed, and not copied in part', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 'some',
        'bucket.create': 'some',
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.delete': 1,
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some', provision: 'some' },
    })
    const { person, project, from } = await it.liveProject('Changing')
    const { platform } = it.app
    const named = { ...project, org_id: person.organizationId, accountId: from }
    const app: AppInAccount = { platform, project: named, signal: AbortSignal.timeout(60_000) }
    const bucket = await openBucket(person, from, `${project.slug}-files`)
    const changes = { longer: 'a longer text', shorter: 'a', emptied: '', filled: 'text' }
    for (const key of [...Object.keys(changes), 'removed', 'same'])
      await bucket.put(key, key === 'filled' ? '' : 'a text')
    const listed = (await readObjectPage(app, 'files', null))?.items ?? []
    for (const [key, text] of Object.entries(changes)) await bucket.put(key, text)
    await bucket.remove('removed')
    const results = await Promise.all(
      listed.map(async (object) => [object.key, await copyObject(app, app, { bucket: 'files', object })]),
    )
    assert.deepEqual(Object.fromEntries(results), {
      emptied: 'changed',
      filled: 'changed',
      longer: 'changed',
      removed: 'gone',
      same: 'copied',
      shorter: 'changed',
    })
    assert.equal((await bucket.read('longer'))?.bytes.toString(), 'a longer text')
    await bucket.close()
  })

  test('the objects of a bucket move because a capability declares the bucket, even while the capability is switched off', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        ...MOVE_EFFECTS.activity,
        'bucket.empty': 'some',
        'worker.rebind': 'any',
      },
      jobs: MOVE_EFFECTS.jobs,
    })
    const { person, project, path, from } = await it.liveProject('Declared')
    const setMeterEnabled = async (enabled: boolean) => {
      assert.equal((await person.call(`PUT ${path}/capabilities/meter`, { enabled })).status, 200)
      const stateOf = () => person.call<{ provision: { state: string } }>(`GET ${path}/capabilities/meter`)
      await until(async () => (await stateOf()).data.provision.state === 'idle')
    }
    await setMeterEnabled(true)
    const former = await openBucket(person, from, `${project.slug}-meter`)
    await former.fill(5)
    await former.close()
    await setMeterEnabled(false)
    const { id, token } = await it.realAccount()
    await it.paste(person, token)
    const shipped = await ship(person, path)
    assert.equal(shipped.state, 'live', shipped.error ?? '')
    const moved = await openBucket(person, id, `${project.slug}-meter`)
    for (const n of [0, 2, 4]) assert.equal((await moved.read(String(n)))?.bytes.toString(), `object ${n}`)
    await it.settled(person, path)
    assert.deepEqual(await it.heldBy(person, from, project), [])
  })
})
