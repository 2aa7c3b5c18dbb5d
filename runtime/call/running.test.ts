import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppObjectStub, Objects } from '../kernel/objects/objects.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { CallList } from './list.ts'
import { runningCalls } from './running.ts'
import type { CallLocation, CallParticipantState } from './types.ts'

const START = Date.parse('2026-11-26T10:00:00Z')

/** Fakes the app's Durable Objects. `participants` lists who is in the call of each room. */
function makeObjects(participants: Record<string, (CallParticipantState & { userId: string | null })[]>) {
  const list = new CallList(memoryStorage())
  const asked: string[] = []
  const directory = {
    users: async () => ({ u_ada: 'Ada' }),
    rooms: async (kind: string, ask: { calls: CallLocation[]; isOn: boolean }) => ({
      ok: true,
      value: kind === 'calls' ? list.newest() : list.record(ask.calls, ask.isOn),
    }),
  }
  const objects: Objects = {
    getByName: (name: string) => {
      const host = {
        rooms: async (_kind: 'call', { room }: { room: string }) => {
          asked.push(`${name} ${room}`)
          if (room === 'desk/ill') throw new Error('This object is overloaded.')
          return { ok: true, value: participants[room] ?? [] }
        },
      }
      return (name === 'pv:dir' ? directory : host) as unknown as AppObjectStub
    },
  }
  return { objects, list, asked }
}

test('an ended call leaves the list of running calls, while a call whose room is unreachable stays listed', async () => {
  const state = { mode: 'mesh' as const, tracks: [], muted: [], startedMs: START }
  const { objects, list, asked } = makeObjects({
    'desk/main': [
      { ...state, joinedMs: START, userId: 'u_ada' },
      { ...state, joinedMs: START + 60_000, userId: null },
    ],
    'talk/a/b': [{ ...state, startedMs: START + 1000, joinedMs: START + 1000, userId: 'u_erased' }],
  })
  const place = (at: string, room: string, atMs: number) => ({ place: at, room, atMs })
  list.record(
    [
      place('room:desk/main', 'desk/main', 1),
      place('t_red', 'talk/a/b', 2),
      place('room:desk/gone', 'desk/gone', 3),
      place('room:desk/ill', 'desk/ill', 0),
    ],
    true,
  )
  const reports: unknown[] = []
  const calls = await runningCalls(objects, 'preview', (error) => reports.push(String(error)))
  assert.deepEqual(reports, ['Error: This object is overloaded.'])
  assert.deepEqual(asked.toSorted(), [
    'pv:data:t_red talk/a/b',
    'pv:room:desk/gone desk/gone',
    'pv:room:desk/ill desk/ill',
    'pv:room:desk/main desk/main',
  ])
  const [talk, desk] = calls
  assert.equal(calls.length, 2)
  assert.deepEqual(
    [talk?.room, talk?.id, talk?.partition, talk?.people[0]?.name],
    ['talk', 'a/b', 't_red', null],
  )
  assert.deepEqual(desk, {
    room: 'desk',
    id: 'main',
    partition: null,
    mode: 'mesh',
    startedAt: '2026-11-26T10:00:00.000Z',
    people: [
      { userId: 'u_ada', name: 'Ada', joinedAt: '2026-11-26T10:00:00.000Z', tracks: [], muted: [] },
      { userId: null, name: null, joinedAt: '2026-11-26T10:01:00.000Z', tracks: [], muted: [] },
    ],
  })
  assert.deepEqual(
    list.newest().map(({ room }) => room),
    ['talk/a/b', 'desk/main', 'desk/ill'],
  )
})
