import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as z from 'zod'
import type { CheckError, CheckReport } from '../check-report.ts'
import type { ToolCall } from '../model/call.ts'
import { NO_USAGE } from '../model/usage.ts'
import { type AgentTool, agentTool, toolSuccess, type ToolOutcome } from '../tools/tool.ts'
import { DEFAULT_LIMITS, RunGuard } from './run-limits.ts'
import { checkFrames, runToolCall } from './run-tool.ts'
import { Workspace } from '../tools/workspace.ts'

const TREE = new Map([['app.json', '{}']])
const newGuard = () =>
  new RunGuard({ limits: DEFAULT_LIMITS, elapsedMs: () => 0, steps: [], spent: NO_USAGE })
const newWorkspace = () => new Workspace({ base: TREE, tree: TREE, enabled: [] })
const call = (name = 'look', more: Partial<ToolCall> = {}): ToolCall => ({
  id: 'c1',
  name,
  args: { at: 1 },
  problem: null,
  ...more,
})
const tool = (run: AgentTool['run'], timeoutMs = 10_000): AgentTool =>
  agentTool({ name: 'look', description: '', input: z.object({}), timeoutMs, run })
const answering = (outcome: ToolOutcome) => tool(async () => outcome)
const fault = (line: number): CheckError => ({
  phase: 'types',
  file: 'web/a.ts',
  line,
  column: 1,
  code: 'TS1',
  message: `wrong at ${line}`,
  excerpt: '',
})
const report = (...errors: CheckError[]): CheckReport => ({
  ok: errors.length === 0,
  checks: [{ name: 'types', ok: errors.length === 0, ms: 1.6, errors }],
})

/** Runs one tool call. Values that the test does not pass are the values of a new run. */
const run = (
  tools: AgentTool[],
  given: {
    call?: ToolCall
    guard?: RunGuard
    workspace?: Workspace
    signal?: AbortSignal
    mayEnd?: boolean
    isInterrupted?: boolean
  } = {},
) =>
  runToolCall(
    {
      key: 'run_1:2',
      tools,
      workspace: given.workspace ?? newWorkspace(),
      signal: given.signal ?? new AbortController().signal,
      mayEnd: async () => given.mayEnd ?? true,
    },
    given.guard ?? newGuard(),
    given.call ?? call(),
    { isInterrupted: given.isInterrupted ?? false },
  )

