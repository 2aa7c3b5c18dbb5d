import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { openSocket } from '../../testing/bundle-socket.ts'
import { starterTree } from '../../source/tree.ts'

type Fields = Record<string, unknown>
type Stored = Fields & { id: string; rev: number }
interface AppResponse {
  status: number
  data: { records: (Stored | null)[]; items: Stored[] } & Stored
  error: { code: string; message: string; field?: string } | undefined
}

const ref = (name: string, more: object) => ({ type: 'ref', ref: name, ...more })
const open = { partition: 'app', read: 'public', write: 'members' }
const MANIFEST = {
  slipway: 1,
  name: 'Writes',
  uses: ['auth', 'data'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    rooms: { ...open, fields: { name: { type: 'text', required: true, unique: true } } },
    plants: {
      ...open,
      fields: {
        name: { type: 'text' },
        room: ref('rooms', {}),
        window: ref('rooms', { onRemove: 'clear' }),
        others: { type: 'list', ref: 'plants', onRemove: 'clear' },
        count: { type: 'integer', max: 5, index: true },
        turns: { type: 'integer' },
      },
    },
    leaves: { ...open, fields: { plant: ref('plants', { onRemove: 'cascade' }) } },
    favourites: { partition: 'user', read: 'owner', write: 'owner', fields: { plant: ref('plants', {}) } },
  },
}

const ROUTES = `import { data } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/calls', async (c) => {
  const inputs = (count: number) => Array.from({ length: count }, () => ({ name: 'Many', count: 1 }))
  const made = await data.system.createMany('plants', inputs(100))
  await data.system.createMany('plants', inputs(100))
  await data.system.createMany('plants', inputs(10))
  let all = 0
  for await (const plant of data.system.all('plants', { where: { count: 1 } })) if (plant.name === 'Many') all += 1
  const counted = await data.system.count('plants', { count: 1 })
  const room = await data.system.upsert('rooms', 'name', { name: 'Cellar' })
  const [again] = await data.system.tx([{ op: 'upsert', collection: 'rooms', by: 'name', fields: { name: room.name } }])
  const counter = await data.system.increment('plants', made[0]!.id, 'count')
  await data.system.update('plants', counter.id, { count: { increment: 1 } })
  return c.json({ ok: true, data: { made: made.length, all, counted, second: again?.rev } })
})
`

const create = (collection: string, fields: Fields, id = randomUUID()) => ({
  op: 'create',
  collection,
  id,
  fields,
})
const remove = (collection: string, id: string) => ({ op: 'remove', collection, id })

