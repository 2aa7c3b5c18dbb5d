import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { queryKeys } from '../../../api/query-keys.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { inDialog, pressInDialog } from '../../../testing/dialog.ts'
import { serveHeld } from '../../../testing/held.ts'
import { FlowRunDetails, runState } from './flow-run.tsx'
import type { FlowRun, FlowStep } from './query.ts'

const READ_RUN = 'GET /projects/prj_1/capabilities/flow/runs/order-7'
const CANCEL_RUN = 'POST /projects/prj_1/capabilities/flow/runs/order-7/cancel'
const BEGAN_AT = '2020-01-01T03:00:00.000Z'
const ENDED_AT = '2020-01-02T03:00:00.000Z'

const stepOf = (part: Partial<FlowStep> = {}): FlowStep => ({
  name: 'reserve',
  kind: 'do',
  status: 'done',
  startedAt: BEGAN_AT,
  endedAt: ENDED_AT,
  attempts: 1,
  error: null,
  ...part,
})
const waitingStep = stepOf({ name: 'paid', kind: 'wait', status: 'waiting', endedAt: null, attempts: 0 })
const runOf = (part: Partial<FlowRun> = {}): FlowRun => ({
  id: 'order-7',
  flow: 'order',
  status: 'waiting',
  createdAt: BEGAN_AT,
  endedAt: null,
  error: null,
  steps: [stepOf(), waitingStep],
  ...part,
})

/** Shows a run as `read` returns it at each request. Returns the received cancellation requests. */
async function renderRun(read: () => unknown, cancel: () => unknown = () => runOf({ status: 'cancelled' })) {
  const calls = serve({ [READ_RUN]: read, [CANCEL_RUN]: cancel })
  show(<FlowRunDetails projectId="prj_1" id="order-7" />)
  await waitFor(() => assert.ok(!isThere('status', 'Loading')))
  return { cancelled: () => calls[CANCEL_RUN]?.length }
}
const openCancel = async () => {
  press('Cancel run')
  await screen.findByRole('dialog', { name: 'Cancel the run order-7?' })
}
const shownSteps = () =>
  within(screen.getByRole('list', { name: 'Steps of order-7' }))
    .getAllByRole('listitem')
    .map(({ textContent }) => textContent ?? '')

describe('the steps of a workflow run', () => {
  test('while a workflow run loads, screen readers announce that, and the page does not say that no step has begun', async () => {
    const { isAsked, respond } = serveHeld(READ_RUN, runOf({ steps: [] }))
    show(<FlowRunDetails projectId="prj_1" id="order-7" />)
    await isAsked()
    assert.ok(isThere('status', 'Loading'))
    assert.ok(!isShown('No step has begun.'))
    await respond()
    await screen.findByText('No step has begun.')
  })

  test('a workflow run that cannot be read shows the request id, and is shown once a retry succeeds', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), runOf()]
    await renderRun(() => answers.shift())
    await assertAlert(/You may not.*req_test/)
    assert.ok(!isThere('button', 'Cancel run'))
    press('Try again')
    await screen.findByText('reserve')
    assert.ok(!isThere('alert'))
  })

  test('each step of a workflow run shows its kind and its state, and from the second attempt on the number of attempts', async () => {
    await renderRun(() =>
      runOf({
        status: 'running',
        steps: [
          stepOf({ attempts: 3 }),
          stepOf({ name: 'nap', kind: 'sleep', status: 'waiting', endedAt: null, attempts: 0 }),
          waitingStep,
          stepOf({ name: 'ship', status: 'running', endedAt: null }),
          stepOf({ name: 'bill', status: 'failed', attempts: 1000, error: 'No money.' }),
        ],
      }),
    )
    const lines = shownSteps()
    for (const [n, line] of [
      /^reservestep · 3 attemptsdone/,
      /^napsleepwaits/,
      /^paidwaits for a signalwaits/,
      /^shipstepruns/,
      /^billstep · 1000 attemptsNo money\.not done/,
    ].entries())
      assert.match(lines[n] ?? '', line)
  })

  test('a step of a workflow run shows its end time, or its start time before it ends, and no time before it starts', async () => {
    await renderRun(() =>
      runOf({
        steps: [
          stepOf(),
          stepOf({ name: 'ship', status: 'running', endedAt: null }),
          stepOf({ name: 'bill', status: 'waiting', startedAt: null, endedAt: null }),
        ],
      }),
    )
    const times = within(screen.getByRole('list')).getAllByRole('listitem')
    assert.deepEqual(
      times.map((step) => step.querySelector('time')?.getAttribute('datetime')),
      [ENDED_AT, BEGAN_AT, undefined],
    )
  })

  test('names and errors of a workflow run that look like HTML are shown as they are', async () => {
    const name = '<img src=x onerror=alert(1)>'
    const steps = [stepOf({ name, status: 'failed', error: `${name} of the step` })]
    await renderRun(() => runOf({ flow: name, status: 'failed', error: `${name} of the run`, steps }))
    for (const words of [`Flow ${name}`, name, `${name} of the step`, `${name} of the run`])
      assert.ok(isShown(words), words)
    assert.ok(document.querySelector('img') === null)
  })

  test('a workflow run keeps its steps on screen when its refetch fails', async () => {
    const answers = [runOf(), new Refusal(403, 'forbidden', 'You may not.')]
    await renderRun(() => answers.shift())
    await readAgain(queryKeys.live('prj_1', 'flow'))
    assert.equal(answers.length, 0)
    assert.equal(shownSteps().length, 2)
  })
})

