import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { assertAlert, isShown, isThere, Refusal, serve, show, untilSent } from '../../../testing/console.tsx'
import { FlowRuns } from './live-tab.tsx'

const RUNS_PATH = '/projects/prj_1/capabilities/flow/runs'
const CREATED_AT = '2026-11-26T03:00:00.000Z'
const listedRun = (id: string, status: string) => ({ id, status, createdAt: CREATED_AT })
const step = {
  name: 'reserve',
  kind: 'do',
  status: 'done',
  startedAt: CREATED_AT,
  endedAt: CREATED_AT,
  attempts: 1,
  error: null,
}
const waitingRun = {
  ...listedRun('order-7', 'waiting'),
  flow: 'order',
  endedAt: null,
  error: null,
  steps: [step, { ...step, name: 'paid', kind: 'wait', status: 'waiting', endedAt: null, attempts: 0 }],
}
const runPage = (...items: object[]) => ({ items, nextCursor: null })
const pressButton = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }))

describe('the workflow runs of the live app', () => {
  test('a workflow run shows its state and, when expanded, its steps with errors and attempts', async () => {
    const failed = {
      ...waitingRun,
      ...listedRun('order-6', 'failed'),
      error: 'no luck',
      steps: [{ ...step, name: 'ship', status: 'failed', attempts: 4, error: 'the van is broken' }],
    }
    serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', 'waiting'), listedRun('order-6', 'failed')),
      [`GET ${RUNS_PATH}/order-7`]: () => waitingRun,
      [`GET ${RUNS_PATH}/order-6`]: () => failed,
    })
    show(<FlowRuns projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('2 runs, the newest first')))
    pressButton(/order-7/)
    const steps = within(await screen.findByRole('list', { name: 'Steps of order-7' }))
    for (const words of ['reserve', 'paid', 'waits for a signal']) assert.ok(steps.getByText(words), words)
    assert.ok(isShown('Flow order'))
    pressButton(/order-6/)
    await screen.findByText('the van is broken')
    for (const words of ['no luck', 'ship', 'step · 4 attempts']) assert.ok(isShown(words), words)
    assert.equal(screen.getAllByRole('button', { name: 'Cancel run' }).length, 1)
  })

  test('an expanded workflow run shows what it waits for, even when the list shows it as running', async () => {
    const nap = { ...step, name: 'nap', kind: 'sleep', status: 'waiting', endedAt: null, attempts: 0 }
    serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', 'running'), listedRun('nap-1', 'waiting')),
      [`GET ${RUNS_PATH}/order-7`]: () => waitingRun,
      [`GET ${RUNS_PATH}/nap-1`]: () => ({ ...waitingRun, ...listedRun('nap-1', 'waiting'), steps: [nap] }),
    })
    show(<FlowRuns projectId="prj_1" />)
    const row = (id: string) => screen.getByRole('button', { name: new RegExp(id) })
    await waitFor(() => assert.match(row('order-7').textContent ?? '', /is running/))
    pressButton(/order-7/)
    await waitFor(() => assert.match(row('order-7').textContent ?? '', /waits for the signal paid · started/))
    pressButton(/nap-1/)
    await waitFor(() => assert.match(row('nap-1').textContent ?? '', /sleeps in nap/))
  })

  test('a workflow run that was collapsed again shows its state from the refetched list', async () => {
    let status = 'waiting'
    serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', status)),
      [`GET ${RUNS_PATH}/order-7`]: () => ({ ...waitingRun, status }),
    })
    show(<FlowRuns projectId="prj_1" />)
    const row = () => screen.getByRole('button', { name: /order-7/ })
    fireEvent.click(await screen.findByRole('button', { name: /order-7/ }))
    await waitFor(() => assert.match(row().textContent ?? '', /waits for the signal paid/))
    fireEvent.click(row())
    status = 'complete'
    pressButton('Refresh')
    await waitFor(() => assert.match(row().textContent ?? '', /is complete/))
  })

  test('a workflow run is cancelled only after a confirmation and is then shown as cancelled', async () => {
    let status = 'waiting'
    const calls = serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', status)),
      [`GET ${RUNS_PATH}/order-7`]: () => ({ ...waitingRun, status }),
      [`POST ${RUNS_PATH}/order-7/cancel`]: () => {
        status = 'cancelled'
        return { ...waitingRun, status }
      },
    })
    show(<FlowRuns projectId="prj_1" />)
    fireEvent.click(await screen.findByRole('button', { name: /order-7/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel run' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel the run order-7?' }))
    await untilSent()
    assert.equal(calls[`POST ${RUNS_PATH}/order-7/cancel`]?.length, 0)
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel run' }))
    await waitFor(() => assert.ok(isShown('was cancelled')))
    await waitFor(() => assert.ok(screen.queryByRole('button', { name: 'Cancel run' }) === null))
  })

  test('cancelling a workflow run that has ended shows the reason of the refusal', async () => {
    serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', 'waiting')),
      [`GET ${RUNS_PATH}/order-7`]: () => waitingRun,
      [`POST ${RUNS_PATH}/order-7/cancel`]: () => new Refusal(409, 'conflict', 'This run has already ended.'),
    })
    show(<FlowRuns projectId="prj_1" />)
    fireEvent.click(await screen.findByRole('button', { name: /order-7/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'Cancel run' }))
    const dialog = within(await screen.findByRole('dialog', { name: 'Cancel the run order-7?' }))
    fireEvent.click(dialog.getByRole('button', { name: 'Cancel run' }))
    await screen.findByText('This run has already ended.')
  })

  test('“Refresh” refetches the workflow runs and the steps of the expanded run', async () => {
    const calls = serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', 'waiting')),
      [`GET ${RUNS_PATH}/order-7`]: () => ({ ...waitingRun, flow: null, steps: [] }),
    })
    show(<FlowRuns projectId="prj_1" />)
    fireEvent.click(await screen.findByRole('button', { name: /order-7/ }))
    await screen.findByText('No step has begun.')
    assert.ok(isShown('Not started by the app'))
    pressButton('Refresh')
    await waitFor(() => {
      assert.equal(calls[`GET ${RUNS_PATH}`]?.length, 2)
      assert.equal(calls[`GET ${RUNS_PATH}/order-7`]?.length, 2)
    })
  })

  test('a failed “Refresh” keeps the earlier workflow runs and shows the error with its request id until a read succeeds', async () => {
    let answer: unknown = runPage(listedRun('order-7', 'waiting'))
    serve({ [`GET ${RUNS_PATH}`]: () => answer })
    show(<FlowRuns projectId="prj_1" />)
    await screen.findByRole('button', { name: /order-7/ })
    answer = new Refusal(403, 'forbidden', 'You may not.')
    pressButton('Refresh')
    await assertAlert(/You may not.*req_test/)
    assert.ok(isThere('button', /order-7/))
    answer = runPage(listedRun('order-8', 'waiting'))
    pressButton('Refresh')
    await screen.findByRole('button', { name: /order-8/ })
    assert.ok(!isThere('alert'))
  })

  test('a failed “Refresh” of the workflow runs says why the steps of the expanded run were not read again', async () => {
    const answers = [waitingRun, new Refusal(403, 'forbidden', 'You may not.')]
    serve({
      [`GET ${RUNS_PATH}`]: () => runPage(listedRun('order-7', 'waiting')),
      [`GET ${RUNS_PATH}/order-7`]: () => answers.shift(),
    })
    show(<FlowRuns projectId="prj_1" />)
    fireEvent.click(await screen.findByRole('button', { name: /order-7/ }))
    await screen.findByRole('list', { name: 'Steps of order-7' })
    pressButton('Refresh')
    await assertAlert(/You may not.*req_test/)
    assert.ok(isThere('list', 'Steps of order-7'))
  })

  test('the workflow page says when an app has no runs or was never shipped, and shows the error of a failed request', async () => {
    serve({ [`GET ${RUNS_PATH}`]: () => runPage() })
    const { unmount } = show(<FlowRuns projectId="prj_1" />)
    await screen.findByText('No flow has run yet')
    unmount()
    serve({
      [`GET ${RUNS_PATH.replace('prj_1', 'prj_2')}`]: () =>
        new Refusal(404, 'not_enabled', 'Not deployed yet.'),
    })
    const second = show(<FlowRuns projectId="prj_2" />)
    await screen.findByText('Ship once to see it')
    second.unmount()
    serve({
      [`GET ${RUNS_PATH.replace('prj_1', 'prj_3')}`]: () =>
        new Refusal(502, 'upstream_error', 'It is missing.'),
    })
    show(<FlowRuns projectId="prj_3" />)
    await screen.findByText('It is missing.')
  })
})
