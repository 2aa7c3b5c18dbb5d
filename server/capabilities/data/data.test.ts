import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { describeLiveUsage } from '../../builds/run/live-app.ts'
import { plantsTree } from '../../agent/testing/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

interface Row {
  id: string
  partition: string
  rev: number
  [field: string]: unknown
}

const SIZES = Array.from({ length: 15 }, (_, n) => `size${n}`)
const SIZE_FIELDS = SIZES.map((name) => `"${name}": { "type": "number", "index": true },`).join(' ')
const SIZE_CONDITIONS = Object.fromEntries(
  SIZES.map((name) => [name, { eq: 1, ne: 1, gt: 1, gte: 1, lt: 1, lte: 1, in: [1] }]),
)

/** Lists records with more conditions than a statement takes parameters, so that the worker that stores records fails. */
const TOO_MANY_CONDITIONS = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.get('/clumsy', async (c) => c.json(await data.system.list('plants', { where: ${JSON.stringify(SIZE_CONDITIONS)} } as never)))
`

/** The tests share one shipped app with records, but do not depend on each other. */
describe('the operator and the data of a live app', () => {
  let cloud: CloudApp
  let person: Client
  let at: string
  let appUrl: string

  const records = (route: string, body?: unknown) =>
    person.call<Row[]>(route.replace(' ', ` ${at}/capabilities/data/`), body)
  const record = (route: string, body?: unknown) =>
    person.call<Row>(route.replace(' ', ` ${at}/capabilities/data/`), body)

  /** Creates a record with the request that a page of the app sends. */
  async function addPlant(fields: object): Promise<Row> {
    const answer = await cloudFetch(`${appUrl}/_app/data/mutate`, {
      method: 'POST',
      body: JSON.stringify({
        mutationId: crypto.randomUUID(),
        ops: [{ op: 'create', collection: 'plants', fields }],
      }),
    })
    const { data } = (await answer.json()) as { data: { records: Row[] } }
    const [plant] = data.records
    assert.ok(plant)
    // The operator's lists are read from a separate object (`runtime/directory`), which receives each write a
    // moment later.
    await until(async () => (await records('GET records/plants')).data.some(({ id }) => id === plant.id))
    return plant
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Plants of the operator')
    person = made.person
    at = made.path
    await person.call(`PUT ${at}/capabilities/data`, { enabled: true })
    assert.equal((await records('GET collections')).error?.code, 'not_enabled')
    const manifest = String(plantsTree().get('app.json'))
    const priced = manifest.replace('"potSize": {', `${SIZE_FIELDS} "potSize": { "currency": "EUR",`)
    await cloud.build(
      made.project.id,
      plantsTree({ 'app.json': priced, 'server/routes.ts': TOO_MANY_CONDITIONS }),
    )
    const shipped = await person.call<{ url: string; error: string | null }>(`POST ${at}/deploy`)
    assert.equal(shipped.status, 200, JSON.stringify(shipped.error))
    appUrl = shipped.data.url
  })
  after(() => cloud.close())

  test('an error in the worker that stores records appears in the error list of the live app', async () => {
    assert.equal((await cloudFetch(`${appUrl}/api/clumsy`)).status, 500)
    const { clock } = cloud.app
    // The local cloud uses real time, so the service's clock must show the same day.
    clock.advance(Date.now() - clock.now().getTime())
    await until(async () => {
      clock.advance(61_000)
      const { data } = await person.call<{ items: { route: string | null }[] }>(`GET ${at}/errors`)
      return data.items.some(({ route }) => route === 'data')
    })
  })

  test('the list of collections has their access rules, their fields and the number of their records', async () => {
    await addPlant({ name: 'Counted' })
    const { data } = await records('GET collections')
    const plants = data.find((one) => one['name'] === 'plants')
    assert.deepEqual(
      [plants?.['title'], plants?.partition, plants?.['read'], plants?.['write']],
      ['Plants', 'app', 'public', 'public'],
    )
    assert.deepEqual((plants?.['fields'] as object[] | undefined)?.[0], {
      name: 'name',
      title: 'Name',
      type: 'text',
      required: true,
      index: false,
      search: true,
      unique: true,
      max: 80,
    })
    const field = (name: string) =>
      (plants?.['fields'] as Record<string, unknown>[] | undefined)?.find((one) => one['name'] === name)
    const light = field('light')
    assert.deepEqual([light?.['values'], light?.['default']], [['shade', 'half_shade', 'sun'], 'half_shade'])
    assert.equal(field('potSize')?.['currency'], 'EUR')
    assert.equal(plants?.['label'], 'name')
    assert.ok(Number(plants?.['count']) >= 1)
    assert.ok(plants?.['updatedAt'])
    assert.equal(data.find((one) => one['name'] === 'audits')?.['count'], 0)
  })

  test("a build's prompt says when the app's live version was deployed and how many records each collection has", async () => {
    const { platform } = cloud.app
    const stored = await platform.db.selectFrom('projects').selectAll().executeTakeFirstOrThrow()
    const project = { ...stored, head_sha: 'built' }
    const [live, count] = await describeLiveUsage(platform, project, new Set(['data']))
    assert.ok(live?.startsWith(`The app is live at ${appUrl}, in this version since 20`))
    assert.match(count ?? '', /^Its records: .*plants [1-9]/)
    assert.equal((await describeLiveUsage(platform, project, new Set())).length, 1)
    // An app that does not respond must not stop a build.
    const [, unknown] = await describeLiveUsage(platform, { ...project, slug: 'gone' }, new Set(['data']))
    assert.match(unknown ?? '', /could not be counted/)
    const draft = { ...project, lifecycle: 'offline' as const }
    assert.match((await describeLiveUsage(platform, draft, new Set(['data']))).join(), /not live/)
    assert.deepEqual(await describeLiveUsage(platform, { ...draft, head_sha: null }, new Set()), [])
  })

  test("a list of records is newest first, names each record's data partition and respects the limit", async () => {
    const [first, second] = [await addPlant({ name: 'First' }), await addPlant({ name: 'Second' })]
    const { data } = await records('GET records/plants')
    assert.deepEqual(
      data.slice(0, 2).map(({ id, partition }) => [id, partition]),
      [
        [second.id, 'app'],
        [first.id, 'app'],
      ],
    )
    assert.equal((await records('GET records/plants?limit=1')).data.length, 1)
    assert.equal((await records('GET records/nothing')).status, 404)
    assert.equal((await records('GET records/..%2F..')).status, 404)
  })

  test('a search of records matches beginnings of words and ignores operators in the text', async () => {
    const fern = await addPlant({ name: 'Boston fern', notes: 'likes Feuchtigkeit' })
    const find = async (q: string) =>
      (await records(`GET query?collection=plants&q=${encodeURIComponent(q)}`)).data.map(({ id }) => id)
    for (const q of ['fern', 'bos', 'BOSTON fe', 'feuchtig', 'ferns'])
      assert.deepEqual(await find(q), [fern.id], q)
    for (const q of ['fern NOT boston', '" OR *', 'boston cactus', '***', "';drop"])
      assert.deepEqual(await find(q), [], q)
  })

  test('a collection without search settings is searched in its text fields', async () => {
    const answer = await cloudFetch(`${appUrl}/_app/data/mutate`, {
      method: 'POST',
      body: JSON.stringify({
        mutationId: crypto.randomUUID(),
        ops: [
          { op: 'create', collection: 'rooms', fields: { name: 'Winter garden' } },
          { op: 'create', collection: 'rooms', fields: { name: 'Kitchen' } },
        ],
      }),
    })
    assert.equal(answer.status, 200)
    const find = async (q: string) =>
      (await records(`GET query?collection=rooms&q=${encodeURIComponent(q)}`)).data.map((row) => row['name'])
    await until(async () => (await records('GET records/rooms')).data.length === 2)
    for (const q of ['garden', 'GARDEN wint']) assert.deepEqual(await find(q), ['Winter garden'], q)
    for (const q of ['garden kitchen', "' or 1=1", '%']) assert.deepEqual(await find(q), [], q)
  })

  test('a record that the operator replaces is validated like a write of the app and gets a new revision', async () => {
    leaves({ activity: { 'record.replace': 1 } })
    const plant = await addPlant({ name: 'Misspeled', potSize: 3, notes: 'old' })
    const row = (await records('GET records/plants')).data.find(({ id }) => id === plant.id)
    const { notes: _notes, ...rest } = row as Row
    const put = await record(`PUT records/plants/app/${plant.id}`, { ...rest, name: 'Misspelled' })
    assert.equal(put.status, 200, JSON.stringify(put.error))
    assert.deepEqual(
      [put.data['name'], put.data['potSize'], put.data['notes'], put.data.rev],
      ['Misspelled', 3, null, 2],
    )
    const listed = (await records('GET records/plants')).data.find(({ id }) => id === plant.id)
    assert.deepEqual(listed, put.data)
    const read = await cloudFetch(`${appUrl}/_app/data/plants/${plant.id}`)
    assert.equal(((await read.json()) as { data: Row }).data['name'], 'Misspelled')
    const stale = await record(`PUT records/plants/app/${plant.id}`, { ...rest, name: 'Late' })
    assert.deepEqual([stale.status, stale.error?.code], [409, 'conflict'])
    const missing = await record(`PUT records/plants/app/${plant.id}`, { potSize: 1 })
    assert.equal(missing.status, 400)
    assert.match(missing.error?.message ?? '', /^name: is required/)
    const foreign = await record(`PUT records/plants/app/${plant.id}`, { name: 'x', colour: 'red' })
    assert.match(foreign.error?.message ?? '', /^colour: /)
  })

  test('pages of records can be filtered and sorted by indexed fields, and contain every record once', async () => {
    for (const potSize of [31, 33, 32]) await addPlant({ name: `Paged ${potSize}`, potSize, light: 'sun' })
    const where = encodeURIComponent(JSON.stringify({ potSize: { gte: 31 } }))
    const page = async (query: string) => {
      const answer = await person.call<{ items: Row[]; nextCursor: string | null }>(
        `GET ${at}/capabilities/data/pages/plants?${query}`,
      )
      assert.equal(answer.status, 200, JSON.stringify(answer.error))
      return answer.data
    }
    const first = await page(`sort=-potSize&where=${where}&limit=2`)
    assert.deepEqual(
      first.items.map((row) => [row['potSize'], row.partition]),
      [
        [33, 'app'],
        [32, 'app'],
      ],
    )
    const rest = await page(
      `sort=-potSize&where=${where}&limit=2&cursor=${encodeURIComponent(first.nextCursor ?? '')}`,
    )
    assert.deepEqual([rest.items.map((row) => row['potSize']), rest.nextCursor], [[31], null])
    const refusals: [query: string, field: string][] = [
      ['sort=notes', 'sort'],
      ['where=%7B%22notes%22%3A1%7D', 'where.notes'],
      ['where=[]', 'where'],
      ['cursor=x', 'cursor'],
    ]
    for (const [query, field] of refusals) {
      const refused = await records(`GET pages/plants?${query}`)
      assert.deepEqual([refused.status, refused.error?.code], [400, 'invalid_request'], query)
      assert.match(refused.error?.message ?? '', new RegExp(`^${field}: `), query)
    }
    assert.equal((await records('GET pages/nothing')).status, 404)
  })

  test('a record that the operator creates is validated like a write of the app and is in the next list', async () => {
    leaves({ activity: { 'record.create': 1 } })
    const made = await record('POST records/plants/app', { name: 'By the operator', potSize: 7 })
    assert.equal(made.status, 200, JSON.stringify(made.error))
    assert.deepEqual([made.data.partition, made.data.rev, made.data['ownerId']], ['app', 1, null])
    assert.equal((await records('GET records/plants')).data[0]?.id, made.data.id)
    const read = await cloudFetch(`${appUrl}/_app/data/plants/${made.data.id}`)
    assert.equal(((await read.json()) as { data: Row }).data['name'], 'By the operator')
    const missing = await record('POST records/plants/app', { potSize: 1 })
    assert.deepEqual([missing.status, missing.error?.message], [400, 'name: is required'])
    for (const partition of ['u_00000000000000000000000000', 'other', '%2e%2e'])
      assert.ok((await record(`POST records/plants/${partition}`, { name: 'x' })).status >= 400, partition)
  })

  test('importing records creates the valid ones and names the invalid ones, and repeating it creates no duplicates', async () => {
    leaves({ activity: { 'record.import': 2 } })
    const batch = ['one', 'two', 'three'].map((word) => ({
      id: `imported-${word}`,
      fields: word === 'two' ? { potSize: 'big' } : { name: `Imported ${word}` },
    }))
    const send = (body: object) =>
      person.call<{ id: string; problem: { field: string | null; message: string } | null }[]>(
        `POST ${at}/capabilities/data/import/plants/app`,
        body,
      )
    const count = async () => (await records('GET records/plants?limit=1000')).data.length
    const before = await count()
    const problems = [null, { field: 'name', message: 'name: is required' }, null]
    const trial = await send({ records: batch, trial: true })
    assert.deepEqual(
      [trial.data.map(({ problem }) => problem), await count()],
      [problems, before],
      JSON.stringify(trial.error),
    )
    for (const _again of [1, 2]) {
      const stored = await send({ records: batch })
      assert.deepEqual([stored.data.map(({ problem }) => problem), await count()], [problems, before + 2])
    }
    assert.equal((await send({ records: [] })).status, 400)
    assert.equal((await send({ records: [{ id: '../..', fields: {} }] })).status, 400)
  })

  test('replacing or deleting a record that does not exist is a 404', async () => {
    for (const place of [
      'app/nothing-here',
      'u_00000000000000000000000000/nothing-here',
      '%2e%2e/nothing-here',
    ]) {
      const put = await record(`PUT records/plants/${place}`, { name: 'x' })
      assert.deepEqual([put.status, put.error?.code], [404, 'not_found'], place)
      assert.equal((await record(`DELETE records/plants/${place}`)).status, 404, place)
    }
  })

  test('a record that the operator deletes disappears from lists, search and the app', async () => {
    leaves({ activity: { 'record.delete': 1 } })
    const plant = await addPlant({ name: 'Withered' })
    const before = await cloudFetch(`${appUrl}/_app/data/plants`)
    const { seq } = ((await before.json()) as { data: { seq: number } }).data
    const gone = await record(`DELETE records/plants/app/${plant.id}`)
    assert.deepEqual([gone.status, gone.data], [200, { id: plant.id }])
    assert.ok(!(await records('GET records/plants')).data.some(({ id }) => id === plant.id))
    assert.deepEqual((await records('GET query?collection=plants&q=withered')).data, [])
    assert.equal((await cloudFetch(`${appUrl}/_app/data/plants/${plant.id}`)).status, 404)
    const after = await cloudFetch(`${appUrl}/_app/data/plants`)
    assert.equal(((await after.json()) as { data: { seq: number } }).data.seq, seq + 1)
  })

  test('every change of a record by the operator is in the activity log with its path and without its content', async () => {
    const rows = await cloud.app.platform.db
      .selectFrom('activity')
      .select(['action', 'target', 'detail'])
      .where('org_id', '=', person.organizationId)
      .where('action', 'like', 'record.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(
      rows.map(({ action }) => action),
      ['record.replace', 'record.create', 'record.import', 'record.import', 'record.delete'],
    )
    assert.ok(rows.every(({ target, detail }) => /^plants\/app(\/\w+)?$/.test(target) && detail === null))
  })

  test('writing a record needs projects:write, and another organization gets a 404 for the collections', async () => {
    const key = await cloud.app.keyFor(person, ['projects:read'])
    const put = await key.call(`PUT ${at}/capabilities/data/records/plants/app/00000000`, { name: 'x' })
    assert.equal(put.error?.code, 'forbidden_scope')
    const stranger = await cloud.app.signUp()
    assert.equal((await stranger.call(`GET ${at}/capabilities/data/collections`)).error?.code, 'not_found')
  })

  test('disabling the data capability stops the operator from reading records until it is enabled and the app deployed again', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await person.call(`PUT ${at}/capabilities/data`, { enabled: false })
    assert.equal((await records('GET collections')).error?.code, 'not_enabled')
    await until(async () => (await cloudFetch(`${appUrl}/_app/data/plants`)).status === 404)
    await person.call(`PUT ${at}/capabilities/data`, { enabled: true })
    assert.equal((await records('GET collections')).error?.code, 'not_enabled')
    const shipped = await person.call(`POST ${at}/deploy`)
    assert.equal(shipped.status, 200, JSON.stringify(shipped.error))
    const { data } = await records('GET collections')
    assert.ok(Number(data.find((one) => one['name'] === 'plants')?.['count']) > 3)
  })

  test('the operator can still read all records of an archived app', async () => {
    leaves({
      events: { 'project.archived': 1 },
      activity: { 'project.archived': 1, 'project.unarchived': 1, 'worker.offline': 'some' },
      jobs: { deploy: 'some' },
    })
    const count = async () => (await records('GET records/plants')).data.length
    const before = await count()
    assert.equal((await person.call(`POST ${at}/archive`)).status, 200)
    await until(async () => (await cloudFetch(`${appUrl}/_app/health`)).status === 404)
    assert.equal(await count(), before)
    assert.equal((await person.call(`POST ${at}/unarchive`)).status, 200)
    assert.equal(await count(), before)
  })
})
