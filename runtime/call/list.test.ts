import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/sqlite.test.fixture.ts'
import { CallList } from './list.ts'

const at = (room: string, atMs: number) => ({ place: `room:${room}`, room, atMs })

test('the list of calls shows the newest first and ignores delayed updates about earlier calls', () => {
  const list = new CallList(memoryStorage())
  list.note([at('desk/1', 10)], true)
  list.note([at('desk/2', 20)], true)
  // Two delayed messages: an earlier call of this room has ended, and that earlier call has begun.
  list.note([at('desk/2', 19)], false)
  list.note([at('desk/2', 15)], true)
  assert.deepEqual(list.newest(), [at('desk/2', 20), at('desk/1', 10)])
  list.note([at('desk/2', 20), at('desk/1', 11), at('desk/3', 30)], false)
  assert.deepEqual(list.newest(), [])
})

test('the list of running calls contains at most the forty newest rooms', () => {
  const list = new CallList(memoryStorage())
  const all = Array.from({ length: 41 }, (_, n) => at(`desk/${n}`, n))
  list.note(all, true)
  assert.deepEqual(list.newest(), all.toReversed().slice(0, 40))
})
