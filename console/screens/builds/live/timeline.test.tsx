import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildFrame } from '@slipway/sdk/frames.ts'
import { screen, within } from '@testing-library/react'
import { isShown, show } from '../../../testing/console.tsx'
import { initialBuild, reduceBuild } from '../follow/build-state.ts'
import { Timeline } from './timeline.tsx'

const run = (attempt = 1): BuildFrame => ({
  type: 'run',
  run: 'run_1',
  ticketId: 'tkt_1',
  attempt,
  trigger: 'stream',
  model: 'scripted',
  generatedBy: 'test/scripted',
})
const step = (n: number): BuildFrame => ({ type: 'step', n, limit: 60 })

/** Shows a build as far as these frames tell it. */
function follow(...frames: BuildFrame[]) {
  const state = frames.reduce(
    (build, frame, index) => reduceBuild(build, { ...frame, seq: index + 1 }),
    initialBuild,
  )
  return show(<Timeline state={state} />)
}
const steps = () => screen.getAllByRole('heading', { level: 3 }).map((heading) => heading.textContent)

describe('the steps of a build', () => {
  test('before the first step it says that it waits for the model', () => {
    follow(run())
    assert.ok(isShown('Waiting for the model'))
  })

  test('each step has its words and what the model did, in order', () => {
    follow(
      run(),
      step(1),
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
      step(2),
      { type: 'delta', text: 'Then the list.' },
    )
    assert.deepEqual(steps(), ['Step 1', 'Step 2'])
    const [first, second] = within(screen.getByRole('log')).getAllByText(/the (form|list)\./)
    assert.equal(first?.compareDocumentPosition(second as Node), Node.DOCUMENT_POSITION_FOLLOWING)
    assert.ok(isShown('Wrote') && isShown('web/form.tsx'))
  })

  test('a file that is being written is named with how far it has come', () => {
    follow(run(), step(1), { type: 'delta', tool: 'write_file', path: 'web/form.tsx', toolChars: 1_500 })
    assert.ok(isShown('Writing') && isShown('web/form.tsx'))
    assert.match(screen.getByRole('log').textContent ?? '', /1\.5k characters/)
  })

  test('a failed call of a tool says so and holds what came back', () => {
    follow(run(), step(1), {
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

  test('a continued build says which attempt it is', () => {
    follow(run(2), step(1))
    assert.ok(isShown('Attempt 2: continued after a restart'))
  })

  test('a build that is over waits for nothing any more', () => {
    follow(run(), step(1), { type: 'error', kind: 'stuck', message: 'In circles.', retryable: true })
    assert.ok(!isShown('Waiting for the model'))
  })
})
