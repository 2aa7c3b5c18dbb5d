import assert from 'node:assert/strict'
import { test } from 'node:test'
import { APICallError } from 'ai'
import { finish, kindOf, setUp } from '../testing/loop.ts'
import { runAgent } from './loop.ts'

const timers = () => process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length
const refusal = (statusCode: number, headers: Record<string, string> = {}) =>
  new APICallError({
    message: `status ${statusCode}`,
    url: 'https://model.test',
    requestBodyValues: {},
    statusCode,
    responseHeaders: headers,
    isRetryable: statusCode >= 429,
  })
const waitsOf = ({ frames }: ReturnType<typeof setUp>) =>
  frames.flatMap((frame) => (frame.type === 'retry' ? [frame.waitMs] : []))

test('an attachment that cannot be loaded ends the run with the loading error and without a model call', async () => {
  const run = setUp([{ calls: [finish] }])
  run.agent.opening = [
    { role: 'user', content: [{ type: 'file', mediaType: 'image/png', data: 'attachment:lost' }] },
  ]
  const asked: string[] = []
  run.agent.loadFile = (key) => {
    asked.push(key)
    return Promise.reject(new Error('no such attachment'))
  }
  const before = timers()
  await assert.rejects(runAgent(run.agent), /no such attachment/)
  assert.deepEqual([asked, run.requests.length], [['lost'], 0])
  assert.ok(timers() <= before, 'the timer for the time limit of the run is cleared')
})

test("a provider's retry wait replaces the service's wait, and fails the run at once if longer than two minutes", async () => {
  const patient = setUp([{ fault: refusal(429, { 'retry-after': '0' }) }, { calls: [finish] }])
  patient.agent.waitsMs = [60_000]
  assert.equal(kindOf(await runAgent(patient.agent)), 'replied')
  assert.deepEqual(waitsOf(patient), [0])
  const late = setUp([{ fault: refusal(429, { 'retry-after': '121' }) }, { calls: [finish] }])
  const end = await runAgent(late.agent)
  assert.equal(end.kind, 'failed')
  assert.deepEqual([late.requests.length, waitsOf(late)], [1, []])
})

test('a model call refused with 400, 401, 403 or 404 is not retried', async () => {
  for (const status of [400, 401, 403, 404]) {
    const run = setUp([{ fault: refusal(status) }, { calls: [finish] }])
    assert.equal((await runAgent(run.agent)).kind, 'failed', String(status))
    assert.equal(run.requests.length, 1)
  }
})

test('the allowance of the organization is checked before every attempt of a model call', async () => {
  const run = setUp([{ fault: refusal(503) }])
  let checks = 0
  const failure = { kind: 'budget' as const, message: 'The month is used up.' }
  run.agent.mayCall = async () => (++checks > 1 ? failure : null)
  assert.deepEqual(await runAgent(run.agent), { kind: 'failed', failure })
  assert.deepEqual([checks, run.requests.length], [2, 1])
})

test('a run of an organization whose token allowance is used up calls no model', async () => {
  const run = setUp([{ calls: [finish] }])
  const failure = { kind: 'budget' as const, message: 'The month is used up.' }
  run.agent.mayCall = async () => failure
  assert.deepEqual(await runAgent(run.agent), { kind: 'failed', failure })
  assert.equal(run.requests.length, 0)
})

test('a run fails instead of retrying a model call when the retry would exceed the token limit of the run', async () => {
  const run = setUp([{ fault: refusal(503) }], { limits: { tokens: 1000 } })
  run.agent.record.frames = async (frames) => {
    if (frames.some(({ type }) => type === 'step')) run.agent.instructions = 'x'.repeat(8000)
  }
  const end = await runAgent(run.agent)
  assert.equal(end.kind === 'failed' && end.failure.kind, 'budget')
  assert.equal(run.requests.length, 1)
})
