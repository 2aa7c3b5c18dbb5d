import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { attach, fileOf, setClock } from '../attachments/testing.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { bucketExists, listObjects } from '../cloudflare/products/r2.ts'
import { deleteWorker, enableAddress, putWorker } from '../cloudflare/products/workers.ts'
import type { Removal } from './remove.ts'
import { type CloudApp, openCloudApp } from '../releases/testing.ts'
import { leaves } from '../testing/effects.ts'

/**
 * A worker that puts `count` objects into its bucket. One REST call for each object would take a minute, and a REST call cannot name three
 * of the objects.
 */
const FILL = `export default {
  async fetch(request, env) {
    const count = Number(new URL(request.url).searchParams.get('count'))
    const hard = ['.', '..', 'a/../b']
    for (const key of hard) await env.BUCKET.put(key, 'x')
    for (let from = hard.length; from < count; from += 50)
      await Promise.all(Array.from({ length: Math.min(50, count - from) }, (_, i) => env.BUCKET.put('by-hand/' + (from + i), 'x')))
    return new Response('filled')
  },
}`

describe('destroying one bucket', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
    setClock(cloud)
  })
  after(() => cloud.close())

  /** Makes a project whose upload bucket has `count` objects and one attachment. */
  async function withObjects(count: number) {
    const made = await cloud.personWithProject()
    await attach(made.person, made.path, fileOf('image/png', 300), 'image/png')
    const name = `${made.project.slug}-assets`
    const account = await cloud.accountOf(made.person.organizationId)
    const fill = `${made.project.slug}-fill`
    await putWorker(account, fill, {
      mainModule: 'index.js',
      modules: { 'index.js': FILL },
      bindings: [{ type: 'r2_bucket', name: 'BUCKET', bucket_name: name }],
      tags: [],
      compatibility: { date: '2026-06-01', flags: [] },
      annotations: { tag: 'fill', message: 'by hand' },
    })
    await enableAddress(account, fill)
    const url = account.appUrl(fill)
    assert.equal(await (await cloudFetch(`${url}/?count=${count}`)).text(), 'filled')
    await deleteWorker(account, fill)
    const { data } = await made.person.call<{ managed: { id: string; kind: string }[] }>(
      `GET ${made.path}/deployments`,
    )
    const { id = '' } = data.managed.find(({ kind }) => kind === 'bucket') ?? {}
    const remove = () => made.person.call<Removal>(`DELETE ${made.path}/resources/${id}`)
    return { ...made, account, name, bucket: { id, kind: 'bucket', name }, remove }
  }
  const removedIn = async (organizationId: string) => {
    const rows = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['action', 'detail'])
      .where('org_id', '=', organizationId)
      .where('action', 'in', ['bucket.empty', 'object.delete', 'bucket.delete', 'resource.removed'])
      .orderBy('id')
      .execute()
    return rows.map(({ action, detail }) => (detail === null ? action : `${action}: ${detail}`))
  }

  test('a bucket of more than a thousand files is emptied by the worker bound to it and removed in one call', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'bucket.empty': 1,
        'resource.removed': 1,
        'worker.address': 'some',
        'worker.delete': 1,
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const { person, account, name, bucket, remove } = await withObjects(1_100)
    const { status, data } = await remove()
    assert.equal(status, 200)
    assert.deepEqual([data.removed, data.remaining], [[bucket], 0])
    assert.match(data.data ?? '', /^at least 1000 files, \d+ bytes$/)
    assert.equal(await bucketExists(account, name), false)
    assert.deepEqual(await removedIn(person.organizationId), [
      'bucket.empty: 1101 objects',
      'bucket.delete',
      `resource.removed: with ${data.data}`,
    ])
  })

  test('a bucket without its bound worker is emptied over several calls that each return the number of remaining files', async () => {
    leaves({
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'object.delete': 130,
        'resource.removed': 1,
        'worker.address': 'some',
        'worker.delete': 2,
        'worker.upload': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const { person, path, account, name, bucket, remove } = await withObjects(129)
    await deleteWorker(account, name)
    const first = await remove()
    assert.deepEqual(first.data, { removed: [], data: '100 files', remaining: 30 })
    assert.equal((await listObjects(account, name, 1)).objects.length, 30)
    assert.ok(
      !(await removedIn(person.organizationId)).some((action) => action.startsWith('resource.removed')),
    )
    const { data } = await person.call<{ managed: { id: string; status: string }[] }>(
      `GET ${path}/deployments`,
    )
    assert.equal(data.managed.find(({ id }) => id === bucket.id)?.status, 'ok', 'it still stands')

    const second = await remove()
    assert.deepEqual([second.data.removed, second.data.remaining], [[bucket], 0])
    assert.match(second.data.data ?? '', /^30 files, \d+ bytes$/)
    assert.equal(await bucketExists(account, name), false)
    assert.equal((await remove()).status, 404)
  })
})