describe('the writes of a running app', () => {
  let app: RunningApp
  let cookie = ''

  async function call(method: string, path: string, body?: unknown): Promise<AppResponse> {
    const response = await app.fetch(path, {
      method,
      headers: { cookie },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const { data, error } = (await response.json()) as AppResponse
    const [set] = (response.headers.get('set-cookie') ?? '').split(';')
    if (set) cookie = set
    return { status: response.status, data, error }
  }
  const mutate = (ops: object[], partition?: string) =>
    call('POST', '/_app/data/mutate', { mutationId: randomUUID(), ops, partition })
  const write = async (...ops: object[]): Promise<(Stored | null)[]> => {
    const { status, data, error } = await mutate(ops)
    assert.equal(status, 200, JSON.stringify(error))
    return data.records
  }
  const made = async (collection: string, fields: Fields) => (await write(create(collection, fields)))[0]!.id
  const read = (collection: string, id: string) => call('GET', `/_app/data/${collection}/${id}`)

  before(async () => {
    const tree = new Map([
      ...starterTree('Writes'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['server/routes.ts', ROUTES],
    ])
    app = await startApp(tree, { enabled: ['auth', 'data'] })
    const email = `${randomUUID()}@app.test`
    const { status } = await call('POST', '/_app/auth/sign-up', {
      email,
      password: randomUUID(),
      name: 'Ada',
    })
    assert.equal(status, 200)
  })
  after(() => app.stop())

  test('removing a referenced record is refused, clears the references or removes the referring records, as the field declares', async () => {
    const [room, window] = [await made('rooms', { name: 'Hall' }), await made('rooms', { name: 'Bay' })]
    const friend = await made('plants', { name: 'Ivy' })
    const plant = await made('plants', { name: 'Fern', room, window, others: [friend] })
    const leaf = await made('leaves', { plant })
    const refused = await mutate([remove('rooms', room)])
    assert.deepEqual([refused.status, refused.error?.code], [409, 'conflict'])
    const socket = await openSocket(app, { collections: ['plants', 'leaves', 'rooms'] })
    await socket.next('hello')
    await write(remove('rooms', window), remove('plants', friend))
    const { ops } = (await socket.next('ops')) as unknown as { ops: { op: string; collection: string }[] }
    assert.deepEqual(
      ops.map(({ op, collection }) => [op, collection]),
      [
        ['remove', 'rooms'],
        ['remove', 'plants'],
        ['put', 'plants'],
        ['put', 'plants'],
      ],
    )
    socket.close()
    const { data } = await read('plants', plant)
    assert.deepEqual([data['room'], data['window'], data['others']], [room, null, []])
    await write(remove('plants', plant))
    assert.equal((await read('leaves', leaf)).status, 404)
    await write(remove('rooms', room))
  })

  test('concurrent increments of a counter field are all counted, and stop at the limit of the field', async () => {
    const plant = await made('plants', { name: 'Counted' })
    const increment = (amount: number) => ({
      op: 'update',
      collection: 'plants',
      id: plant,
      fields: { count: { increment: amount } },
    })
    const answers = await Promise.all(Array.from({ length: 8 }, () => mutate([increment(1)])))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 200, 200, 200, 200, 400, 400, 400])
    assert.equal((await read('plants', plant)).data['count'], 5)
  })

  test('five concurrent upserts with the same value of the key field write to a single record', async () => {
    const upsert = { op: 'upsert', collection: 'rooms', by: 'name', fields: { name: 'Kitchen' } }
    const answers = await Promise.all(Array.from({ length: 5 }, () => mutate([upsert])))
    const ids = answers.map(({ data }) => data.records[0]?.id)
    assert.equal(new Set(ids).size, 1)
    assert.equal((await read('rooms', ids[0]!)).data.rev, 5)
  })

  test('records can be counted by an indexed field, and counting by another field or without access is refused', async () => {
    for (const count of [3, 3, 4]) await made('plants', { name: 'Few', count })
    const countOf = (collection: string, where: object) =>
      call('GET', `/_app/data/${collection}/count?where=${encodeURIComponent(JSON.stringify(where))}`)
    assert.equal((await countOf('plants', { count: { lt: 5 } })).data, 3)
    assert.equal((await countOf('plants', { name: 'Few' })).status, 400)
    assert.equal((await countOf('nothing', {})).status, 404)
    const own = cookie
    cookie = ''
    assert.equal((await countOf('favourites', {})).status, 401)
    cookie = own
  })

  test('eight concurrent writers lose no updates and leave no references to removed records', async () => {
    const room = await made('rooms', { name: 'Shared' })
    const shared = await made('plants', { name: 'Shared', room, turns: 0 })
    const spare = await Promise.all(
      Array.from({ length: 4 }, (_, i) => made('rooms', { name: `Spare ${i}` })),
    )
    let counted = 0
    const person = async (n: number) => {
      for (let round = 0; round < 6; round++) {
        const { rev, turns } = (await read('plants', shared)).data
        const window = spare[(n + round) % spare.length]
        const { status } = await mutate([
          create('leaves', { plant: shared }),
          create('plants', { name: 'Guest', window }),
          {
            op: 'update',
            collection: 'plants',
            id: shared,
            fields: { turns: Number(turns) + 1, window },
            rev,
          },
        ])
        assert.ok([200, 400, 409].includes(status), String(status))
        if (status === 200) counted += 1
        if (round === n % 6) await mutate([remove('rooms', spare[n % spare.length]!)])
      }
    }
    await Promise.all(Array.from({ length: 8 }, (_, n) => person(n)))
    const listOf = async (name: string) => (await call('GET', `/_app/data/${name}?limit=200`)).data.items
    const [rooms, plants, leaves] = [await listOf('rooms'), await listOf('plants'), await listOf('leaves')]
    const plant = plants.find(({ id }) => id === shared)
    assert.ok(counted > 0)
    assert.deepEqual([plant?.['turns'], leaves.length], [counted, counted])
    assert.equal(plants.filter(({ name }) => name === 'Guest').length, counted)
    const ids = new Set<unknown>(rooms.map(({ id }) => id))
    for (const { window } of plants) assert.ok(window === null || ids.has(window))
    assert.ok(ids.has(room))
    assert.ok(!spare.every((id) => ids.has(id)))
  })

  test('server code can read all pages of a list, count records, and write many records at once', async () => {
    const { status, data } = await call('POST', '/api/calls')
    assert.equal(status, 200)
    assert.deepEqual(data, { made: 100, all: 210, counted: 210, second: 2 })
  })

  test('a personal record may refer only to existing app records, and writes over one WebSocket apply in the order sent', async () => {
    const plant = await made('plants', { name: 'Fern' })
    const favourite = (id: string) => create('favourites', { plant: id })
    assert.equal((await mutate([favourite(plant)], 'own')).status, 200)
    const lost = await mutate([favourite('nothing-here')], 'own')
    assert.deepEqual([lost.status, lost.error?.field], [400, 'plant'])
    const socket = await openSocket(app, { collections: ['favourites'], partition: 'own', cookie })
    await socket.next('hello')
    const first = favourite(plant)
    const frames = [[first], [remove('favourites', first.id)], [favourite('nothing-here')]]
    for (const ops of frames) socket.send({ type: 'mutate', mutationId: randomUUID(), ops })
    await socket.next('ack')
    assert.deepEqual((await socket.next('ack'))['records'], [null])
    assert.equal((await socket.next('nack'))['field'], 'plant')
    socket.close()
  })
})
