import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryStorage } from '../kernel/sqlite.test.fixture.ts'
import { Outbox } from './outbox.ts'

const NOW = new Date('2026-11-20T10:00:00Z')
const inDays = (days: number) => new Date(NOW.getTime() + days * 86_400_000)
const mailTo = (to: string) => ({ to, subject: 'A code', text: 'It is 123456.' })

test('the newest 200 messages are kept for a week, the newest first', () => {
  const outbox = new Outbox(memoryStorage())
  for (let n = 0; n < 205; n++) outbox.keep(mailTo(`p${n}@example.test`), NOW)
  const kept = outbox.newest(1000, NOW)
  assert.deepEqual([kept.length, kept[0]?.to, kept.at(-1)?.to], [200, 'p204@example.test', 'p5@example.test'])
  assert.equal(outbox.newest(3, NOW).length, 3)
  assert.equal(outbox.newest(1000, inDays(6.9)).length, 200)
  assert.equal(outbox.newest(1000, inDays(7.1)).length, 0)
  outbox.keep(mailTo('late@example.test'), inDays(8))
  assert.equal(outbox.newest(1000, NOW).length, 1)
})

test('the messages of a person who is erased are removed, and no others', () => {
  const outbox = new Outbox(memoryStorage())
  for (const to of ['ada@example.test', 'bob@example.test', 'ada@example.test']) outbox.keep(mailTo(to), NOW)
  assert.equal(outbox.count('ada@example.test'), 2)
  outbox.forget('ada@example.test')
  assert.equal(outbox.count('ada@example.test'), 0)
  assert.deepEqual(
    outbox.newest(10, NOW).map(({ to }) => to),
    ['bob@example.test'],
  )
})

test('an address that gets no message leaves nothing and pushes nothing out', () => {
  const outbox = new Outbox(memoryStorage())
  for (let n = 0; n < 200; n++) outbox.keep(mailTo(`p${n}@example.test`), NOW)
  outbox.keep(null, NOW)
  assert.equal(outbox.newest(1000, NOW).at(-1)?.to, 'p0@example.test')
  assert.equal(outbox.newest(1000, NOW).length, 200)
})
