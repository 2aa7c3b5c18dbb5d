import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import type { BuildPhase } from '../../../state/builds/build-state.ts'
import { BuildStatus } from './build-status.tsx'

const CANCEL_BUILD = 'POST /projects/prj_1/tickets/tkt_1/build/cancel'
const READ_RUN = 'GET /projects/prj_1/runs/run_1'
const usage = { input: 1200, output: 300, cacheRead: 0, cacheWrite: 0 }

interface StatusOptions {
  phase?: BuildPhase
  run?: string | null
  cancel?: () => unknown
}

function renderBuildStatus({ phase = 'running', run = 'run_1', cancel = () => null }: StatusOptions = {}) {
  const times = { startedAt: '2026-01-01T00:00:00Z', finishedAt: '2026-01-01T00:01:05Z' }
  const calls = serve({
    [CANCEL_BUILD]: cancel,
    [READ_RUN]: () => ({ id: 'run_1', createdAt: times.startedAt, ...times }),
  })
  const status = (now: BuildPhase) => {
    const facts = { phase: now, run, stepCount: 3, stepLimit: 40, usage, model: 'claude' } as const
    return <BuildStatus projectId="prj_1" ticketId="tkt_1" {...facts} />
  }
  const { rerender } = show(status(phase))
  /** Changes the phase of the shown build, for example to an ended one. */
  changePhase = (next) => rerender(status(next))
  return calls
}
let changePhase: (next: BuildPhase) => void = () => {}

describe('the status of a build', () => {
  test('a running build shows its step, elapsed time, tokens and model', async () => {
    renderBuildStatus()
    assert.ok(isShown('Step 3 of at most 40'))
    assert.ok(isShown('by claude'))
    assert.ok(isShown(/^1\.5k tokens$/))
    assert.ok(await screen.findByText('1:05'))
  })

  test('pressing Stop and then the stop shortcut cancels a build only once, and the stop button stays busy', async () => {
    const calls = renderBuildStatus()
    press('Stop')
    await waitFor(() => assert.equal(calls[CANCEL_BUILD]?.length, 1))
    const stopping = await screen.findByRole('button', { name: /Stopping/ })
    fireEvent.click(stopping)
    fireEvent.keyDown(document.body, { key: '.', code: 'Period', ctrlKey: true })
    assert.equal(stopping.getAttribute('aria-busy'), 'true')
    await untilSent()
    assert.equal(calls[CANCEL_BUILD]?.length, 1)
  })

  test('Ctrl and the full stop key stop the running build', async () => {
    const calls = renderBuildStatus()
    assert.equal(button('Stop').getAttribute('aria-keyshortcuts'), 'Control+. Meta+.')
    fireEvent.keyDown(document.body, { key: '.', code: 'Period', ctrlKey: true })
    await waitFor(() => assert.equal(calls[CANCEL_BUILD]?.length, 1))
  })

  test('when a build cannot be stopped, the reason is shown and the stop button can be pressed again', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), null]
    const calls = renderBuildStatus({ cancel: () => answers.shift() })
    press('Stop')
    await assertAlert(/You may not/)
    press('Stop')
    await waitFor(() => assert.equal(calls[CANCEL_BUILD]?.length, 2))
  })

  test('after a refused stop, the shortcut can stop the build', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), null]
    const calls = renderBuildStatus({ cancel: () => answers.shift() })
    press('Stop')
    await assertAlert(/You may not/)
    fireEvent.keyDown(document.body, { key: '.', code: 'Period', ctrlKey: true })
    await waitFor(() => assert.equal(calls[CANCEL_BUILD]?.length, 2))
    await screen.findByRole('button', { name: /Stopping/ })
    assert.ok(!isThere('alert'))
  })

  test('when a build ends after its stop button was pressed, the focus moves from the button to the phase of the build', async () => {
    const calls = renderBuildStatus()
    button('Stop').focus()
    press('Stop')
    await waitFor(() => assert.equal(calls[CANCEL_BUILD]?.length, 1))
    await screen.findByRole('button', { name: /Stopping/ })
    changePhase('cancelled')
    assert.ok(!isThere('button'))
    assert.equal(document.activeElement?.textContent, 'Stopped')
  })

  test('the stop shortcut sends nothing after the build has ended', async () => {
    const calls = renderBuildStatus({ phase: 'built' })
    fireEvent.keyDown(document.body, { key: '.', code: 'Period', ctrlKey: true })
    await untilSent()
    assert.deepEqual(calls[CANCEL_BUILD], [])
  })

  test('a build that has ended or has not started yet has no stop button', () => {
    renderBuildStatus({ phase: 'built' })
    assert.ok(!isThere('button'))
    assert.ok(!isShown('Step 3 of at most 40'))
    renderBuildStatus({ phase: 'connecting', run: null })
    assert.ok(!isThere('button'))
  })
})