describe('the state of a workflow run', () => {
  test('a waiting workflow run names what its last waiting step waits for', () => {
    const nap = stepOf({ name: 'nap', kind: 'sleep', status: 'waiting' })
    assert.equal(
      runState({ status: 'waiting', steps: [nap, stepOf(), waitingStep] }),
      'waits for the signal paid',
    )
    assert.equal(runState({ status: 'waiting', steps: [waitingStep, nap] }), 'sleeps in nap')
    assert.equal(runState({ status: 'waiting', steps: [stepOf()] }), 'is waiting')
  })

  test('a workflow run that is not waiting does not name the step for which it last waited', () => {
    for (const [status, words] of [
      ['queued', 'is queued'],
      ['running', 'is running'],
      ['paused', 'is paused'],
      ['complete', 'is complete'],
      ['failed', 'has failed'],
      ['cancelled', 'was cancelled'],
    ] as const)
      assert.equal(runState({ status, steps: [waitingStep] }), words)
  })

  test('a workflow run can be cancelled until it has ended, and an ended run shows its end time', async () => {
    let status: FlowRun['status'] = 'queued'
    await renderRun(() =>
      runOf({
        status,
        endedAt: ['queued', 'running', 'waiting', 'paused'].includes(status) ? null : ENDED_AT,
      }),
    )
    for (const [next, hasEnded] of [
      ['running', false],
      ['waiting', false],
      ['paused', false],
      ['complete', true],
      ['failed', true],
      ['cancelled', true],
    ] as const) {
      status = next
      await readAgain(queryKeys.live('prj_1', 'flow'))
      assert.equal(isThere('button', 'Cancel run'), !hasEnded, status)
      assert.equal(isShown(/ended/), hasEnded, status)
    }
  })
})

describe('the cancellation of a workflow run', () => {
  test('“Keep it” and Escape close the dialog that cancels a workflow run and send nothing', async () => {
    const { cancelled } = await renderRun(runOf)
    await openCancel()
    pressInDialog('Keep it')
    await waitFor(() => assert.ok(!isThere('dialog')))
    await openCancel()
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    await waitFor(() => assert.ok(!isThere('dialog')))
    await untilSent()
    assert.equal(cancelled(), 0)
  })

  test('pressing “Cancel run” twice in the dialog sends one request', async () => {
    const { isAsked, sent, respond } = serveHeld(CANCEL_RUN, runOf({ status: 'cancelled' }), {
      [READ_RUN]: () => runOf(),
    })
    show(<FlowRunDetails projectId="prj_1" id="order-7" />)
    await screen.findByText('reserve')
    await openCancel()
    pressInDialog('Cancel run')
    await isAsked()
    pressInDialog(/Cancel run/)
    await respond()
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.equal(sent()?.length, 1)
  })

  test('when a cancellation is refused because the workflow run has ended, the request id and the end of the run are shown', async () => {
    let status: FlowRun['status'] = 'waiting'
    await renderRun(
      () => runOf({ status }),
      () => {
        status = 'complete'
        return new Refusal(409, 'conflict', 'This run has already ended.')
      },
    )
    await openCancel()
    pressInDialog('Cancel run')
    await waitFor(() =>
      assert.match(inDialog().getByRole('alert').textContent ?? '', /already ended.*req_test/),
    )
    await waitFor(() => assert.ok(isShown('is complete')))
    pressInDialog('Keep it')
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.ok(!isThere('button', 'Cancel run'))
  })

  test('the error of a refused cancellation of a workflow run is gone in the reopened dialog, and the next try can succeed', async () => {
    let status: FlowRun['status'] = 'waiting'
    const answers = [
      () => new Refusal(503, 'unavailable', 'The app is asleep.'),
      () => {
        status = 'cancelled'
        return runOf({ status })
      },
    ]
    await renderRun(
      () => runOf({ status }),
      () => answers.shift()?.(),
    )
    await openCancel()
    pressInDialog('Cancel run')
    await assertAlert(/req_test/)
    pressInDialog('Keep it')
    await waitFor(() => assert.ok(!isThere('dialog')))
    await openCancel()
    assert.ok(!isThere('alert'))
    pressInDialog('Cancel run')
    await waitFor(() => assert.ok(isShown('was cancelled')))
    assert.ok(!isThere('dialog'))
  })

  test('“Keep it” in the dialog that cancels a workflow run returns the focus to the button that opened the dialog', async () => {
    await renderRun(runOf)
    button('Cancel run').focus()
    await openCancel()
    pressInDialog('Keep it')
    await waitFor(() => assert.ok(document.activeElement === button('Cancel run')))
  })
})
