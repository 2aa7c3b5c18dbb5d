import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer, RoomMessage } from '@slipway/runtime/live/types.ts'
import { until } from '../../releases/testing.ts'
import { openRoom, openSocket, type TestSocket } from '../testing/bundle-socket.ts'
import { type RunningApp, startApp } from '../testing/bundle.ts'
import { type Person, teamPeople } from '../testing/team-people.ts'
import { starterTree } from '../source/tree.ts'

const USED = ['auth', 'data', 'team', 'live']
const MANIFEST = {
  slipway: 1,
  name: 'Rooms',
  uses: USED,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    tasks: { partition: 'team', read: 'team', write: 'team', fields: { title: { type: 'text' } } },
  },
  rooms: [
    { room: 'doc', access: 'members' },
    { room: 'lobby', access: 'public' },
    { room: 'crew', access: 'team' },
    { room: 'desk', access: 'staff' },
    { room: 'few', access: 'members', history: 3 },
    { room: 'none', access: 'members', history: 0 },
  ],
}
const ROUTES = `import { live } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/say/:room/:id', async (c) => {
  const { room, id } = c.req.param()
  const { partition, data } = await c.req.json()
  await live.broadcast(room, id, 'news', data, { partition })
  return c.json(await live.peers(room, id, { partition }))
})
`

class Seen {
  readonly socket: TestSocket
  me = ''
  peers: Peer[] = []
  readonly messages: RoomMessage[] = []
  state: Record<string, unknown> = {}

  private constructor(socket: TestSocket) {
    this.socket = socket
  }

  static async enter(app: RunningApp, room: string, who: Person, more: object = {}): Promise<Seen> {
    const seen = new Seen(await openRoom(app, room, { cookie: who.cookie, ...more }))
    const frame = await seen.socket.next('room')
    seen.me = frame['me'] as string
    seen.peers = frame['peers'] as Peer[]
    seen.state = frame['state'] as Record<string, unknown>
    return seen
  }

  /** Reads from the socket until `count` messages have arrived. Returns all messages. */
  async hear(count: number): Promise<RoomMessage[]> {
    while (this.messages.length < count)
      this.messages.push(...((await this.socket.next('messages'))['items'] as RoomMessage[]))
    return this.messages
  }

  say(data: unknown, ref: string = crypto.randomUUID()): void {
    this.socket.send({ type: 'broadcast', ref, event: 'say', data })
  }
}

