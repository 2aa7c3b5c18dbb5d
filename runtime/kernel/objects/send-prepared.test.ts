import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sendPrepared } from './send-prepared.ts'

/** Returns the result of `sendPrepared` and the calls that it made, when `prepare` returns `prepared`. */
async function sendTo(results: string[], prepared?: boolean) {
  const calls: string[] = []
  const result = await sendPrepared(
    () => Promise.resolve(calls.push('send') === 1 ? results[0] : results[1]),
    (text) => text === 'unprepared',
    () => {
      calls.push('prepare')
      return Promise.resolve(prepared)
    },
  )
  return { result, calls }
}

describe('calls that may need the manifest first', () => {
  test('a call that succeeds is sent once, and no manifest is stored', async () => {
    assert.deepEqual(await sendTo(['done']), { result: 'done', calls: ['send'] })
  })

  test('a call to an object without the manifest is sent again once the manifest is stored there', async () => {
    const sent = { result: 'done', calls: ['send', 'prepare', 'send'] }
    assert.deepEqual(await sendTo(['unprepared', 'done']), sent)
    assert.deepEqual(await sendTo(['unprepared', 'done'], true), sent)
  })

  test('a call is not sent again when there is no manifest to store', async () => {
    const sent = await sendTo(['unprepared', 'done'], false)
    assert.deepEqual(sent, { result: 'unprepared', calls: ['send', 'prepare'] })
  })

  test('a call that still lacks the manifest once it was stored is not sent a third time', async () => {
    const sent = await sendTo(['unprepared', 'unprepared'])
    assert.deepEqual(sent, { result: 'unprepared', calls: ['send', 'prepare', 'send'] })
  })
})
