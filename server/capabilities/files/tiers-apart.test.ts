import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { plantsTree } from '../../agent/testing/tree.ts'
import { textAsset, uploadAsset } from '../assets/testing.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import { setClock } from '../../attachments/testing.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { bucketExists, deleteBucket, deleteObject, listObjects } from '../../cloudflare/products/r2.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { leaves } from '../../testing/effects.ts'

/** Generated code that stores one file, and an attack that finds and uses every binding of its worker. */
const ROUTES = `import { Hono } from 'hono'
import { files } from '@slipway/app/server'

export const routes = new Hono()
routes.post('/put', async (c) => c.json(await files.put(await c.req.text(), { name: 'a.txt', type: 'text/plain' })))
routes.get('/get/:id', async (c) => (await files.get(c.req.param('id'), c.req.raw)) ?? c.text('none', 404))
routes.post('/fill', async (c) => {
  const { env } = await import(['cloudflare', 'workers'].join(':'))
  for (const name of c.req.queries('bucket')) await env[name].put(c.req.query('key'), await c.req.text())
  return c.json({})
})
routes.get('/held', async (c) => {
  const { env } = await import(['cloudflare', 'workers'].join(':'))
  return c.json(await Promise.all(c.req.queries('bucket').map(async (name) => (await env[name].get(c.req.query('key')))?.text())))
})
routes.post('/attack', async (c) => {
  const { env } = await import(['cloudflare', 'workers'].join(':'))
  const victim = c.req.query('key')
  const bindings = Object.keys(env)
  const seen = []
  for (const name of bindings) {
    const binding = env[name]
    const attempt = async (act) => { try { seen.push(JSON.stringify(await act()) ?? '') } catch (error) { seen.push('refused ' + error) } }
    await attempt(async () => (await binding.list()).objects)
    await attempt(async () => await (await binding.get(victim)).text())
    await attempt(() => binding.delete(victim))
    await attempt(async () => (await binding.list()).objects.length && binding.delete((await binding.list()).objects.map(({ key }) => key)))
    await attempt(async () => void (await binding.put(victim, 'overwritten')))
    await attempt(() => binding.records('production', 'plants', 100))
    await attempt(() => binding.getByName('dir').dirNewest('plants', 100))
    await attempt(async () => await (await binding.fetch('https://x.test/' + victim, { method: 'DELETE' })).text())
    for (const door of ['Production', 'Preview', 'Operator'])
      await attempt(() => binding({ props: { tier: 'production' }, entrypoint: door }).files('list', {}))
  }
  return c.json({ bindings, seen: seen.join(' ') })
})
`

/** The app's bindings to the buckets that capabilities declare. */
const BUCKETS = CAPABILITY_KEYS.filter((key) => capabilityOf(key).bucket !== null).map((key) =>
  key.toUpperCase(),
)

