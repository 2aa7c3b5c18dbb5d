import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { BuildFrame, SequencedFrame } from '@slipway/sdk/frames.ts'
import { type BuildState, initialBuild, isUnderWay, reduceBuild } from './build-state.ts'

const runFrame = (id = 'run_1', attempt = 1): BuildFrame => ({
  type: 'run',
  run: id,
  ticketId: 'tkt_1',
  attempt,
  trigger: 'stream',
  model: 'scaffold',
  generatedBy: 'scaffold/scaffold',
})
const fileFrame = (path: string, added: number): BuildFrame => ({
  type: 'file',
  path,
  op: 'write',
  bytes: 10,
  added,
  removed: 0,
})
const checkFrame = (n: number, phase: string, ok: boolean): BuildFrame => ({
  type: 'check',
  n,
  phase,
  ok,
  ms: 5,
  errorCount: ok ? 0 : 1,
  errors: [],
})
const numberFrames = (frames: BuildFrame[]): SequencedFrame[] =>
  frames.map((frame, index) => ({ ...frame, seq: index + 1 }))
const reduceFrames = (frames: SequencedFrame[], from = initialBuild): BuildState =>
  frames.reduce(reduceBuild, from)

const NUMBERED_FRAMES = numberFrames([
  runFrame(),
  { type: 'step', n: 1, limit: 60 },
  { type: 'delta', reasoning: 'Plants.' },
  { type: 'delta', text: 'One ' },
  { type: 'delta', text: 'collection.' },
  { type: 'delta', tool: 'write_file', path: 'app.json', toolChars: 40 },
  { type: 'delta', toolChars: 60 },
  fileFrame('app.json', 12),
  {
    type: 'tool',
    id: 'c1',
    name: 'write_file',
    args: { path: 'app.json' },
    ok: true,
    result: 'created',
    ms: 3,
  },
  { type: 'usage', input: 100, output: 20, cacheRead: 0, cacheWrite: 0 },
  { type: 'step', n: 2, limit: 60 },
  checkFrame(1, 'types', false),
  checkFrame(1, 'lint', true),
  checkFrame(2, 'types', true),
  { type: 'preview', url: 'http://p-preview.a.localhost:4320' },
  { type: 'done', status: 'built', run: 'run_1', sha: 'abc1234', summary: 'Plants.' },
])

test('the state of a build contains its steps, files, checks, tokens and result', () => {
  const state = reduceFrames(NUMBERED_FRAMES)
  assert.equal(state.phase, 'built')
  assert.equal(state.steps[0]?.text, 'One collection.')
  assert.equal(state.steps[0]?.tools[0]?.path, 'app.json')
  assert.deepEqual(state.files, [{ path: 'app.json', op: 'write', added: 12, removed: 0 }])
  assert.deepEqual(
    state.checks.map((row) => row.phase),
    ['types'],
  )
  assert.equal(state.usage.input, 100)
  assert.equal(state.preview?.url, 'http://p-preview.a.localhost:4320')
  assert.equal(state.sha, 'abc1234')
})

test('the character count of a tool call grows while the arguments arrive and is removed when the call ends', () => {
  const writing = reduceFrames(NUMBERED_FRAMES.slice(0, 7)).steps[0]?.writing
  assert.deepEqual(writing, { tool: 'write_file', path: 'app.json', characters: 100 })
  assert.equal(reduceFrames(NUMBERED_FRAMES.slice(0, 9)).steps[0]?.writing, null)
})

test('a build stream that is cut off and repeats frames gives the same state as an uninterrupted one', () => {
  const whole = reduceFrames(NUMBERED_FRAMES)
  for (let cut = 1; cut <= NUMBERED_FRAMES.length; cut++)
    for (let back = 0; back < cut; back++)
      assert.deepEqual(
        reduceFrames([...NUMBERED_FRAMES.slice(0, cut), ...NUMBERED_FRAMES.slice(back)]),
        whole,
        `cut ${cut}, back ${back}`,
      )
})

