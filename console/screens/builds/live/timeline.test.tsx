import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildFrame } from '@slipway/sdk/frames.ts'
import { screen, within } from '@testing-library/react'
import { isShown, show } from '../../../testing/console.tsx'
import { initialBuild, reduceBuild } from '../../../state/builds/build-state.ts'
import { Timeline } from './timeline.tsx'

const runFrame = (attempt = 1): BuildFrame => ({
  type: 'run',
  run: 'run_1',
  ticketId: 'tkt_1',
  attempt,
  trigger: 'stream',
  model: 'scripted',
  generatedBy: 'test/scripted',
})
const stepFrame = (n: number): BuildFrame => ({ type: 'step', n, limit: 60 })

function renderFrames(...frames: BuildFrame[]) {
  const state = frames.reduce(
    (build, frame, index) => reduceBuild(build, { ...frame, seq: index + 1 }),
    initialBuild,
  )
  return show(<Timeline state={state} />)
}
const stepTitles = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)

describe('the steps of a build', () => {
  test('a build without steps is shown as waiting for the model', () => {
    renderFrames(runFrame())
    assert.ok(isShown('Waiting for the model'))
  })

  test('the build timeline shows each step with its text and tool calls in order', () => {
    renderFrames(
      runFrame(),
      stepFrame(1),
      { type: 'delta', text: 'First the form.' },
      {
        type: 'tool',
        id: 'call_1',
        name: 'write_file',
        args: { path: 'web/form.tsx' },
        ok: true,
        result: '',
        ms: 12,
      },
      stepFrame(2),
      { type: 'delta', text: 'Then the list.' },
    )
    assert.deepEqual(stepTitles(), ['Step 1', 'Step 2'])
    const [first, second] = within(screen.getByRole('log')).getAllByText(/the (form|list)\./)
    assert.equal(first?.compareDocumentPosition(second as Node), Node.DOCUMENT_POSITION_FOLLOWING)
    assert.ok(isShown('Wrote') && isShown('web/form.tsx'))
  })

  test('a file that a build is writing is shown with its name and its size so far', () => {
    renderFrames(runFrame(), stepFrame(1), {
      type: 'delta',
      tool: 'write_file',
      path: 'web/form.tsx',
      toolChars: 1_500,
    })
    assert.ok(isShown('Writing') && isShown('web/form.tsx'))
    assert.match(screen.getByRole('log').textContent ?? '', /1\.5k characters/)
  })

  test('a running tool call without arguments is shown without a size', () => {
    renderFrames(runFrame(), stepFrame(1), { type: 'delta', tool: 'check', toolChars: 2 })
    assert.ok(isShown('Checking'))
    assert.doesNotMatch(screen.getByRole('log').textContent ?? '', /characters/)
  })

  test('a failed tool call of a build is marked as failed and contains its error', () => {
    renderFrames(runFrame(), stepFrame(1), {
      type: 'tool',
      id: 'call_1',
      name: 'check',
      args: {},
      ok: false,
      result: '',
      error: 'tests: 1 failed',
      ms: 900,
    })
    const log = screen.getByRole('log').textContent ?? ''
    assert.match(log, /Ran the checks/)
    assert.match(log, /Failed/)
    assert.match(log, /tests: 1 failed/)
  })

  test('a resumed build shows the number of its attempt', () => {
    renderFrames(runFrame(2), stepFrame(1))
    assert.ok(isShown('Attempt 2: continued after a restart'))
  })

  test('a failed build is not shown as waiting for the model', () => {
    renderFrames(runFrame(), stepFrame(1), {
      type: 'error',
      kind: 'stuck',
      message: 'In circles.',
      retryable: true,
    })
    assert.ok(!isShown('Waiting for the model'))
  })
})
