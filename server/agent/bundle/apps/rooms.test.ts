import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer, RoomMessage } from '@slipway/runtime/live/types.ts'
import { openRoom } from '../../testing/bundle-socket.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { ROOM_KEYS, ROOM_TREE, Participant } from '../../testing/rooms-app.ts'
import { teamPeople } from '../../testing/team-people.ts'

describe('the live rooms of a running app', () => {
  let app: RunningApp
  let people: ReturnType<typeof teamPeople>
  before(async () => {
    app = await startApp(ROOM_TREE, { enabled: ROOM_KEYS })
    people = teamPeople(app)
  })
  after(() => app.stop())

  test('people in a room see when others enter, change their presence and leave', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const one = await Participant.enter(app, 'doc/1', ada)
    assert.deepEqual(
      one.peers.map(({ id, userId }) => [id, userId]),
      [[one.me, ada.id]],
    )
    await one.socket.next('peers')
    const two = await Participant.enter(app, 'doc/1', bob)
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

  test('everyone in a room, including those who enter later, gets each message once and in the same order', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const [one, two] = [
      await Participant.enter(app, 'doc/2', ada),
      await Participant.enter(app, 'doc/2', bob),
    ]
    for (const n of [1, 2, 3]) (n === 2 ? two : one).say({ n })
    const heard = await one.hear(3)
    assert.deepEqual(await two.hear(3), heard)
    assert.deepEqual(heard.map(({ data }) => (data as { n: number }).n).toSorted(), [1, 2, 3])
    assert.deepEqual(heard.find(({ data }) => (data as { n: number }).n === 2)?.from, {
      id: two.me,
      userId: bob.id,
    })
    const late = await Participant.enter(app, 'doc/2', bob)
    assert.deepEqual(await late.hear(3), heard)
    const rest = await Participant.enter(app, 'doc/2', bob, { since: heard[1]?.seq })
    assert.deepEqual(await rest.hear(1), heard.slice(2))
    for (const { socket } of [one, two, late, rest]) socket.close()
  })

  test('a room message that a client repeats with the same reference id is delivered once', async () => {
    const ada = await people.person()
    const one = await Participant.enter(app, 'doc/3', ada)
    one.say('hello', 'ref-1')
    const [first] = await one.hear(1)
    const again = await Participant.enter(app, 'doc/3', ada, { since: first?.seq })
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

  test("a person who enters a room gets its last messages, as many as the room's declaration says, or none", async () => {
    const ada = await people.person()
    const few = await Participant.enter(app, 'few/1', ada)
    for (let n = 1; n <= 5; n++) few.say(n)
    await few.hear(5)
    const late = await Participant.enter(app, 'few/1', ada)
    assert.deepEqual(
      (await late.hear(3)).map(({ data }) => data),
      [3, 4, 5],
    )
    const none = await Participant.enter(app, 'none/1', ada)
    none.say(1)
    await none.hear(1)
    const later = await Participant.enter(app, 'none/1', ada)
    later.say(2)
    assert.deepEqual(
      (await later.hear(1)).map(({ data }) => data),
      [2],
    )
  })

  test("the last writer of a key in a room's shared state wins, and a state of more than 64 KB is refused", async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const [one, two] = [
      await Participant.enter(app, 'doc/4', ada),
      await Participant.enter(app, 'doc/4', bob),
    ]
    const set = (who: Participant, key: string, value: unknown) =>
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
    const late = await Participant.enter(app, 'doc/4', ada)
    assert.deepEqual(Object.keys(late.state).toSorted(), ['large', 'larger', 'title'])
    assert.equal(late.state['title'], 'Two')
  })

  test('one WebSocket delivers the room messages and record changes of a team in the order in which they were sent', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const one = await openRoom(app, 'crew/2', { cookie: ada.cookie, partition: red, data: 'tasks' })
    const hello = await one.next('hello')
    await one.next('room')
    const two = await Participant.enter(app, 'crew/2', bob, { partition: red, data: 'tasks' })
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
      await Participant.enter(app, 'doc/9', ada),
      await Participant.enter(app, 'crew/3', ada, { partition: red }),
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

  test("erasing a person removes the person's presence, messages and state from rooms", async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const places = [
      { room: 'doc/10', more: {} },
      { room: 'crew/4', more: { partition: red } },
    ]
    for (const { room, more } of places) {
      const [one, two] = [
        await Participant.enter(app, room, ada, more),
        await Participant.enter(app, room, bob, more),
      ]
      one.say('stays')
      two.say('canary')
      one.socket.send({ type: 'state', ref: 'a', key: 'kept', value: 1 })
      await one.socket.next('state')
      two.socket.send({ type: 'state', ref: 'b', key: 'mine', value: 'canary' })
      await two.socket.next('state')
      await two.socket.next('state')
    }
    const watch = await Participant.enter(app, 'doc/10', ada)
    await app.operate('erase', 'production', bob.id, null)
    assert.equal((await watch.socket.next('forget'))['userId'], bob.id)
    for (const { room, more } of places) {
      const after = await Participant.enter(app, room, ada, more)
      assert.deepEqual(
        (await after.hear(1)).map(({ data }) => data),
        ['stays'],
        room,
      )
      assert.deepEqual(after.state, { kept: 1 })
      assert.ok(after.peers.every(({ userId }) => userId === ada.id))
    }
  })

  test('when a hundred people leave a room at once, the remaining person gets fewer than a hundred WebSocket frames', async () => {
    const roomy = await startApp(ROOM_TREE, { enabled: ROOM_KEYS, variables: { LIVE_MAX_PEERS: '500' } })
    try {
      const ada = await teamPeople(roomy).person()
      const watch = await Participant.enter(roomy, 'doc/1', ada)
      const all = await Promise.all(Array.from({ length: 100 }, () => Participant.enter(roomy, 'doc/1', ada)))
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

  test('a message in a room reaches all 500 connections', async () => {
    const roomy = await startApp(ROOM_TREE, { enabled: ROOM_KEYS, variables: { LIVE_MAX_PEERS: '500' } })
    try {
      const ada = await teamPeople(roomy).person()
      const all: Participant[] = []
      for (let n = 0; n < 500; n += 50)
        all.push(
          ...(await Promise.all(Array.from({ length: 50 }, () => Participant.enter(roomy, 'none/1', ada)))),
        )
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
