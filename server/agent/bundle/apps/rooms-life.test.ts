import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Peer, RoomMessage } from '@slipway/runtime/live/types.ts'
import { openRoom } from '../../testing/bundle-socket.ts'
import { type AppOptions, type RunningApp, startApp } from '../../testing/bundle.ts'
import { type Person, teamPeople } from '../../testing/team-people.ts'
import { starterTree } from '../../source/tree.ts'

/** An idle Durable Object hibernates after ten seconds; its sockets stay open. */
const ASLEEP_MS = 12_000

const USED = ['auth', 'data', 'team', 'live']
const MANIFEST = {
  slipway: 1,
  name: 'Rooms',
  uses: USED,
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  rooms: [
    { room: 'doc', access: 'members' },
    { room: 'crew', access: 'team' },
  ],
}
const PAGE = `import { Page, usePresence, useRoom } from '@slipway/app/react'
export default function Home() {
  const room = useRoom('doc', '1', { presence: { name: 'A page' } })
  const peers = usePresence(room)
  return <Page title="Home">{room.status()} {peers.length} {room.messages('say').length}</Page>
}
`
const TEST = `import { app, expect, test } from '@slipway/app/testing'

test('people in a room receive the messages of other people there', async () => {
  const [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')]
  const hers = await ada.room('doc', '1')
  await hers.broadcast('say', { text: 'early' })
  const his = await bob.room('doc', '1')
  his.setPresence({ typing: true })
  await hers.until(() => hers.peers().some(({ presence }) => presence?.typing))
  const heard = []
  his.on('say', (data, { from }) => heard.push([data.text, from.userId === ada.user.id]))
  await hers.broadcast('say', { text: 'hi' })
  await his.until(() => his.messages('say').length === 2)
  expect(heard).toEqual([['hi', true]])
  await Promise.all(Array.from({ length: 20 }, (_, n) => hers.state.set('n', n)))
  await his.until(() => his.state.get('n') === 19)
  his.leave()
  await hers.until(() => hers.peers().length === 1)
})

test('only members of a team can enter its room', async () => {
  const [ada, bob] = [await app.signUp('Ada'), await app.signUp('Bob')]
  await expect(app.room('doc', '1')).toReject('unauthorized')
  await expect(bob.room('crew', '1')).toReject('invalid_request')
  const red = await app.team('Red', ada, bob)
  expect((await bob.room('crew', '1', { partition: red })).peers().length).toBe(1)
})
`
interface RowPage {
  rows: object[]
  next: object | null
}

const TREE = new Map([
  ...starterTree('Rooms'),
  ['app.json', JSON.stringify(MANIFEST)],
  ['web/pages/Home.tsx', PAGE],
  ['tests/rooms.test.ts', TEST],
])

async function withApp<T>(options: AppOptions, work: (app: RunningApp) => Promise<T>): Promise<T> {
  const app = await startApp(TREE, { enabled: USED, ...options })
  try {
    return await work(app)
  } finally {
    await app.stop()
  }
}

const enter = async (app: RunningApp, room: string, who: { cookie: string }, more: object = {}) => {
  const socket = await openRoom(app, room, { cookie: who.cookie, ...more })
  const hello = await socket.next('room')
  return { socket, me: hello['me'] as string, peers: hello['peers'] as Peer[], state: hello['state'] }
}

async function say(app: RunningApp, room: string, who: Person, text: string, more: object = {}) {
  const { socket } = await enter(app, room, who, { since: Date.now() + 1e9, ...more })
  socket.send({ type: 'broadcast', ref: crypto.randomUUID(), event: 'say', data: text })
  const [message] = (await socket.next('messages'))['items'] as RoomMessage[]
  socket.send({ type: 'state', ref: crypto.randomUUID(), key: text, value: { by: who.id } })
  await socket.next('state')
  socket.close()
  return message as RoomMessage
}

const heard = async (app: RunningApp, room: string, who: { cookie: string }, more: object = {}) => {
  const { socket, state } = await enter(app, room, who, more)
  const items = (await socket.next('messages'))['items'] as RoomMessage[]
  socket.close()
  return { texts: items.map(({ data }) => data), state }
}