describe('the live rooms of a running app', () => {
  let app: RunningApp
  let people: ReturnType<typeof teamPeople>
  const tree = new Map([
    ...starterTree('Rooms'),
    ['app.json', JSON.stringify(MANIFEST)],
    ['server/routes.ts', ROUTES],
  ])
  before(async () => {
    app = await startApp(tree, { enabled: USED })
    people = teamPeople(app)
  })
  after(() => app.stop())

  const refused = async (room: string, who: Person | null, query = '') => {
    const answer = await app.fetch(`/_app/live/${room}${query}`, {
      headers: { cookie: who?.cookie ?? '' },
    })
    const { error } = (await answer.json()) as { error?: { code: string } }
    return error?.code ?? null
  }

  test('people in a room see each other enter, change and leave', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const one = await Seen.enter(app, 'doc/1', ada)
    assert.deepEqual(
      one.peers.map(({ id, userId }) => [id, userId]),
      [[one.me, ada.id]],
    )
    await one.socket.next('peers')
    const two = await Seen.enter(app, 'doc/1', bob)
    assert.deepEqual(two.peers.map(({ userId }) => userId).toSorted(), [ada.id, bob.id].toSorted())
    const come = await one.socket.next('peers')
    assert.deepEqual(come['put'], [{ id: two.me, userId: bob.id, presence: null }])
    two.socket.send({ type: 'presence', presence: { x: 1 } })
    two.socket.send({ type: 'presence', presence: { x: 2 } })
    const moved = await one.socket.next('peers')
    assert.deepEqual(moved['put'], [{ id: two.me, userId: bob.id, presence: { x: 2 } }], 'coalesced')
    two.socket.close()
    assert.deepEqual((await one.socket.next('peers'))['left'], [two.me])
    one.socket.close()
  })

  test('a message reaches everyone in the room once and in one order, and people who enter later', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const [one, two] = [await Seen.enter(app, 'doc/2', ada), await Seen.enter(app, 'doc/2', bob)]
    for (const n of [1, 2, 3]) (n === 2 ? two : one).say({ n })
    const heard = await one.hear(3)
    assert.deepEqual(await two.hear(3), heard)
    assert.deepEqual(heard.map(({ data }) => (data as { n: number }).n).toSorted(), [1, 2, 3])
    assert.deepEqual(heard.find(({ data }) => (data as { n: number }).n === 2)?.from, {
      id: two.me,
      userId: bob.id,
    })
    const late = await Seen.enter(app, 'doc/2', bob)
    assert.deepEqual(await late.hear(3), heard)
    const rest = await Seen.enter(app, 'doc/2', bob, { since: heard[1]?.seq })
    assert.deepEqual(await rest.hear(1), heard.slice(2))
    for (const { socket } of [one, two, late, rest]) socket.close()
  })

  test('a message that is sent again with the same ref is delivered once', async () => {
    const ada = await people.person()
    const one = await Seen.enter(app, 'doc/3', ada)
    one.say('hello', 'ref-1')
    const [first] = await one.hear(1)
    const again = await Seen.enter(app, 'doc/3', ada, { since: first?.seq })
    again.say('hello', 'ref-1')
    const answer = await again.socket.next('messages')
    assert.deepEqual([answer['items'], answer['ref']], [[first], 'ref-1'])
    again.say('next', 'ref-2')
    await one.hear(2)
    assert.deepEqual(
      one.messages.map(({ data }) => data),
      ['hello', 'next'],
    )
  })

  test('a room keeps as many messages as its declaration says, or none', async () => {
    const ada = await people.person()
    const few = await Seen.enter(app, 'few/1', ada)
    for (let n = 1; n <= 5; n++) few.say(n)
    await few.hear(5)
    const late = await Seen.enter(app, 'few/1', ada)
    assert.deepEqual(
      (await late.hear(3)).map(({ data }) => data),
      [3, 4, 5],
    )
    const none = await Seen.enter(app, 'none/1', ada)
    none.say(1)
    await none.hear(1)
    const later = await Seen.enter(app, 'none/1', ada)
    later.say(2)
    assert.deepEqual(
      (await later.hear(1)).map(({ data }) => data),
      [2],
    )
  })

  test('the state of a room: the last writer of a key wins, null removes it, and more than 64 KB is refused', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const [one, two] = [await Seen.enter(app, 'doc/4', ada), await Seen.enter(app, 'doc/4', bob)]
    const set = (who: Seen, key: string, value: unknown) =>
      who.socket.send({ type: 'state', ref: 'r', key, value })
    set(one, 'title', 'One')
    await two.socket.next('state')
    set(two, 'title', 'Two')
    set(two, 'gone', 1)
    set(two, 'gone', null)
    for (let n = 0; n < 3; n++) await two.socket.next('state')
    set(one, 'large', 'x'.repeat(31_000))
    set(one, 'larger', 'ü'.repeat(15_900))
    await two.socket.next('state')
    await two.socket.next('state')
    set(two, 'full', 'x'.repeat(3000))
    const no = await two.socket.next('refused')
    assert.deepEqual([no['code'], no['ref']], ['invalid_request', 'r'])
    for (const key of ['', 5, '__proto__', 'x'.repeat(101)]) {
      two.socket.send({ type: 'state', ref: 'bad', key, value: 1 })
      assert.equal((await two.socket.next('refused'))['ref'], 'bad')
    }
    const late = await Seen.enter(app, 'doc/4', ada)
    assert.deepEqual(Object.keys(late.state).toSorted(), ['large', 'larger', 'title'])
    assert.equal(late.state['title'], 'Two')
  })

  test('a room admits people by its access rule and their team, and never a person without a session', async () => {
    const [ada, bob, eve] = [await people.person(), await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const team = `?partition=${red}`
    assert.deepEqual(
      [
        await refused('doc/1', ada),
        await refused('doc/1', null),
        await refused('lobby/1', ada),
        await refused('lobby/1', null),
        await refused('desk/1', ada),
        await refused('crew/1', ada),
        await refused('crew/1', bob, team),
        await refused('crew/1', eve, team),
        await refused('doc/1', eve, team),
        await refused('doc/1', bob, '?partition=own'),
        await refused('doc/1', bob, `?partition=${ada.id}`),
        await refused('doc/1', bob, '?partition=app'),
        await refused('crew/1', bob, `?partition=t_${'9'.repeat(26)}`),
        await refused('attic/1', ada),
        await refused('doc/a%20b', ada),
        await refused('doc/1', ada, '?data=tasks'),
      ],
      [
        null,
        'unauthorized',
        null,
        'unauthorized',
        'forbidden',
        'invalid_request',
        null,
        'forbidden',
        'forbidden',
        null,
        'forbidden',
        'invalid_request',
        'not_found',
        'not_found',
        'invalid_request',
        'invalid_request',
      ],
    )
    await app.operate('setRole', 'production', ada.id, 'staff')
    assert.equal(await refused('desk/1', ada), null)
  })

  test('a socket from another site, for an undeclared room or without a session is refused', async () => {
    const { cookie } = await people.person()
    await assert.rejects(openRoom(app, 'doc/1', { cookie, origin: 'http://evil.test' }))
    await assert.rejects(openRoom(app, 'attic/1', { cookie }))
    await assert.rejects(openRoom(app, 'doc/1'))
  })

  test('a forged peer id, user or room in a frame or header is ignored', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const [one, two] = [await Seen.enter(app, 'doc/5', ada), await Seen.enter(app, 'doc/5', bob)]
    const lies = {
      id: one.me,
      me: one.me,
      peer: one.me,
      userId: ada.id,
      room: 'doc/other',
      from: { id: one.me },
    }
    two.socket.send({ type: 'broadcast', ref: 'r', event: 'say', data: 1, ...lies })
    assert.deepEqual((await one.hear(1))[0]?.from, { id: two.me, userId: bob.id })
    const headers = {
      'slipway-room': JSON.stringify({ room: 'desk/1', history: 9 }),
      'slipway-actor': JSON.stringify({ userId: ada.id, role: 'staff' }),
      'slipway-caller': ada.cookie.replace('app_session=', ''),
    }
    await assert.rejects(openRoom(app, 'desk/1', { cookie: bob.cookie, headers }))
    const data = await openSocket(app, { cookie: bob.cookie, headers })
    assert.equal((await data.next('hello', 'room'))['user'], bob.id)
    data.send({ type: 'broadcast', ref: 'r', event: 'say', data: 1 })
    assert.equal(await data.closed, 1008)
  })

  test('frames that are wrong, too large or too many end the socket', async () => {
    const ada = await people.person()
    const closedWith = async (send: (who: Seen) => void) => {
      const who = await Seen.enter(app, 'doc/6', ada)
      send(who)
      return await who.socket.closed
    }
    for (const frame of [
      { type: 'sing' },
      { type: 'state', key: 'a', value: 1 },
      { type: 'broadcast', ref: 5 },
    ])
      assert.equal(await closedWith(({ socket }) => socket.send(frame)), 1008)
    assert.equal(await closedWith(({ socket }) => socket.send({ type: 'mutate', ops: [] })), 1008)
    assert.equal(await closedWith((who) => who.say('x'.repeat(40_000))), 1009)
    assert.equal(
      await closedWith(({ socket }) => socket.send({ type: 'presence', presence: 'x'.repeat(1100) })),
      1008,
    )
    assert.equal(
      await closedWith((who) => {
        for (let n = 0; n < 100; n++) who.say(n)
      }),
      1008,
    )
    const who = await Seen.enter(app, 'doc/6', ada, { since: Date.now() + 1e9 })
    who.say('x'.repeat(32_000))
    await who.socket.next('messages')
    for (const frame of [
      { type: 'broadcast', ref: 'r', event: '', data: 1 },
      { type: 'broadcast', ref: 'r', event: 5, data: 1 },
    ]) {
      who.socket.send(frame)
      assert.equal((await who.socket.next('refused'))['code'], 'invalid_request')
    }
    who.socket.close()
  })

  test('a room refuses people beyond its limit, and has a place again when a person leaves', async () => {
    const ada = await people.person()
    const all = await Promise.all(Array.from({ length: 50 }, () => Seen.enter(app, 'doc/7', ada)))
    assert.equal(await refused('doc/7', ada), 'unavailable')
    await assert.rejects(openRoom(app, 'doc/7', { cookie: ada.cookie }))
    all[0]?.socket.close()
    await until(async () => (await refused('doc/7', ada)) === null)
    for (const { socket } of all) socket.close()
  })

  test("signing out, a changed role and leaving the team close the room's socket, and the others see it at once", async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const watch = await Seen.enter(app, 'crew/1', ada, { partition: red })
    const gone = await Seen.enter(app, 'crew/1', bob, { partition: red })
    await until(async () =>
      ((await watch.socket.next('peers'))['put'] as Peer[]).some(({ id }) => id === gone.me),
    )
    await ada.call('DELETE', `/_app/team/${red}/members/${bob.id}`)
    await gone.socket.next('ended')
    assert.deepEqual((await watch.socket.next('peers'))['left'], [gone.me])
    const doc = await Seen.enter(app, 'doc/8', bob)
    await app.operate('setRole', 'production', bob.id, 'staff')
    await doc.socket.next('ended')
    const desk = await Seen.enter(app, 'desk/1', bob)
    desk.socket.send({ type: 'presence', presence: 1 })
    await bob.call('POST', '/_app/auth/sign-out')
    await desk.socket.next('ended')
    assert.equal(await refused('desk/1', bob), 'unauthorized')
  })

  test('one socket carries presence, messages and records of a team in one order', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const one = await openRoom(app, 'crew/2', { cookie: ada.cookie, partition: red, data: 'tasks' })
    const hello = await one.next('hello')
    await one.next('room')
    const two = await Seen.enter(app, 'crew/2', bob, { partition: red, data: 'tasks' })
    const create = (title: string) => ({
      type: 'mutate',
      mutationId: crypto.randomUUID(),
      ops: [{ op: 'create', collection: 'tasks', fields: { title } }],
    })
    two.socket.send(create('Paint'))
    two.say('painted')
    two.socket.send(create('Dry'))
    two.say('dried')
    const order = []
    while (order.length < 4) {
      const { type, ...rest } = await one.next('ops', 'messages')
      order.push(type === 'ops' ? 'record' : (rest['items'] as RoomMessage[])[0]?.data)
    }
    assert.deepEqual(order, ['record', 'painted', 'record', 'dried'])
    const back = await openRoom(app, 'crew/2', {
      cookie: ada.cookie,
      partition: red,
      data: 'tasks',
      after: hello['seq'] as number,
    })
    const missed = await back.next('ops')
    assert.equal((missed['ops'] as object[]).length, 2)
    two.socket.close()
  })

  test('server code sends messages into a room and lists the people in it', async () => {
    const ada = await people.person()
    const red = await people.make(ada)
    const [doc, crew] = [
      await Seen.enter(app, 'doc/9', ada),
      await Seen.enter(app, 'crew/3', ada, { partition: red }),
    ]
    const said = await ada.call<Peer[]>('POST', '/api/say/doc/9', { data: { a: 1 } })
    assert.deepEqual(
      said.data.map(({ userId }) => userId),
      [ada.id],
    )
    const [message] = await doc.hear(1)
    assert.deepEqual([message?.type, message?.data, message?.from], ['news', { a: 1 }, null])
    assert.equal((await ada.call('POST', '/api/say/crew/3', { data: 1 })).error?.code, 'invalid_request')
    assert.equal((await ada.call('POST', '/api/say/attic/1', { data: 1 })).error?.code, 'not_found')
    await ada.call('POST', '/api/say/crew/3', { data: 2, partition: red })
    assert.equal((await crew.hear(1))[0]?.data, 2)
    const team = await ada.call('POST', '/api/say/crew/3', { data: 2, partition: `t_${'9'.repeat(26)}` })
    assert.equal(team.error?.code, 'not_found')
  })

  test('erasing a person removes their presence, messages and state from rooms', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const places = [
      { room: 'doc/10', more: {} },
      { room: 'crew/4', more: { partition: red } },
    ]
    for (const { room, more } of places) {
      const [one, two] = [await Seen.enter(app, room, ada, more), await Seen.enter(app, room, bob, more)]
      one.say('stays')
      two.say('canary')
      one.socket.send({ type: 'state', ref: 'a', key: 'kept', value: 1 })
      await one.socket.next('state')
      two.socket.send({ type: 'state', ref: 'b', key: 'mine', value: 'canary' })
      await two.socket.next('state')
      await two.socket.next('state')
    }
    const watch = await Seen.enter(app, 'doc/10', ada)
    await app.operate('erase', 'production', bob.id, null)
    assert.equal((await watch.socket.next('forget'))['userId'], bob.id)
    for (const { room, more } of places) {
      const after = await Seen.enter(app, room, ada, more)
      assert.deepEqual(
        (await after.hear(1)).map(({ data }) => data),
        ['stays'],
        room,
      )
      assert.deepEqual(after.state, { kept: 1 })
      assert.ok(after.peers.every(({ userId }) => userId === ada.id))
    }
  })

  test('a hundred people who leave a room at once are announced in one message', async () => {
    const roomy = await startApp(tree, { enabled: USED, variables: { LIVE_MAX_PEERS: '500' } })
    try {
      const ada = await teamPeople(roomy).person()
      const watch = await Seen.enter(roomy, 'doc/1', ada)
      const all = await Promise.all(Array.from({ length: 100 }, () => Seen.enter(roomy, 'doc/1', ada)))
      await sleep(200)
      for (const { socket } of all) socket.close()
      const left = new Set<string>()
      let frames = 0
      while (left.size < 100) {
        const news = (await watch.socket.next('peers'))['left'] as string[]
        for (const id of news) left.add(id)
        if (news.length > 0) frames++
      }
      assert.deepEqual([...left].toSorted(), all.map(({ me }) => me).toSorted())
      assert.ok(frames < 100, `${frames} frames`)
    } finally {
      await roomy.stop()
    }
  })

  test('a message reaches all 500 people in one room', async () => {
    const roomy = await startApp(tree, { enabled: USED, variables: { LIVE_MAX_PEERS: '500' } })
    try {
      const ada = await teamPeople(roomy).person()
      const all: Seen[] = []
      for (let n = 0; n < 500; n += 50)
        all.push(...(await Promise.all(Array.from({ length: 50 }, () => Seen.enter(roomy, 'none/1', ada)))))
      // The peers of one batch enter in any order, so only the largest count is certain.
      assert.equal(Math.max(...all.map(({ peers }) => peers.length)), 500)
      await assert.rejects(openRoom(roomy, 'none/1', { cookie: ada.cookie }))
      all[0]?.say('hello')
      for (const one of all) assert.equal((await one.hear(1))[0]?.data, 'hello')
    } finally {
      await roomy.stop()
    }
  })
})
