import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runAgent } from './loop.ts'
import type { ModelStep } from './transcript.ts'
import { NO_USAGE } from '../model/usage.ts'
import { type Turn, finish, green, kindOf, failedReport, setUp, write } from '../testing/loop.ts'

test("a run writes its files and ends with the model's summary when the model calls the tool finish and the check passes", async () => {
  const run = setUp([{ calls: [write('shared/a.ts', 'export const a = 1')] }, { calls: [finish] }])
  assert.deepEqual(await runAgent(run.agent), { kind: 'finished', summary: 'Plants are tracked.' })
  assert.equal(run.workspace.tree.get('shared/a.ts'), 'export const a = 1\n')
  const types = run.frames.map((frame) => frame.type)
  assert.deepEqual(types, ['step', 'usage', 'tool', 'file', 'step', 'usage', 'tool', 'check'])
})

test('a run continues when the model calls the tool finish while the check fails, and the model reads the errors', async () => {
  const run = setUp(
    [
      { calls: [write('shared/a.ts', 'x')] },
      { calls: [finish] },
      { calls: [write('shared/a.ts', 'y')] },
      { calls: [finish] },
    ],
    {
      reports: [failedReport('no such name'), green],
    },
  )
  assert.equal((await runAgent(run.agent)).kind, 'finished')
  assert.match(JSON.stringify(run.requests[2]?.messages), /check_failed.*no such name/)
})

test("the check does not run again while an app's files are unchanged", async () => {
  const run = setUp([{ calls: [write('shared/a.ts', 'x')] }, { calls: [['check', {}]] }, { calls: [finish] }])
  await runAgent(run.agent)
  assert.equal(run.checks(), 1)
})

test('a run that changes no file ends with the outcome `replied`, whether the model writes text or calls finish', async () => {
  const run = setUp([{ text: 'It already does that.' }])
  assert.deepEqual(await runAgent(run.agent), { kind: 'replied', message: 'It already does that.' })
  assert.equal(kindOf(await runAgent(setUp([{ calls: [finish] }]).agent)), 'replied')
})

test('a model that writes text after changing files is asked once to call finish; after more text the check decides the outcome', async () => {
  const turns = [{ calls: [write('shared/a.ts', 'x')] }, { text: 'done' }, { text: 'really done' }]
  const run = setUp(turns)
  assert.deepEqual(await runAgent(run.agent), { kind: 'finished', summary: 'really done' })
  assert.match(JSON.stringify(run.requests[2]?.messages.at(-1)), /call finish/)
  assert.equal(kindOf(await runAgent(setUp(turns, { reports: [failedReport('x')] }).agent)), 'check_failed')
})

test('a question to the user ends the run, and later tool calls of the same step do not run', async () => {
  const questions = [{ id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }]
  const run = setUp([{ calls: [['ask_user', { questions }], write('shared/a.ts', 'x')] }])
  assert.deepEqual(await runAgent(run.agent), { kind: 'asked', questions })
  assert.equal(run.workspace.isChanged, false)
})

test('a failing model call is attempted three times with a report in the stream, and then the run fails with the cause', async () => {
  const run = setUp([{ fault: new Error('engine crashed') }])
  const end = await runAgent(run.agent)
  assert.equal(kindOf(end), 'model_error')
  assert.match(end.kind === 'failed' ? end.failure.message : '', /engine crashed/)
  assert.equal(run.requests.length, 3)
  assert.deepEqual(run.stored, [], 'no step is stored that did not end')
  assert.equal(run.frames.filter((frame) => frame.type === 'retry').length, 2)
})

test("after a restart of the service, a step's unfinished tool calls run, and its model call is not repeated", async () => {
  const first = setUp([
    { calls: [write('shared/a.ts', 'x'), write('shared/b.ts', 'y')] },
    { calls: [finish] },
  ])
  first.agent.record.tools = () => Promise.reject(new Error('killed'))
  await assert.rejects(runAgent(first.agent), /killed/)
  const second = setUp([{ calls: [finish] }], { steps: first.stored })
  assert.equal(kindOf(await runAgent(second.agent)), 'finished')
  assert.equal(second.requests.length, 1)
  assert.deepEqual(
    [second.workspace.tree.has('shared/a.ts'), second.workspace.tree.has('shared/b.ts')],
    [true, true],
  )
})

