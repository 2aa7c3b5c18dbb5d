import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { manifest } from '../../manifest.gen.ts'
import { reconnectStores, pageStoreOf } from './page-store.ts'
import { closeFakePage, FakeSocket, openFakePage } from './socket.test.fixture.ts'

manifest.collections['letters'] = {
  title: 'Letters',
  partition: 'team',
  read: 'team',
  write: 'team',
  fields: { text: { type: 'text' } },
}

let team = ''
let teamCount = 0
const nextTurn = () => new Promise((resolve) => setImmediate(resolve))
/** The bodies of the writes that the page has tried to send by HTTP. */
let posted: string[] = []

/** Opens a page with the letters of a team, connected by a socket. */
async function openPage() {
  const store = pageStoreOf(team)
  store.query('letters', {})
  await nextTurn()
  const socket = FakeSocket.last
  socket.receive({ type: 'hello', seq: 5, user: null })
  const write = (text: string) => store.mutate([{ op: 'create', collection: 'letters', fields: { text } }])
  return { store, socket, write }
}

/** Opens the socket of the person who is signed in next. Returns the texts of the changes that the page then sends. */
async function reconnect(): Promise<unknown[]> {
  await nextTurn()
  FakeSocket.last.receive({ type: 'hello', seq: 5, user: null })
  return FakeSocket.last.sent.map(({ ops }) => ops.map((op) => 'fields' in op && op.fields['text'])).flat()
}

describe('records and unconfirmed changes when another person signs in', () => {
  beforeEach(() => {
    posted = []
    // The stores of a page are never removed, so each test uses a separate team.
    team = `t_${`letters${++teamCount}`.padStart(26, '0')}`
    openFakePage(async (_path, init) => {
      if (init.method === 'GET')
        return Response.json({ ok: true, data: { items: [], nextCursor: null, seq: 5 } })
      posted.push(String(init.body))
      throw new TypeError('fetch failed')
    })
  })
  afterEach(() => {
    pageStoreOf(team).dropPending()
    pageStoreOf(team).restart()
    closeFakePage()
  })

  test("a record change that was not confirmed before its person signed out is never sent in the next person's name", async () => {
    const { store, write } = await openPage()
    const refused = assert.rejects(write('of Ada'), {
      code: 'unauthorized',
      message: 'You signed out before the app confirmed this change.',
    })
    reconnectStores(true)
    assert.deepEqual([await reconnect(), store.pending(), posted], [[], [], []])
    await refused
  })

  test('a record change that could not be sent before its person signed out is not sent later', async () => {
    const { socket, write } = await openPage()
    socket.fire('close')
    const refused = assert.rejects(write('of Ada'), { code: 'unauthorized' })
    await nextTurn()
    assert.equal(posted.length, 1)
    reconnectStores(true)
    assert.deepEqual(await reconnect(), [])
    assert.equal(posted.length, 1)
    await refused
  })

  test('an unconfirmed change is sent again when the session of the same person was renewed, such as by a new password', async () => {
    const { write } = await openPage()
    write('of Ada').catch(() => {})
    reconnectStores()
    assert.deepEqual(await reconnect(), ['of Ada'])
  })

  test('the records of a person who has signed out are removed from the page at once', async () => {
    const { store, socket } = await openPage()
    const record = {
      id: 'a',
      text: 'private',
      ownerId: null,
      rev: 1,
      createdAt: '2026-11-20T00:00:00.000Z',
      updatedAt: '2026-11-20T00:00:00.000Z',
    }
    const query = store.query('letters', {})
    socket.receive({ type: 'ops', ops: [{ seq: 6, op: 'put', collection: 'letters', id: 'a', record }] })
    assert.equal(query.snapshot().rows.length, 1)
    reconnectStores(true)
    assert.deepEqual([query.snapshot().rows, query.snapshot().status], [[], 'loading'])
  })
})