describe('the two tiers of an app', () => {
  let cloud: CloudApp
  let person: Client
  let path: string
  let slug: string
  const urls = { production: '', preview: '' }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Apart')
    ;({ person, path } = made)
    slug = made.project.slug
    for (const key of CAPABILITY_KEYS) await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true })
    await cloud.build(made.project.id, new Map([...plantsTree(), ['server/routes.ts', ROUTES]]))
    const shipped = await person.call<{ url: string }>(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, JSON.stringify(shipped.error))
    urls.production = shipped.data.url
    assert.equal((await person.call(`POST ${path}/deploy/retry`)).status, 200)
    const preview = async () =>
      (await person.call<{ previewUrl: string | null }>(`GET ${path}`)).data.previewUrl
    await until(async () => (await preview()) !== null)
    urls.preview = (await preview()) ?? ''
  })
  after(() => cloud.close())

  const put = async (url: string, text: string) =>
    (await (await cloudFetch(`${url}/api/put`, { method: 'POST', body: text })).json()) as {
      id: string
      key: string
    }
  const addPlant = (url: string, name: string) =>
    cloudFetch(`${url}/_app/data/mutate`, {
      method: 'POST',
      body: JSON.stringify({
        mutationId: crypto.randomUUID(),
        ops: [{ op: 'create', collection: 'plants', fields: { name } }],
      }),
    })
  const plants = async (url: string) => await (await cloudFetch(`${url}/_app/data/plants`)).text()

  for (const [from, to] of [
    ['preview', 'production'],
    ['production', 'preview'],
  ] as const)
    test(`generated code of the ${from} can neither read nor change data of the ${to} through any binding`, async () => {
      const canary = `canary-${to}`
      const file = await put(urls[to], canary)
      assert.equal((await addPlant(urls[to], canary)).status, 200)
      const query = `key=${encodeURIComponent(file.key)}`
      // Every bucket has an object with the key of the file, so that one attack tries every bucket.
      const ofBuckets = [query, ...BUCKETS.map((name) => `bucket=${name}`)].join('&')
      const filled = await cloudFetch(`${urls[to]}/api/fill?${ofBuckets}`, { method: 'POST', body: canary })
      assert.equal(filled.status, 200)
      const answer = await cloudFetch(`${urls[from]}/api/attack?${query}`, { method: 'POST' })
      assert.equal(answer.status, 200)
      const { bindings, seen } = (await answer.json()) as { bindings: string[]; seen: string }
      for (const name of [...BUCKETS, 'LIVE', 'ASSET_SERVER']) assert.ok(bindings.includes(name), name)
      assert.ok(seen.includes('"'), 'it reached its own')
      assert.ok(!seen.includes(canary) && !seen.includes(`"key":"${file.key}"`), seen)
      const read = await cloudFetch(`${urls[to]}/api/get/${file.id}`)
      assert.equal(await read.text(), canary)
      assert.deepEqual(
        await (await cloudFetch(`${urls[to]}/api/held?${ofBuckets}`)).json(),
        BUCKETS.map(() => canary),
      )
      assert.match(await plants(urls[to]), new RegExp(canary))
      assert.doesNotMatch(await plants(urls[from]), new RegExp(canary))
    })

  test('generated code cannot change an asset through its binding to the upload worker', async () => {
    leaves({ activity: { 'object.put': 1 } })
    setClock(cloud)
    const asset = textAsset('logo.svg', '<svg/>', 'image/svg+xml')
    await uploadAsset(person, path, asset)
    for (const url of Object.values(urls)) {
      const answer = await cloudFetch(`${url}/api/attack?key=logo.svg`, { method: 'POST' })
      assert.equal(answer.status, 200)
      assert.equal(await (await person.raw(`GET ${path}/assets/logo.svg`)).text(), '<svg/>')
    }
  })

  test("deploying again creates the preview's R2 bucket for files when the bucket is missing", async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'bucket.create': 1,
        'bucket.delete': 1,
        'object.delete': 1,
        'project.deployed': 1,
        'queue.consume': 1,
      },
      jobs: { deploy: 'some' },
    })
    const { db } = cloud.app.platform
    const account = await cloud.accountOf(person.organizationId)
    const name = `${slug}-files-pv`
    for (const { key } of (await listObjects(account, name, 100)).objects)
      await deleteObject(account, name, key)
    await deleteBucket(account, name)
    await db
      .deleteFrom('resources')
      .where('project_id', '=', path.split('/')[2] ?? '')
      .where('name', '=', name)
      .execute()
    assert.equal(await bucketExists(account, name), false)
    const shipped = await person.call(`POST ${path}/deploy`)
    assert.equal(shipped.status, 200, JSON.stringify(shipped.error))
    assert.equal(await bucketExists(account, name), true)
  })

  test('the bucket of the preview is deleted with the project', async () => {
    // Each capability with a bucket has one for each tier, and the uploads have one for both.
    const bucketCount = 2 * BUCKETS.length + 1
    leaves({
      events: { 'project.deleted': 1 },
      activity: {
        'ai_gateway.remove': 1,
        'bucket.delete': bucketCount,
        'bucket.empty': bucketCount,
        'project.deleted': 1,
        'queue.delete': 4,
        'sfu_app.remove': 1,
        'turn_key.remove': 1,
        'widget.remove': 1,
        'worker.delete': 5,
        'workflow.delete': 2,
      },
    })
    const account = await cloud.accountOf(person.organizationId)
    await put(urls.preview, 'left behind')
    const names = [`${slug}-files`, `${slug}-files-pv`]
    const counts = await Promise.all(names.map((name) => listObjects(account, name, 100)))
    assert.ok(counts.every(({ objects }) => objects.length > 0))
    const gone = await person.call<{ teardown: { remaining: number } }>(`DELETE ${path}`)
    assert.equal(gone.data.teardown.remaining, 0)
    for (const name of names) assert.equal(await bucketExists(account, name), false, name)
  })
})
