import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Peer } from '@slipway/runtime/live/types.ts'
import { until } from '../../../releases/testing.ts'
import { openRoom, openSocket } from '../../testing/bundle-socket.ts'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { ROOM_KEYS, ROOM_TREE, Participant } from '../../testing/rooms-app.ts'
import { type Person, teamPeople } from '../../testing/team-people.ts'

describe('access to the live rooms of a running app', () => {
  let app: RunningApp
  let people: ReturnType<typeof teamPeople>
  before(async () => {
    app = await startApp(ROOM_TREE, { enabled: ROOM_KEYS })
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

  test('a room admits people according to its access rule and team, and never a person without a session', async () => {
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

  test('a WebSocket to a room is refused from another site, for an undeclared room and without a session', async () => {
    const { cookie } = await people.person()
    await assert.rejects(openRoom(app, 'doc/1', { cookie, origin: 'http://evil.test' }))
    await assert.rejects(openRoom(app, 'attic/1', { cookie }))
    await assert.rejects(openRoom(app, 'doc/1'))
  })

  test('a forged client id, user or room in a WebSocket frame or header is ignored', async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const [one, two] = [
      await Participant.enter(app, 'doc/5', ada),
      await Participant.enter(app, 'doc/5', bob),
    ]
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

  test('malformed, oversized or too many WebSocket frames close the connection to a room', async () => {
    const ada = await people.person()
    const closedWith = async (send: (who: Participant) => void) => {
      const who = await Participant.enter(app, 'doc/6', ada)
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
    const who = await Participant.enter(app, 'doc/6', ada, { since: Date.now() + 1e9 })
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

  test('a full room refuses new people until one of its people leaves', async () => {
    const ada = await people.person()
    const all = await Promise.all(Array.from({ length: 50 }, () => Participant.enter(app, 'doc/7', ada)))
    assert.equal(await refused('doc/7', ada), 'unavailable')
    await assert.rejects(openRoom(app, 'doc/7', { cookie: ada.cookie }))
    all[0]?.socket.close()
    await until(async () => (await refused('doc/7', ada)) === null)
    for (const { socket } of all) socket.close()
  })

  test("signing out, a role change and leaving the team close the person's WebSocket to a room", async () => {
    const [ada, bob] = [await people.person(), await people.person()]
    const red = await people.make(ada)
    await people.join(ada, red, bob)
    const watch = await Participant.enter(app, 'crew/1', ada, { partition: red })
    const gone = await Participant.enter(app, 'crew/1', bob, { partition: red })
    await until(async () =>
      ((await watch.socket.next('peers'))['put'] as Peer[]).some(({ id }) => id === gone.me),
    )
    await ada.call('DELETE', `/_app/team/${red}/members/${bob.id}`)
    await gone.socket.next('ended')
    assert.deepEqual((await watch.socket.next('peers'))['left'], [gone.me])
    const doc = await Participant.enter(app, 'doc/8', bob)
    await app.operate('setRole', 'production', bob.id, 'staff')
    await doc.socket.next('ended')
    const desk = await Participant.enter(app, 'desk/1', bob)
    desk.socket.send({ type: 'presence', presence: 1 })
    await bob.call('POST', '/_app/auth/sign-out')
    await desk.socket.next('ended')
    assert.equal(await refused('desk/1', bob), 'unauthorized')
  })
})