describe('one call of a tool', () => {
  test("a tool gets the call's arguments and unique key, and its result is stored whole and streamed up to 500 characters", async () => {
    const seen: unknown[] = []
    const look = tool(async (args, { key }) => {
      seen.push([args, key])
      return toolSuccess('x'.repeat(600))
    })
    const ran = await run([look])
    assert.deepEqual(seen, [[{ at: 1 }, 'run_1:2:c1']])
    assert.deepEqual(ran.record, {
      id: 'c1',
      name: 'look',
      ok: true,
      text: 'x'.repeat(600),
      code: null,
      signature: null,
      end: null,
    })
    const [frame, ...others] = ran.frames
    assert.ok(frame?.type === 'tool')
    assert.deepEqual(
      [{ ...frame, ms: 0 }, others, ran.verdict],
      [
        { type: 'tool', id: 'c1', name: 'look', args: { at: 1 }, ok: true, result: 'x'.repeat(500), ms: 0 },
        [],
        null,
      ],
    )
  })

  test("a tool call's changed file and questions to the user are sent as separate frames of the build stream", async () => {
    const change = { path: 'web/a.ts', op: 'write' as const, bytes: 3, added: 1, removed: 0 }
    const written = await run([answering({ ok: true, text: 'Written.', change })])
    assert.deepEqual(written.frames.slice(1), [{ type: 'file', ...change }])
    const questions = [{ id: 'q', question: 'Which?', options: ['a', 'b'], default: 'a' }]
    const asked = await run([answering({ ok: true, text: 'Asked.', end: { kind: 'ask', questions } })])
    assert.deepEqual(asked.frames.slice(1), [{ type: 'question', questions }])
    assert.deepEqual(asked.record.end, { kind: 'ask', questions })
  })

  test('a call with invalid arguments or of an unknown tool runs nothing and returns the reason to the model', async () => {
    const never = tool(() => Promise.reject(new Error('must not run')))
    const problem = { code: 'invalid_arguments' as const, message: 'at: must be a text' }
    const malformed = await run([never], { call: call('look', { problem }) })
    const failed = { ok: false, code: 'invalid_arguments', text: 'invalid_arguments: at: must be a text' }
    assert.deepEqual(malformed.outcome, failed)
    const unknown = await run([never], { call: call('y'.repeat(80)) })
    assert.equal(unknown.outcome.text, `unknown_tool: there is no tool named ${'y'.repeat(60)}`)
    assert.equal(unknown.record.code, 'unknown_tool')
  })

  test('a tool call that was interrupted by the end of the process is not run again, and the model is told', async () => {
    const ran = await run([tool(() => Promise.reject(new Error('must not run')))], { isInterrupted: true })
    assert.deepEqual(ran.outcome, {
      ok: false,
      code: 'interrupted',
      text: 'interrupted: the service stopped while look was running; make the call again if you still need it',
    })
  })

  test('a tool call that takes too long returns a timeout error to the model, and its signal is aborted', async () => {
    let signal: AbortSignal | undefined
    const endless = tool((_args, about) => {
      signal = about.signal
      return new Promise(() => {})
    }, 5)
    const ran = await run([endless])
    assert.deepEqual(ran.outcome, {
      ok: false,
      code: 'timeout',
      text: 'timeout: look took more than 0.005 s',
    })
    assert.equal(signal?.aborted, true)
  })

  test('a fault of the tool or a cancellation of the run rejects the tool call, so that the model gets no result', async () => {
    await assert.rejects(run([tool(() => Promise.reject(new Error('no database')))]), /no database/)
    const controller = new AbortController()
    const waiting = run([tool(() => new Promise(() => {}))], { signal: controller.signal })
    controller.abort(new Error('cancelled'))
    await assert.rejects(waiting, /cancelled/)
  })

  test("a tool call cannot end the run while a user's message is unread, but its check report is kept", async () => {
    const green = report()
    const finish = answering({
      ok: true,
      text: 'Finished.',
      report: green,
      end: { kind: 'finish', summary: 's' },
    })
    const held = await run([finish], { mayEnd: false })
    assert.deepEqual(held.outcome, {
      ok: false,
      code: 'interrupted',
      text: 'interrupted: the user wrote to you meanwhile; read it first, then continue',
      report: green,
    })
    assert.equal(held.record.end, null)
    assert.equal((await run([finish])).record.end?.kind, 'finish')
    assert.equal((await run([answering(toolSuccess('x'))], { mayEnd: false })).outcome.text, 'x')
  })

  test('a failed check is recorded with a signature that does not depend on the lines of the errors', async () => {
    const red = (line: number) =>
      answering({ ok: false, code: 'check_failed', text: 'red', report: report(fault(line)) })
    const [first, second, green] = await Promise.all([
      run([red(1)]),
      run([red(20)]),
      run([answering({ ok: true, text: 'green', report: report() })]),
    ])
    assert.match(first.record.signature ?? '', /^[0-9a-f]{32}$/)
    assert.equal(first.record.signature, second.record.signature)
    assert.equal(green.record.signature, null)
  })

  test('the phases of a check are streamed once per state of the files, and checks are numbered consecutively within a run', async () => {
    const [guard, workspace] = [newGuard(), newWorkspace()]
    const check = (): AgentTool =>
      tool(async () => {
        workspace.keepReport(workspace.hash, report())
        return { ok: true, text: 'green', report: report() }
      })
    const framesOf = async () => (await run([check()], { guard, workspace })).frames.slice(1)
    const shown = (n: number) => [
      { type: 'check', n, phase: 'types', ok: true, ms: 2, errorCount: 0, errors: [] },
    ]
    assert.deepEqual(await framesOf(), shown(1))
    assert.deepEqual(await framesOf(), [])
    workspace.set('web/a.ts', 'x')
    assert.deepEqual(await framesOf(), shown(2))
  })

  test('the third and fourth identical tool calls return a warning with the result, and the fifth ends the run as stuck', async () => {
    const guard = newGuard()
    const texts: string[] = []
    for (let n = 0; n < 5; n++) {
      const { record, verdict } = await run([answering(toolSuccess('same'))], { guard })
      texts.push(`${record.text} ${verdict?.kind ?? ''}`)
    }
    const note = 'same\nYou made this call before, with the same result. Do something else. '
    assert.deepEqual(texts, ['same ', 'same ', note, note, 'same stuck'])
  })

  test('calls with unusable arguments are not counted as repetitions, and the fifth in a row ends the run', async () => {
    const guard = newGuard()
    const problem = { code: 'invalid_arguments' as const, message: 'no' }
    const kinds: unknown[] = []
    for (let step = 1; step <= 5; step++) {
      guard.beforeCall({ step, promptTokens: 0, windowTokens: 1 })
      kinds.push((await run([], { guard, call: call('look', { problem }) })).verdict?.kind ?? null)
    }
    assert.deepEqual(kinds, [null, null, null, null, 'model_error'])
  })
})

test('the stream frame of a check phase has the number of its errors and the first three errors', () => {
  const errors = [1, 2, 3, 4].map(fault)
  assert.deepEqual(checkFrames(7, report(...errors)), [
    { type: 'check', n: 7, phase: 'types', ok: false, ms: 2, errorCount: 4, errors: errors.slice(0, 3) },
  ])
})
