import assert from 'node:assert/strict'
import { after, before, describe, mock, test } from 'node:test'
import { manifest } from '../../manifest.gen.ts'
import type { StoredRecord } from '../frames.ts'
import { PageStore } from './page-store.ts'
import { closeFakePage, FakeSocket, openFakePage } from './socket.test.fixture.ts'

manifest.collections['notes'] = {
  title: 'Notes',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: { text: { type: 'text', unique: true }, likes: { type: 'integer' } },
}

/**
 * The maximum length of the first pause before a reconnect, in milliseconds. If a test advanced the clock
 * further, the new socket would time out.
 */
const FIRST_RETRY_MS = 700

const noteOf = (id: string, text: string, rev = 1): StoredRecord => ({
  id,
  text,
  ownerId: null,
  rev,
  createdAt: '2026-11-20T00:00:00.000Z',
  updatedAt: '2026-11-20T00:00:00.000Z',
})

const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
let listedRecords: StoredRecord[] = []
let listedSeq = 5
let postedMutations: { mutationId: string }[] = []
let isReachable = true

async function openPage() {
  FakeSocket.all = []
  postedMutations = []
  listedRecords = [noteOf('a', 'first')]
  isReachable = true
  const store = new PageStore()
  const query = store.query('notes', {})
  await nextTurn()
  const socket = FakeSocket.all[0]!
  socket.receive({ type: 'hello', seq: 5, user: null })
  return { store, query, socket, texts: () => query.snapshot().rows.map((row) => row['text']) }
}

function reconnectSocket(socket: FakeSocket): FakeSocket {
  socket.fire('close')
  mock.timers.tick(FIRST_RETRY_MS)
  return FakeSocket.last
}