describe('live rooms over time', () => {
  test('the tests inside a generated app can let several people enter a room and exchange messages', async () => {
    await withApp({}, async (app) => {
      const results = (await (await app.ask('tests', '/run')).json()) as { ok: boolean; error: unknown }[]
      assert.deepEqual(
        results.map(({ ok, error }) => [ok, error]),
        [
          [true, null],
          [true, null],
        ],
      )
      const pages = (await (await app.ask('smoke', '/')).json()) as { ok: boolean; error: unknown }[]
      assert.ok(
        pages.every(({ ok }) => ok),
        JSON.stringify(pages),
      )
    })
  })

  test('after its Durable Object hibernated, a room still lists its people and delivers messages with the sender', async () => {
    await withApp({}, async (app) => {
      const people = teamPeople(app)
      const [ada, bob] = [await people.person(), await people.person()]
      const one = await enter(app, 'doc/1', ada)
      one.socket.send({ type: 'presence', presence: { cursor: 7 } })
      await one.socket.next('peers')
      await sleep(ASLEEP_MS)
      const two = await enter(app, 'doc/1', bob)
      assert.deepEqual(
        two.peers.find(({ id }) => id === one.me),
        { id: one.me, userId: ada.id, presence: { cursor: 7 } },
      )
      one.socket.send({ type: 'broadcast', ref: 'r', event: 'say', data: 'awake' })
      const [message] = (await two.socket.next('messages'))['items'] as RoomMessage[]
      assert.deepEqual(message?.from, { id: one.me, userId: ada.id })
    })
  })

  test('people who reconnect after a deployment find all messages and the state of the room', async () => {
    const stateFolder = mkdtempSync(join(tmpdir(), 'slipway-rooms-'))
    try {
      await withApp({ stateFolder }, async (app) => {
        const people = teamPeople(app)
        const ada = await people.person()
        const first = await say(app, 'doc/1', ada, 'one')
        const open = await enter(app, 'doc/1', ada)
        const last = await say(app, 'doc/1', ada, 'two')
        await app.ship(TREE)
        await open.socket.closed
        const { texts, state } = await heard(app, 'doc/1', ada)
        assert.deepEqual(
          [texts, Object.keys(state as object)],
          [
            ['one', 'two'],
            ['one', 'two'],
          ],
        )
        assert.deepEqual((await heard(app, 'doc/1', ada, { since: first.seq })).texts, ['two'])
        assert.ok((await say(app, 'doc/1', ada, 'three')).seq > last.seq)
      })
    } finally {
      rmSync(stateFolder, { recursive: true, force: true })
    }
  })

  test("messages in a room of an app's preview do not reach the live app", async () => {
    const stateFolder = mkdtempSync(join(tmpdir(), 'slipway-rooms-'))
    try {
      await withApp({ stateFolder, tier: 'preview' }, async (app) => {
        await say(app, 'doc/1', await teamPeople(app).person(), 'preview')
      })
      await withApp({ stateFolder }, async (app) => {
        const ada = await teamPeople(app).person()
        await say(app, 'doc/1', ada, 'served')
        assert.deepEqual((await heard(app, 'doc/1', ada)).texts, ['served'])
      })
    } finally {
      rmSync(stateFolder, { recursive: true, force: true })
    }
  })

  test("during a project's move to another account rooms refuse messages, and the copy has the rooms' messages and state", async () => {
    await withApp({}, async (from) => {
      const people = teamPeople(from)
      const [ada, bob] = [await people.person(), await people.person()]
      const red = await people.make(ada)
      await people.join(ada, red, bob)
      const team = { partition: red }
      for (const text of ['x'.repeat(31_000), 'a', 'b']) await say(from, 'doc/1', ada, text.slice(0, 90))
      await say(from, 'doc/1', bob, 'canary')
      await say(from, 'crew/1', bob, 'canary', team)
      await say(from, 'crew/1', ada, 'stays', team)
      const before = [await heard(from, 'doc/1', ada), await heard(from, 'crew/1', ada, team)]
      await from.operate('hold', 'production', true)
      for (const room of ['doc/1', 'doc/new']) {
        const { socket } = await enter(from, room, ada)
        socket.send({ type: 'broadcast', ref: 'late', event: 'say', data: 'late' })
        assert.equal((await socket.next('refused'))['code'], 'unavailable', room)
        socket.close()
      }
      await withApp({}, async (to) => {
        // Data of an earlier, interrupted copy, which the service deletes before it copies again.
        await say(to, 'doc/1', await teamPeople(to).person(), 'left over')
        await to.operate('wipe', 'production')
        const { release, partitions } = await from.operate<{
          release: { hash: string; manifest: object }
          partitions: { name: string; head: object }[]
        }>('contents', 'production')
        await to.operate('activate', 'production', release.hash, release.manifest)
        assert.deepEqual(
          partitions.map(({ name }) => name).filter((name) => name.startsWith('room:')),
          ['room:doc/1'],
        )
        for (const { name, head } of partitions) {
          await to.operate('takeHead', 'production', name, head, release)
          for (let after: object | null = null; ;) {
            const page: RowPage = await from.operate('rows', 'production', name, after)
            for (const _ of [1, 2]) await to.operate('takeRows', 'production', name, page.rows)
            if (page.next === null) break
            after = page.next
          }
        }
        const after = [await heard(to, 'doc/1', ada), await heard(to, 'crew/1', ada, team)]
        assert.deepEqual(after, before)
        await to.operate('erase', 'production', bob.id, null)
        const texts = [await heard(to, 'doc/1', ada), await heard(to, 'crew/1', ada, team)]
        assert.ok(!JSON.stringify(texts).includes('canary'))
        assert.deepEqual(texts[1]?.texts, ['stays'])
      })
    })
  })
})
