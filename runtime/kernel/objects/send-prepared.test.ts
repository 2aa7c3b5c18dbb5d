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
  test('a successful call to a Durable Object is sent once and stores no manifest', async () => {
    assert.deepEqual(await sendTo(['done']), { result: 'done', calls: ['send'] })
  })

  test('a call to a Durable Object without the manifest is repeated once the manifest is stored there', async () => {
    const sent = { result: 'done', calls: ['send', 'prepare', 'send'] }
    assert.deepEqual(await sendTo(['unprepared', 'done']), sent)
    assert.deepEqual(await sendTo(['unprepared', 'done'], true), sent)
  })

  test('a call to a Durable Object without the manifest is not repeated when there is no manifest to store', async () => {
    const sent = await sendTo(['unprepared', 'done'], false)
    assert.deepEqual(sent, { result: 'unprepared', calls: ['send', 'prepare'] })
  })

  test('a call is not sent a third time when the Durable Object still reports a missing manifest', async () => {
    const sent = await sendTo(['unprepared', 'unprepared'])
    assert.deepEqual(sent, { result: 'unprepared', calls: ['send', 'prepare', 'send'] })
  })
})