test('a restarted build is shown as resuming, and its new attempt starts without steps and files', () => {
  const before = reduceFrames([...NUMBERED_FRAMES.slice(0, 9), { type: 'resuming' }])
  assert.equal(before.phase, 'resuming')
  assert.ok(isUnderWay(before))
  const after = reduceFrames(numberFrames([runFrame('run_2', 2), { type: 'step', n: 1, limit: 60 }]), before)
  assert.deepEqual([after.run, after.attempt, after.files.length, after.steps.length], ['run_2', 2, 0, 1])
})

test('a retry of the model call removes the text of the current step and shows the reason for the wait', () => {
  const state = reduceFrames(
    numberFrames([
      runFrame(),
      { type: 'step', n: 1, limit: 60 },
      { type: 'delta', text: 'half a sen' },
      { type: 'retry', step: 1, waitMs: 2000, reason: 'overloaded' },
    ]),
  )
  assert.equal(state.steps[0]?.text, '')
  assert.equal(state.steps[0]?.retry?.reason, 'overloaded')
  assert.equal(reduceBuild(state, { type: 'delta', text: 'whole', seq: 5 }).steps[0]?.retry, null)
})

test('while a build waits for answers, its state contains the questions to the user', () => {
  const questions = [{ id: 'q', question: 'Which?', options: ['A', 'B'], default: 'A' }]
  const state = reduceFrames(
    numberFrames([
      runFrame(),
      { type: 'question', questions },
      { type: 'done', status: 'awaiting', run: 'run_1' },
    ]),
  )
  assert.equal(state.phase, 'awaiting')
  assert.deepEqual(state.questions, questions)
})

test('the files of the commit replace the files that were reported during the build', () => {
  const state = reduceFrames(
    numberFrames([
      runFrame(),
      fileFrame('app.json', 12),
      { ...fileFrame('pages/Old.tsx', 3), op: 'delete' } as BuildFrame,
      fileFrame('scratch.ts', 9),
      {
        type: 'done',
        status: 'built',
        run: 'run_1',
        changed: [
          { path: 'app.json', added: 4, removed: 1 },
          { path: 'pages/Old.tsx', added: 0, removed: 20 },
        ],
      },
    ]),
  )
  assert.deepEqual(state.files, [
    { path: 'app.json', op: 'write', added: 4, removed: 1 },
    { path: 'pages/Old.tsx', op: 'delete', added: 0, removed: 20 },
  ])
})

test('a message that is too late for the running build is listed once, at its original step, as postponed', () => {
  const said = { type: 'steer', id: 'msg_1', text: 'Use blue', delivery: 'delivered' } as const
  const state = reduceFrames(
    numberFrames([
      runFrame(),
      { type: 'step', n: 1, limit: 60 },
      said,
      { type: 'step', n: 2, limit: 60 },
      { ...said, delivery: 'next_build' },
    ]),
  )
  assert.deepEqual(state.steers, [{ id: 'msg_1', text: 'Use blue', delivery: 'next_build', duringStep: 1 }])
})

test('the state of a failed build contains the error kind', () => {
  const state = reduceFrames(
    numberFrames([
      runFrame(),
      { type: 'error', kind: 'stuck', message: 'Same call five times.', retryable: true },
    ]),
  )
  assert.equal(state.phase, 'failed')
  assert.equal(state.error?.kind, 'stuck')
})

test('a snapshot in the build stream replaces the earlier state, and later frames with a lower sequence number are ignored', () => {
  const usage = { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 }
  const state = reduceFrames([
    { ...runFrame(), seq: 1 },
    {
      type: 'snapshot',
      run: 'run_1',
      seq: 40,
      text: 'So far.',
      files: [{ path: 'a.ts', added: 1, removed: 0 }],
      checks: [],
      usage,
    },
    { type: 'usage', ...usage, seq: 12 },
  ])
  assert.deepEqual([state.seq, state.steps[0]?.text, state.files[0]?.path], [40, 'So far.', 'a.ts'])
})

test('a build frame of an unknown type changes only the sequence number', () => {
  const state = reduceFrames(NUMBERED_FRAMES.slice(0, 5))
  const unknown = { type: 'hologram', seq: 6 } as unknown as SequencedFrame
  assert.deepEqual({ ...reduceBuild(state, unknown), seq: 0 }, { ...state, seq: 0 })
})