test('a run stores consecutive file writes in batches, and always before it starts a check', async () => {
  const paths = Array.from({ length: 30 }, (_, i) => `shared/f${i}.ts`)
  const run = setUp([{ calls: [...paths.map((path) => write(path, 'x')), finish] }])
  const { tools } = run.agent.record
  const batches: number[] = []
  run.agent.record.tools = async (step, done, frames) => {
    batches.push(done.changes.length)
    assert.equal(run.checks(), done.changes.length > 0 ? 0 : 1)
    await tools(step, done, frames)
  }
  assert.equal(kindOf(await runAgent(run.agent)), 'finished')
  assert.equal(
    batches.reduce((sum, n) => sum + n),
    30,
  )
  assert.ok(batches.length < 30, `stored ${batches.length} times`)
  const written = run.frames.flatMap((frame) => (frame.type === 'file' ? [frame.path] : []))
  assert.deepEqual(written, paths)
})

test('a cancelled run throws the reason of the cancellation and runs no further tool call', async () => {
  const run = setUp([{ calls: [write('shared/a.ts', 'x')] }])
  run.agent.record.step = async () => run.controller.abort(new Error('cancelled'))
  await assert.rejects(runAgent(run.agent), /cancelled/)
  assert.equal(run.workspace.isChanged, false)
})

test('a run throws the error of the database when its stream events cannot be stored', async () => {
  const run = setUp([{ text: 'hello' }])
  run.agent.record.frames = () => Promise.reject(new Error('lease lost'))
  await assert.rejects(runAgent(run.agent), /lease lost/)
})

test("the user's message to a running build is the last message of the next model call, and is stored with its step", async () => {
  const run = setUp([{ calls: [write('shared/a.ts', 'x')] }, { calls: [finish] }])
  run.inputs.push({ id: 'msg_1', text: 'only cactuses' })
  assert.equal(kindOf(await runAgent(run.agent)), 'finished')
  const said = run.requests.map((request) =>
    JSON.stringify(request.messages.at(-1)).includes('only cactuses'),
  )
  assert.deepEqual(said, [true, false])
  assert.match(run.stored[0]?.before[0] ?? '', /only cactuses/)
})

test("a finish call, a question or a closing text of the model does not end the run while a user's message is unread", async () => {
  const questions = [{ id: 'what', question: 'Track what?', options: ['Tasks', 'Plants'], default: 'Tasks' }]
  for (const turn of [
    { calls: [finish] },
    { calls: [['ask_user', { questions }]] },
    { text: 'done' },
  ] as Turn[]) {
    const run = setUp([{ calls: [write('shared/a.ts', 'x')] }, turn, { calls: [finish] }])
    const record = run.agent.record.step
    run.agent.record.step = async (step, frames, read) => {
      await record(step, frames, read)
      if (step.n === 2) run.inputs.push({ id: 'msg_1', text: 'only cactuses' })
    }
    assert.deepEqual(await runAgent(run.agent), { kind: 'finished', summary: 'Plants are tracked.' })
    assert.equal(run.requests.length, 3)
    assert.equal(run.frames.filter((frame) => frame.type === 'question').length, 0)
    const held = run.stored[1]?.results[0]
    if (held !== undefined) assert.deepEqual([held.ok, held.code, held.end], [false, 'interrupted', null])
  }
})

test("a run ends after its last allowed step even if a user's message is unread", async () => {
  const run = setUp([{ calls: [write('shared/a.ts', 'x')] }, { text: 'all of it' }], { limits: { steps: 2 } })
  const record = run.agent.record.step
  run.agent.record.step = async (step, frames, read) => {
    await record(step, frames, read)
    if (step.n === 2) run.inputs.push({ id: 'msg_1', text: 'only cactuses' })
  }
  assert.deepEqual(await runAgent(run.agent), { kind: 'finished', summary: 'all of it' })
})

test('the tokens of a failed model call count towards the usage of the run', async () => {
  const run = setUp([{}, { text: 'nothing to do' }])
  assert.equal(kindOf(await runAgent(run.agent)), 'replied')
  assert.deepEqual(
    run.failed.map(({ input, output }) => [input, output]),
    [[100, 10]],
  )
  const last = run.frames.findLast((frame) => frame.type === 'usage')
  assert.deepEqual([last?.input, last?.output], [200, 20])
})

/** Returns a step without results, as stored when the attempt died during call number `begun`. */
const cutStep = (begun: number, ...calls: [name: string, args: unknown][]): ModelStep => ({
  n: 1,
  before: [],
  message: {
    role: 'assistant',
    content: calls.map(([toolName, input], i) => ({
      type: 'tool-call',
      toolCallId: `c${i}`,
      toolName,
      input,
    })),
  },
  calls: calls.map(([name, args], i) => ({ id: `c${i}`, name, args, problem: null })),
  results: [],
  usage: NO_USAGE,
  begun,
})