// In a suite, because all files share one process and a top-level hook would run for every test.
describe('the store of a page', () => {
  before(() => {
    openFakePage(async (path, init) => {
      if (!isReachable) throw new TypeError('fetch failed')
      if (init.method === 'GET')
        return Response.json({ ok: true, data: { items: listedRecords, nextCursor: null, seq: listedSeq } })
      postedMutations.push(JSON.parse(String(init.body)) as { mutationId: string })
      return Response.json(
        { ok: false, error: { code: 'forbidden', message: `no ${path}` } },
        { status: 403 },
      )
    })
  })
  after(closeFakePage)

  test('the WebSocket of a page requests the log from the position at which the list was read', async () => {
    const { socket, texts } = await openPage()
    assert.match(socket.url, /^ws:\/\/app\.test\/_app\/data\/socket\?data=[^&]*notes[^&]*&.*after=5$/)
    socket.receive({
      type: 'ops',
      ops: [{ seq: 6, op: 'put', collection: 'notes', id: 'b', record: noteOf('b', 'second') }],
    })
    assert.deepEqual(texts().sort(), ['first', 'second'])
  })

  test('a page reports a lost connection to the records, and requests the missed operations when it reconnects', async () => {
    const { query, socket } = await openPage()
    socket.receive({ type: 'ops', ops: [{ seq: 9, op: 'remove', collection: 'notes', id: 'x' }] })
    socket.fire('close')
    assert.equal(query.snapshot().status, 'stale')
    const next = reconnectSocket(socket)
    assert.match(next.url, /after=9$/)
    next.receive({ type: 'hello', seq: 9, user: null })
    assert.equal(query.snapshot().status, 'live')
  })

  test('an unconfirmed change is sent again under the same id after a reconnect, and is applied once', async () => {
    const { store, socket, texts } = await openPage()
    const saved = store.mutate([{ op: 'create', collection: 'notes', fields: { text: 'mine' } }])
    assert.deepEqual(texts().sort(), ['first', 'mine'])
    const [frame] = socket.sent
    const next = reconnectSocket(socket)
    next.receive({ type: 'hello', seq: 5, user: null })
    assert.deepEqual(next.sent, [frame])
    const op = frame!.ops[0]!
    next.receive({
      type: 'ack',
      mutationId: frame!.mutationId,
      seq: 6,
      records: [noteOf(op.id ?? '', 'mine')],
    })
    assert.equal((await saved).records[0]?.['text'], 'mine')
    assert.deepEqual(texts().sort(), ['first', 'mine'])
  })

  test('a rejected change of a record is rolled back on the page, and its promise rejects', async () => {
    const { store, socket, texts } = await openPage()
    const change = store.mutate([{ op: 'update', collection: 'notes', id: 'a', fields: { text: 'changed' } }])
    assert.deepEqual(texts(), ['changed'])
    const { mutationId } = socket.sent[0]!
    socket.receive({ type: 'nack', mutationId, code: 'forbidden', message: 'You may not.' })
    await assert.rejects(change, { code: 'forbidden' })
    assert.deepEqual(texts(), ['first'])
  })

  test('a transaction is shown at once, sent as a whole after a reconnect, and confirmed record by record', async () => {
    const { store, socket, texts } = await openPage()
    const done = store.mutate([
      { op: 'create', collection: 'notes', id: 'newnote1', fields: { text: 'draft' } },
      { op: 'update', collection: 'notes', id: 'newnote1', fields: { text: 'final' } },
      { op: 'remove', collection: 'notes', id: 'a' },
    ])
    assert.deepEqual(texts(), ['final'])
    const next = reconnectSocket(socket)
    next.receive({ type: 'hello', seq: 5, user: null })
    assert.deepEqual(next.sent, socket.sent)
    const { mutationId } = next.sent[0]!
    const final = noteOf('newnote1', 'final', 2)
    next.receive({ type: 'ack', mutationId, seq: 8, records: [final, final, null] })
    assert.deepEqual((await done).records, [final, final, null])
    assert.deepEqual(texts(), ['final'])
    // The socket later sends the same operations again, which must change nothing.
    const old = noteOf('newnote1', 'draft')
    next.receive({ type: 'ops', ops: [{ seq: 6, op: 'put', collection: 'notes', id: old.id, record: old }] })
    assert.deepEqual(texts(), ['final'])
  })

  test("unconfirmed increments add up on the page, on top of the server's latest value", async () => {
    const { store, query, socket } = await openPage()
    const addLike = () =>
      store.mutate([{ op: 'update', collection: 'notes', id: 'a', fields: { likes: { increment: 1 } } }])
    const likes = () => query.snapshot().rows[0]?.['likes']
    const [first, second] = [addLike(), addLike()]
    assert.equal(likes(), 2)
    const [one, two] = socket.sent
    const counted = (count: number, rev: number) => ({ ...noteOf('a', 'first', rev), likes: count })
    // Another page has incremented the field by ten in the meantime.
    socket.receive({ type: 'ack', mutationId: one!.mutationId, seq: 7, records: [counted(11, 3)] })
    assert.equal(likes(), 12)
    socket.receive({ type: 'nack', mutationId: two!.mutationId, code: 'forbidden', message: 'Enough.' })
    assert.equal(likes(), 11)
    assert.equal((await first).seq, 7)
    await assert.rejects(second, { code: 'forbidden' })
  })

  test('an upsert updates a known record on the page, or shows a new record until the server returns the existing record', async () => {
    const { store, query, socket, texts } = await openPage()
    const upsert = (text: string) =>
      store.mutate([
        { op: 'upsert', collection: 'notes', by: 'text', fields: { text, likes: { increment: 3 } } },
      ])
    void upsert('first')
    assert.deepEqual([texts(), query.snapshot().rows[0]?.['likes']], [['first'], 3])
    const done = upsert('elsewhere')
    assert.deepEqual(texts().sort(), ['elsewhere', 'first'])
    const there = { ...noteOf('z', 'elsewhere', 2), likes: 9 }
    socket.receive({ type: 'ack', mutationId: socket.sent[1]!.mutationId, seq: 8, records: [there] })
    assert.equal((await done).records[0]?.id, 'z')
    assert.deepEqual(
      query.snapshot().rows.filter(({ id }) => id !== 'a'),
      [there],
    )
  })

  test('a rejected transaction is rolled back as a whole on the page', async () => {
    const { store, socket, texts } = await openPage()
    const change = store.mutate([
      { op: 'create', collection: 'notes', fields: { text: 'new' } },
      { op: 'remove', collection: 'notes', id: 'a' },
    ])
    assert.deepEqual(texts(), ['new'])
    const { mutationId } = socket.sent[0]!
    socket.receive({ type: 'nack', mutationId, code: 'conflict', message: 'Changed meanwhile.' })
    await assert.rejects(change, { code: 'conflict' })
    assert.deepEqual(texts(), ['first'])
  })

  test('without a WebSocket a change is sent by HTTP, and stays pending while the app is unreachable', async () => {
    const { store, socket } = await openPage()
    socket.fire('close')
    await assert.rejects(store.mutate([{ op: 'create', collection: 'notes', fields: { text: 'x' } }]), {
      code: 'forbidden',
    })
    assert.equal(postedMutations.length, 1)
    isReachable = false
    void store.mutate([{ op: 'create', collection: 'notes', fields: { text: 'waits' } }])
    await nextTurn()
    assert.equal(store.pending().length, 1)
    mock.timers.tick(FIRST_RETRY_MS)
    const next = FakeSocket.all.at(-1)!
    next.receive({ type: 'hello', seq: 5, user: null })
    assert.equal(next.sent[0]?.mutationId, store.pending()[0]?.mutationId)
  })

  test('joining a live room uses the WebSocket that the page already has for records', async () => {
    const { store, socket, texts } = await openPage()
    const seen: unknown[] = []
    let lost = 0
    const room = {
      path: '/_app/live/doc/1',
      since: () => 7,
      receive: seen.push.bind(seen),
      lost: () => lost++,
    }
    store.host(room)
    const shared = FakeSocket.all.at(-1)!
    assert.notEqual(shared, socket)
    assert.match(shared.url, /^ws:\/\/app\.test\/_app\/live\/doc\/1\?data=[^&]*notes.*after=5&since=7$/)
    shared.receive({ type: 'hello', seq: 5, user: null })
    shared.receive({ type: 'peers', put: [], left: [] })
    const op = { seq: 6, op: 'put', collection: 'notes', id: 'b', record: noteOf('b', 'second') }
    shared.receive({ type: 'ops', ops: [op] })
    assert.deepEqual([seen, texts().sort()], [[{ type: 'peers', put: [], left: [] }], ['first', 'second']])
    const next = reconnectSocket(shared)
    assert.equal(lost, 1)
    assert.match(next.url, /live.*after=6&since=7$/)
    store.host(null, { ...room })
    assert.equal(FakeSocket.all.at(-1), next, 'another room than the one that is on it')
    store.host(null, room)
    assert.match(FakeSocket.all.at(-1)!.url, /_app\/data\/socket\?.*after=6$/)
  })

  test('a list that was loaded before the WebSocket of a live room was connected is reloaded when it missed a change', async () => {
    FakeSocket.all = []
    listedRecords = [noteOf('a', 'first')]
    const store = new PageStore()
    store.host({ path: '/_app/live/doc/1', since: () => 0, receive: () => {}, lost: () => {} })
    const socket = FakeSocket.all[0]!
    assert.doesNotMatch(socket.url, /after=/)
    const query = store.query('notes', {})
    await nextTurn()
    listedRecords = [noteOf('a', 'changed', 2)]
    listedSeq = 9
    socket.receive({ type: 'hello', seq: 9, user: null })
    await nextTurn()
    listedSeq = 5
    assert.deepEqual(
      query.snapshot().rows.map((row) => row['text']),
      ['changed'],
    )
  })

  test('a subscriber of a collection is notified when its records change, and when the page may have missed changes', async () => {
    const { store, socket } = await openPage()
    const heard: string[] = []
    const end = store.follow(['notes'], () => heard.push('notes'))
    store.follow(['others'], () => heard.push('others'))
    socket.receive({ type: 'ops', ops: [{ seq: 6, op: 'remove', collection: 'notes', id: 'a' }] })
    assert.deepEqual(heard, ['notes'])
    reconnectSocket(socket).receive({ type: 'hello', seq: 9, user: null })
    assert.deepEqual(heard, ['notes', 'notes', 'others'])
    end()
    store.restart()
    assert.deepEqual(heard, ['notes', 'notes', 'others', 'others'])
  })

  test('subscribing to a collection opens the WebSocket even without a query', () => {
    FakeSocket.all = []
    new PageStore().follow(['notes'], () => {})
    assert.equal(FakeSocket.all.length, 1)
  })

  test("when the log no longer reaches back to the page's position, every list is reloaded", async () => {
    const { query, socket, texts } = await openPage()
    listedRecords = [noteOf('z', 'fresh')]
    socket.receive({ type: 'reset', seq: 5 })
    await nextTurn()
    assert.deepEqual(texts(), ['fresh'])
    assert.equal(query.snapshot().status, 'live')
  })
})
