import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { CallList } from './list.ts'

const callAt = (room: string, atMs: number) => ({ place: `room:${room}`, room, atMs })

test("the list of running calls shows the newest first, and ignores delayed reports about a room's earlier calls", () => {
  const list = new CallList(memoryStorage())
  list.record([callAt('desk/1', 10)], true)
  list.record([callAt('desk/2', 20)], true)
  // Two delayed messages about an earlier call of this room: its end, and then its start.
  list.record([callAt('desk/2', 19)], false)
  list.record([callAt('desk/2', 15)], true)
  assert.deepEqual(list.newest(), [callAt('desk/2', 20), callAt('desk/1', 10)])
  list.record([callAt('desk/2', 20), callAt('desk/1', 11), callAt('desk/3', 30)], false)
  assert.deepEqual(list.newest(), [])
})

test("erasing a person removes the calls in that person's rooms from the list of running calls", () => {
  const list = new CallList(memoryStorage())
  list.record([{ place: 'u_ada', room: 'desk/1', atMs: 10 }, callAt('desk/1', 20)], true)
  list.forget('u_ada')
  assert.deepEqual(list.newest(), [callAt('desk/1', 20)])
})

test('the list of running calls contains at most the forty newest rooms', () => {
  const list = new CallList(memoryStorage())
  const all = Array.from({ length: 41 }, (_, n) => callAt(`desk/${n}`, n))
  list.record(all, true)
  assert.deepEqual(list.newest(), all.toReversed().slice(0, 40))
})