test('a check that was interrupted by the death of its process gets a failed result and does not run again', async () => {
  const run = setUp([{ text: 'I see.' }], { steps: [cutStep(1, write('shared/a.ts', 'x'), ['check', {}])] })
  run.agent.limits.steps = 2
  await runAgent(run.agent)
  const [written, checked] = run.agent.steps[0]?.results ?? []
  assert.equal(written?.ok, true, 'what came before it is carried out')
  assert.deepEqual([checked?.ok, checked?.code], [false, 'interrupted'])
  assert.match(JSON.stringify(run.requests[0]?.messages), /stopped while check was running/)
  assert.deepEqual(run.begun, [])
})

test('a file write that was interrupted by the death of its process runs again', async () => {
  const run = setUp([{ calls: [finish] }], { steps: [cutStep(0, write('shared/a.ts', 'x'))] })
  assert.equal(kindOf(await runAgent(run.agent)), 'finished')
  assert.equal(run.workspace.tree.get('shared/a.ts'), 'x\n')
})

test('a run records the start of a check or a search in advance, but not the start of a file write', async () => {
  const run = setUp([
    { calls: [write('shared/a.ts', 'x'), ['search', { pattern: 'x' }], ['check', {}]] },
    { calls: [finish] },
  ])
  await runAgent(run.agent)
  assert.deepEqual(run.begun, ['1:1', '1:2', '2:0'])
})

test('only the first 99 tool calls of a step run, and the last result tells the model why later calls did not run', async () => {
  const calls = Array.from({ length: 3_000 }, (_, i) => write(`shared/f${i % 150}.ts`, `${i}`))
  const run = setUp([{ calls }, { text: 'I see.' }], { limits: { steps: 2 } })
  await runAgent(run.agent)
  const [step] = run.agent.steps
  assert.equal(step?.calls.length, 100)
  assert.equal(step?.results.at(-1)?.code, 'too_many_calls')
  assert.equal(run.workspace.tree.size, 1 + 99)
  assert.match(JSON.stringify(run.requests[1]?.messages), /made 3000 calls; from the 100th on/)
  assert.equal(step?.message.content.length, 100)
})

test('a run that reaches its time limit ends before the next tool call and keeps the files written so far', async () => {
  const calls = Array.from({ length: 40 }, (_, i) => write(`shared/f${i}.ts`, 'x'))
  const run = setUp([{ calls }], { limits: { minutes: 1 } })
  run.agent.elapsedMs = () => run.workspace.tree.size * 20_000
  const end = await runAgent(run.agent)
  assert.equal(kindOf(end), 'time_limit')
  assert.equal(run.agent.steps[0]?.results.length, 3)
  assert.deepEqual(run.stored[0]?.results, run.agent.steps[0]?.results)
})

const pictured = {
  ...green,
  pictures: [1280, 390].map((width) => ({
    page: 'web/pages/Home.tsx',
    width,
    mediaType: 'image/jpeg' as const,
    bytes: new Uint8Array([width % 256]),
  })),
}
const checking = [
  { calls: [write('shared/a.ts', 'x')] },
  { calls: [['check', {}]] },
  { calls: [write('shared/a.ts', 'y')] },
  { calls: [finish] },
] satisfies Turn[]

test('a model that reads images gets the screenshots of a check in the next call only', async () => {
  const run = setUp(checking, { reports: [pictured, green] })
  run.agent.readsImages = true
  assert.equal(kindOf(await runAgent(run.agent)), 'finished')
  const shown = run.requests.map(({ messages }) => JSON.stringify(messages).split('image/jpeg').length - 1)
  assert.deepEqual(shown, [0, 0, 2, 0])
  assert.match(
    JSON.stringify(run.requests[2]?.messages.at(-1)),
    /Home\.tsx in a browser.* 1280 px and 390 px wide/,
  )
  assert.doesNotMatch(JSON.stringify(run.stored), /image/, 'the transcript keeps none')
})

test('a model that reads only text gets no screenshots', async () => {
  const run = setUp(checking, { reports: [pictured, green] })
  assert.equal(kindOf(await runAgent(run.agent)), 'finished')
  assert.doesNotMatch(JSON.stringify(run.requests), /image/)
})
