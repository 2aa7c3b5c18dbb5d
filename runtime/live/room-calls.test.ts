import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import { teamId, userId } from '../data/partition/objects.test.fixture.ts'
import type { Actor } from '../kernel/access/actor.ts'
import { noSuchPartition } from '../kernel/errors.ts'
import type { Objects } from '../kernel/objects/objects.ts'
import { handleLive, openRoom, parseRoomPath } from './room-calls.ts'
import type { LiveCalls, RoomSpec } from './types.ts'

const [ADA, BOB] = [userId('a'), userId('b')]
const TEAM = teamId('t')
const ada: Actor = { userId: ADA, role: 'member' }
const ROOMS: RoomSpec[] = [
  { room: 'chat', access: 'public' },
  { room: 'doc', access: 'members', history: 20 },
  { room: 'log', access: 'members', history: 500 },
  { room: 'desk', access: 'team' },
]
let releases = 0

describe('the rooms of an app in the live worker', () => {
  /** The calls to the objects: the name of the object, the method and the arguments. */
  let calls: [object: string, method: string, ...given: unknown[]][]
  /** The statuses that the object of a room returns from `fetch`, in order. The last one repeats. */
  let statuses: number[]
  let noted: object
  let hash: string
  let hasManifest: boolean
  let prepared: unknown[][]
  let isPrepared: boolean
  beforeEach(() => {
    calls = []
    statuses = [200]
    noted = { ok: true, value: null }
    // The rooms of a release are cached by its hash for the life of the process.
    hash = `rooms-${++releases}`
    hasManifest = true
    prepared = []
    isPrepared = true
  })

  const stubOf = (name: string) => ({
    dirManifest: async () =>
      hasManifest ? { name: 'Chats', collections: {}, migrations: [], rooms: ROOMS } : null,
    fetch: async (request: Request) => {
      calls.push([
        name,
        'fetch',
        new URL(request.url).search,
        JSON.parse(request.headers.get('slipway-room') ?? 'null'),
      ])
      return new Response(null, { status: (statuses.length > 1 ? statuses.shift() : statuses[0]) ?? 200 })
    },
    rooms: async (kind: string, ask: unknown) => {
      calls.push([name, kind, ask])
      return kind === 'peers' ? { ok: true, value: [] } : noted
    },
    memberships: async (kind: string, ask: unknown) => void calls.push([name, kind, ask]),
  })
  const context = () => ({
    objects: { getByName: stubOf } as unknown as Objects,
    tier: 'production' as const,
    settings: { allowAnonymous: true, historyLimit: 100 } as Parameters<typeof openRoom>[0]['settings'],
    partitionFor: async (actor: Actor, wanted: string) => {
      if (wanted === 'own' && typeof actor !== 'string') return actor.userId
      if (wanted === 'app' || [ADA, BOB, TEAM].includes(wanted)) return wanted
      throw noSuchPartition()
    },
    actorIn: async (actor: Actor, partition: string): Promise<Actor> =>
      partition === TEAM && typeof actor !== 'string' && actor.userId === ADA
        ? { ...actor, inTeam: true }
        : actor,
  })
  /** Returns the status, or the code and message of the error. */
  async function open(path: string, actor: Actor = ada, headers: Record<string, string> = {}) {
    const request = new Request(`https://app.example.test/_app/live/${path}`, {
      headers: { 'slipway-manifest': hash, ...headers },
    })
    const prepare = async (...given: unknown[]) => {
      prepared.push(given)
      return isPrepared
    }
    return await openRoom(context(), actor, request, prepare).then(
      ({ status }) => status,
      ({ code, message }: { code: string; message: string }) => [code, message],
    )
  }
  const ask = <Kind extends keyof LiveCalls>(kind: Kind, asked: LiveCalls[Kind]['ask']) =>
    handleLive(context(), hash, kind, asked)
  const NOTED = ['note', { room: 'chat/1' }] as const

  test('a room of the app has its own Durable Object, and is added to the room list of a person before the person enters', async () => {
    assert.equal(await open('chat/1?since=5'), 200)
    const joined = { room: 'chat/1', history: 100, canCall: false }
    assert.deepEqual(calls, [
      [`data:${ADA}`, ...NOTED],
      ['room:chat/1', 'fetch', '?since=5', joined],
    ])
  })

  test("a person's or team's live room is in the Durable Object of their records, and entering a team's is recorded", async () => {
    assert.equal(await open(`doc/1?partition=own`), 200)
    assert.equal(await open(`desk/1?partition=${TEAM}&data=notes`), 200)
    assert.deepEqual(calls, [
      [`data:${ADA}`, 'fetch', '?partition=own', { room: 'doc/1', history: 20, canCall: false }],
      [`data:${ADA}`, 'follow', { team: TEAM }],
      [
        `data:${TEAM}`,
        'fetch',
        `?partition=${TEAM}&data=notes`,
        { room: 'desk/1', history: 100, canCall: false },
      ],
    ])
  })

  test('a room keeps as many messages as it declares, and at most as many as the operator allows', async () => {
    for (const room of ['chat', 'doc', 'log']) await open(`${room}/1`)
    const joinedRooms = calls.filter(([, method]) => method === 'fetch').map(([, , , joined]) => joined)
    assert.deepEqual(
      joinedRooms.map((joined) => Reflect.get(joined as object, 'history') as number),
      [100, 20, 100],
    )
  })

  test('entering a room stores nothing for a visitor, and a page may take part in calls only if the app allows it', async () => {
    for (const word of ['on', 'ON', '1']) await open('chat/1', 'anonymous', { 'slipway-call': word })
    assert.deepEqual(
      calls.map(([object, , , joined]) => [object, Reflect.get(joined as object, 'canCall')]),
      [
        ['room:chat/1', true],
        ['room:chat/1', false],
        ['room:chat/1', false],
      ],
    )
  })

  test('a room that is not declared, an invalid id, and a person without access are refused before anything is called', async () => {
    const signIn = ['unauthorized', 'Sign in to enter this room.']
    const forbidden = ['forbidden', 'You may not enter this room.']
    const noRoom = ['not_found', 'There is no such room; app.json declares them.']
    const badId = ['invalid_request', 'id: must have 1 to 100 letters, digits, dots, dashes or underscores']
    for (const [path, actor, refusal] of [
      ['other/1', ada, noRoom],
      ['toString/1', ada, noRoom],
      ['chat/a%20b', ada, badId],
      [`chat/${'x'.repeat(101)}`, ada, badId],
      ['doc/1', 'anonymous', signIn],
      ['chat/1?partition=own', 'anonymous', ['not_found', 'There is no such partition.']],
      [`doc/1?partition=${BOB}`, ada, forbidden],
      [`desk/1?partition=${TEAM}`, { ...ada, userId: BOB }, forbidden],
      ['desk/1', ada, ['invalid_request', 'partition: must be the id of a team']],
      ['chat/1?partition=app', ada, ['invalid_request', 'partition: must be own or the id of a team']],
      ['chat/1?data=notes', ada, ['invalid_request', 'data: needs a partition, whose records come along']],
    ] as const)
      assert.deepEqual(await open(path, actor), refusal, path)
    assert.deepEqual(calls, [])
  })

  test('a person who has reached the limit of live rooms cannot enter another room', async () => {
    noted = { ok: false, error: { code: 'conflict', message: 'You have been in 5000 rooms.' } }
    assert.deepEqual(await open('chat/1'), ['conflict', 'You have been in 5000 rooms.'])
    assert.deepEqual(calls, [[`data:${ADA}`, ...NOTED]])
  })

  test("a live room request with a release that the app's directory does not know gets 409, and calls no room", async () => {
    hasManifest = false
    assert.deepEqual([await open('chat/1'), calls], [409, []])
  })

  test('a live room request to a partition that does not know the release is repeated once after sending the manifest', async () => {
    statuses = [409, 200]
    assert.equal(await open(`doc/1?partition=own`), 200)
    assert.deepEqual(prepared, [[hash, ADA]])
    statuses = [409]
    assert.equal(await open(`doc/1?partition=own`), 409)
    isPrepared = false
    assert.equal(await open(`doc/1?partition=own`), 409)
    const fetches = calls.filter(([, method]) => method === 'fetch')
    assert.deepEqual([prepared.length, fetches.length], [3, 5])
    // The object of a room of the app needs no manifest, so its 409 is returned without preparing a release.
    assert.equal(await open('chat/1'), 409)
    assert.equal(prepared.length, 3)
  })

  test('server code lists the pages in a room and sends them a message, even in a room that no person may enter', async () => {
    assert.deepEqual(await ask('peers', { name: 'chat', id: '1' }), { ok: true, value: [] })
    await ask('broadcast', { name: 'doc', id: '1', partition: BOB, event: 'say', data: undefined })
    await ask('broadcast', { name: 'desk', id: '1', partition: TEAM, event: 'say', data: 0 })
    assert.deepEqual(calls, [
      ['room:chat/1', 'peers', { room: 'chat/1' }],
      [`data:${BOB}`, 'broadcast', { room: 'doc/1', history: 20, event: 'say', data: null }],
      [`data:${TEAM}`, 'broadcast', { room: 'desk/1', history: 100, event: 'say', data: 0 }],
    ])
  })

  test('a call of server code with an invalid room or partition returns the reason, and calls no Durable Object', async () => {
    const codes: unknown[] = []
    for (const [name, id, partition] of [
      ['other', '1', undefined],
      ['chat', '', undefined],
      ['chat', 5, undefined],
      ['chat', '1', 'app'],
      ['chat', '1', userId('z')],
      ['desk', '1', undefined],
    ] as const) {
      const answer = await ask('peers', { name, id: id as string, partition })
      codes.push(answer.ok || !('error' in answer) ? answer : answer.error.code)
    }
    const [invalid, missing] = ['invalid_request', 'not_found']
    assert.deepEqual([codes, calls], [[missing, invalid, invalid, invalid, missing, invalid], []])
    hasManifest = false
    hash = `rooms-${++releases}`
    assert.deepEqual(await ask('peers', { name: 'chat', id: '1' }), { ok: false, unprepared: true })
  })

  test('only an address with exactly a name and an id belongs to a live room', () => {
    const found = { name: 'chat', id: '1' }
    assert.deepEqual(
      [
        '/_app/live/chat/1',
        '/_app/live/chat',
        '/_app/live/chat/',
        '/_app/live/chat/1/2',
        '/x/_app/live/chat/1',
        '/',
      ].map(parseRoomPath),
      [found, null, null, null, null, null],
    )
  })
})
