import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket } from '../../testing/bundle-socket.ts'
import { plantsTree } from '../../testing/tree.ts'

interface Plant {
  id: string
  name: string
  rev: number
  [field: string]: unknown
}
interface AppResponse {
  ok: boolean
  data: { records: Plant[]; items: Plant[]; seq: number; nextCursor: string | null } & Plant
  error: { code: string; message: string; field?: string }
}

let app: RunningApp
async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: AppResponse }> {
  const response = await app.fetch(path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: response.status, body: (await response.json()) as AppResponse }
}

const mutate = (ops: object[], mutationId: string = randomUUID()) =>
  call('POST', '/_app/data/mutate', { mutationId, ops })
const create = (fields: object, collection = 'plants') => ({ op: 'create', collection, fields })

async function addPlant(fields: object = {}): Promise<Plant> {
  const { status, body } = await mutate([create({ name: `Plant ${randomUUID()}`, ...fields })])
  assert.equal(status, 200, JSON.stringify(body))
  return body.data.records[0]!
}

// All test files share one process, so a hook outside of a `describe` would run around the tests of every file.
describe('the data of a running app', () => {
  before(async () => {
    app = await startApp(plantsTree())
  })
  after(() => app.stop())

  test('a record of an app is stored with the defaults of its fields and can be read', async () => {
    const plant = await addPlant({ lastWatered: '2026-11-20' })
    assert.equal(plant['light'], 'half_shade')
    assert.equal(plant['notes'], null)
    assert.equal(plant.rev, 1)
    assert.deepEqual((await call('GET', `/_app/data/plants/${plant.id}`)).body.data, plant)
  })

  test('a record list is filtered, sorted and paged on the server', async () => {
    for (const potSize of [3, 1, 2]) await addPlant({ potSize, lastWatered: '2001-01-01' })
    const where = encodeURIComponent(JSON.stringify({ lastWatered: '2001-01-01' }))
    const first = await call('GET', `/_app/data/plants?where=${where}&sort=-potSize&limit=2`)
    assert.deepEqual(
      first.body.data.items.map((plant) => plant['potSize']),
      [3, 2],
    )
    const cursor = encodeURIComponent(first.body.data.nextCursor ?? '')
    const second = await call(
      'GET',
      `/_app/data/plants?where=${where}&sort=-potSize&limit=2&cursor=${cursor}`,
    )
    assert.deepEqual(
      second.body.data.items.map((plant) => plant['potSize']),
      [1],
    )
    assert.equal(second.body.data.nextCursor, null)
  })

  test('a repeated query parameter is refused with an error that names it, and an unknown parameter is ignored', async () => {
    for (const [path, field] of [
      ['plants?limit=1&limit=2', 'limit'],
      ['plants?sort=potSize&sort=name', 'sort'],
      ['plants/count?where=%7B%7D&where=%7B%7D', 'where'],
      ['plants/some-id?partition=a&partition=b', 'partition'],
      ['search?collection=plants&q=a&q=b', 'q'],
    ] as const) {
      const { status, body } = await call('GET', `/_app/data/${path}`)
      assert.deepEqual(
        [status, body.error?.code, body.error?.message],
        [400, 'invalid_request', `${field}: must be given once`],
        path,
      )
    }
    assert.equal((await call('GET', '/_app/data/plants?limit=1&utm=a&utm=b')).status, 200)
  })

  test('an invalid field value of a record is refused with the name of the field, and nothing is stored', async () => {
    const name = `Kept out ${randomUUID()}`
    const { status, body } = await mutate([create({ name }), create({ name: `${name} 2`, potSize: 'big' })])
    assert.equal(status, 400)
    assert.deepEqual(body.error, {
      code: 'invalid_request',
      message: 'potSize: must be a number',
      field: 'potSize',
    })
    const { items } = (await call('GET', '/_app/data/plants?limit=200')).body.data
    assert.ok(!items.some((plant) => plant.name.startsWith(name)))
  })

  test("a duplicate of a unique value and a reference to a missing record are refused with the field's name", async () => {
    const { name } = await addPlant()
    const taken = await mutate([create({ name })])
    assert.equal(taken.status, 409)
    assert.equal(taken.body.error.field, 'name')
    const lost = await mutate([create({ name: randomUUID(), room: 'no-such-room' })])
    assert.deepEqual([lost.status, lost.body.error.field], [400, 'room'])
  })

  test('a record may refer to another record that the same mutation creates', async () => {
    const id = randomUUID()
    const { status } = await mutate([
      { ...create({ name: 'Hall' }, 'rooms'), id },
      create({ name: `Plant ${randomUUID()}`, room: id }),
    ])
    assert.equal(status, 200)
  })

  test('server code changes several records in one transaction, or none of them', async () => {
    const plant = await addPlant()
    const move = (rev: number) => call('POST', '/api/moves', { plant: plant.id, rev })
    const rooms = async () => (await call('GET', '/_app/data/rooms?limit=200')).body.data.items.length
    const before = await rooms()
    assert.equal((await move(7)).status, 409)
    assert.equal(await rooms(), before)
    const { body } = await move(plant.rev)
    const moved = body as unknown as { room: string; at: string; id: string }
    assert.deepEqual([moved.room, moved.at], ['Attic', moved.id])
    assert.equal(await rooms(), before + 1)
  })

  test('visitors may create records that they may not change or remove, and server code may change them', async () => {
    const { id } = await addPlant()
    for (const op of [
      { op: 'update', collection: 'plants', id, fields: { name: 'Mine' } },
      { op: 'remove', collection: 'plants', id },
      create({ text: 'x' }, 'audits'),
    ]) {
      const { status, body } = await mutate([op])
      assert.deepEqual([status, body.error.code], [403, 'forbidden'])
    }
    const changed = await call('PATCH', `/api/plants/${id}`, { name: `Ivy ${id}` })
    assert.deepEqual([changed.status, (changed.body as unknown as Plant).rev], [200, 2])
  })

  test('reading a private collection is forbidden, and reading an undeclared collection returns not_found', async () => {
    assert.equal((await call('GET', '/_app/data/audits')).status, 403)
    assert.equal((await call('GET', '/api/as-caller')).status, 403)
    assert.equal((await call('GET', '/_app/data/ghosts')).status, 404)
    assert.equal((await call('GET', '/_app/data/constructor')).status, 404)
    assert.equal((await call('GET', '/_app/data/plants/nope')).status, 404)
  })

  test('repeating a mutation with the same id returns the first result, and reusing the id for other operations is refused', async () => {
    const mutationId = randomUUID()
    const op = create({ name: `Once ${mutationId}` })
    const [first, second] = [await mutate([op], mutationId), await mutate([op], mutationId)]
    assert.deepEqual(second, first)
    assert.equal((await mutate([create({ name: 'Other' })], mutationId)).status, 409)
  })

  test('fifty concurrent writes of one record each increase its revision number by one', async () => {
    const { id } = await addPlant({ potSize: 1 })
    await Promise.all(
      Array.from({ length: 50 }, (_, i) => call('PATCH', `/api/plants/${id}`, { potSize: i + 1 })),
    )
    assert.equal((await call('GET', `/_app/data/plants/${id}`)).body.data.rev, 51)
  })

  test('each concurrent write of records gets its own result, and a later list contains all written records', async () => {
    const potSize = 77
    const writes = Array.from({ length: 30 }, (_, i) =>
      mutate([create({ name: i % 3 === 0 ? '' : `Moment ${i} ${randomUUID()}`, potSize })]),
    )
    const answers = await Promise.all(writes)
    assert.deepEqual(
      answers.map(({ status }) => status),
      answers.map((_, i) => (i % 3 === 0 ? 400 : 200)),
    )
    const where = encodeURIComponent(JSON.stringify({ potSize }))
    const list = async () => (await call('GET', `/_app/data/plants?where=${where}`)).body.data
    const written = answers.flatMap(({ status, body }) => (status === 200 ? body.data.records : []))
    const { items, seq } = await list()
    assert.deepEqual(items.map(({ id }) => id).sort(), written.map(({ id }) => id).sort())
    assert.equal(seq, Math.max(...answers.map(({ body }) => body.data?.seq ?? 0)))
    await addPlant({ potSize })
    assert.equal((await list()).items.length, 21)
  })

  test('malformed mutations get status 400 or 403, and never a server error', async () => {
    const bodies = [
      '',
      '{',
      '[]',
      '{}',
      '{"mutationId":"12345678"}',
      '{"mutationId":"12345678","ops":[]}',
      '{"mutationId":"12345678","ops":[null]}',
      '{"mutationId":"12345678","ops":[{"op":"create","collection":"plants"}]}',
      '{"mutationId":"12345678","ops":[{"op":"remove","collection":"plants","id":{}}]}',
      '{"mutationId":7,"ops":[{"op":"create","collection":"plants","fields":{}}]}',
      `{"mutationId":"12345678","ops":[${Array.from({ length: 101 }, () => '{"op":"create","collection":"plants","fields":{}}').join(',')}]}`,
    ]
    for (const body of bodies) {
      const response = await app.fetch('/_app/data/mutate', { method: 'POST', body })
      assert.ok([400, 403].includes(response.status), `${response.status} for ${body.slice(0, 80)}`)
    }
  })

  test('a record written on one socket appears on a second socket', async () => {
    const [writer, reader] = [await openSocket(app), await openSocket(app)]
    await Promise.all([writer.next('hello'), reader.next('hello')])
    const mutationId = randomUUID()
    writer.send({ type: 'mutate', mutationId, ops: [create({ name: `Live ${mutationId}` })] })
    const ack = await writer.next('ack')
    assert.equal(ack['mutationId'], mutationId)
    const { ops } = (await reader.next('ops')) as unknown as { ops: { op: string; record: Plant }[] }
    assert.deepEqual(ops[0]?.record, (ack['records'] as Plant[])[0])
    writer.close()
    reader.close()
  })

  test('a refused write of a record over a socket returns the reason and the current record', async () => {
    const plant = await addPlant()
    const socket = await openSocket(app)
    await socket.next('hello')
    const op = { op: 'update', collection: 'plants', id: plant.id, fields: { name: 'Mine' } }
    socket.send({ type: 'mutate', mutationId: randomUUID(), ops: [op] })
    const nack = await socket.next('nack')
    assert.equal(nack['code'], 'forbidden')
    assert.deepEqual(nack['record'], plant)
    socket.close()
  })

  test('a malformed write of records over a socket is refused, and the socket stays open', async () => {
    const socket = await openSocket(app)
    await socket.next('hello')
    for (const ops of [[null], [7], null, [{ op: 'delete', id: 'x' }]]) {
      socket.send({ type: 'mutate', mutationId: randomUUID(), ops })
      assert.equal((await socket.next('nack'))['code'], 'invalid_request')
    }
    socket.close()
  })

  test('a write of a record with too deeply nested fields over a socket is refused', async () => {
    const fields = JSON.parse(`{"name":${'['.repeat(500)}${']'.repeat(500)}}`) as object
    const socket = await openSocket(app)
    await socket.next('hello')
    const ops = [{ op: 'create', collection: 'plants', fields }]
    socket.send({ type: 'mutate', mutationId: randomUUID(), ops })
    const nack = await socket.next('nack')
    assert.deepEqual([nack['code'], nack['field']], ['invalid_request', 'ops'])
    socket.close()
  })

  test('a socket that connects with its last position in the change log gets exactly the changes it missed, in order', async () => {
    const { seq } = (await call('GET', '/_app/data/plants')).body.data
    const made = [await addPlant(), await addPlant()]
    await call('DELETE', `/api/plants/${made[0]!.id}`)
    const socket = await openSocket(app, { after: seq })
    const { ops } = (await socket.next('ops')) as unknown as {
      ops: { seq: number; op: string; id: string }[]
    }
    assert.deepEqual(
      ops.map(({ op, id }) => [op, id]),
      [
        ['put', made[0]!.id],
        ['put', made[1]!.id],
        ['remove', made[0]!.id],
      ],
    )
    assert.deepEqual(
      ops.map((op) => op.seq),
      [seq + 1, seq + 2, seq + 3],
    )
    assert.equal((await socket.next('hello'))['seq'], seq + 3)
    socket.close()
  })

  test('a socket that asks for the changes after a position that the change log does not have gets a reset frame', async () => {
    const socket = await openSocket(app, { after: 999_999 })
    assert.equal((await socket.next('reset'))['type'], 'reset')
    socket.close()
  })

  test('a socket receives no changes of a collection that the person connected to it may not read', async () => {
    const socket = await openSocket(app, { collections: ['audits', 'plants'] })
    await socket.next('hello')
    assert.equal((await call('POST', '/api/audits')).status, 200)
    const { id } = await addPlant()
    const { ops } = (await socket.next('ops')) as unknown as { ops: { id: string }[] }
    assert.deepEqual(
      ops.map((op) => op.id),
      [id],
    )
    socket.close()
  })

  test('a page of another origin can neither open a socket nor write records', async () => {
    await assert.rejects(openSocket(app, { origin: 'http://evil.test' }))
    const headers = { origin: 'http://evil.test' }
    const response = await app.fetch('/_app/data/mutate', { method: 'POST', headers, body: '{}' })
    assert.equal(response.status, 403)
    const own = await openSocket(app, { origin: app.url.origin })
    own.close()
  })

  test('a mutation request with a body above 1 MiB is refused', async () => {
    const response = await app.fetch('/_app/data/mutate', {
      method: 'POST',
      body: 'x'.repeat(1024 * 1024 + 1),
    })
    assert.equal(response.status, 400)
  })
})
