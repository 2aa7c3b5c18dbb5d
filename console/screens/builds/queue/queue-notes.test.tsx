import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { buildViewOf, dismissRefusal } from '../../../state/builds/build-follower.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { BusyNote, QueuedNote, QueuePosition } from './queue-notes.tsx'

const QUEUE = 'GET /projects/prj_1/build/queue'
const ADD = 'POST /projects/prj_1/build/queue'
const REMOVE = 'DELETE /projects/prj_1/build/queue/tkt_1'
const queued = (n: number, waiting: object | null = null) => ({
  ticketId: `tkt_${n}`,
  title: `Ticket ${n}`,
  position: n,
  queuedAt: '2026-01-01T00:00:00Z',
  waiting,
})
const HELD_BACK = {
  reason: 'dependencies',
  until: null,
  dependencies: [{ title: 'Sign in', problem: 'failed' }],
}
const status = () => document.querySelector('p[role=status], div[role=status]')?.textContent ?? null

async function showPlace(queue: object, remove: () => unknown = () => null) {
  const calls = serve({ [QUEUE]: () => queue, [REMOVE]: remove })
  show(
    <section role="tabpanel" tabIndex={-1}>
      <QueuePosition projectId="prj_1" ticketId="tkt_1" />
    </section>,
  )
  await waitFor(() => assert.equal(calls[QUEUE]?.length, 1))
  await untilSent()
  return calls
}

describe('the position of a ticket in the build queue', () => {
  test('a queued ticket shows its position in the queue and why it waits', async () => {
    await showPlace({ running: null, queued: [queued(1, { reason: 'model', until: null }), queued(2)] })
    assert.match(
      status() ?? '',
      /^Number 1 of 2 in the queue\. Waiting for a model: connect one under Models\./,
    )
    assert.equal(isThere('button', 'Build anyway'), false)
  })

  test('a ticket that is not in the build queue shows no note about the queue', async () => {
    await showPlace({ running: null, queued: [queued(2)] })
    assert.equal(status(), null)
  })

  test('a ticket that waits for others can be built anyway while no build runs', async () => {
    await showPlace({ running: null, queued: [queued(1, HELD_BACK)] })
    assert.match(status() ?? '', /Waits for “Sign in” \(its last build failed\)\./)
    assert.ok(isThere('button', 'Build anyway'))
  })

  test('a ticket that waits for other tickets cannot be built anyway while another build runs', async () => {
    const running = { ticketId: 'tkt_9', title: 'Other', runId: 'run_1' }
    await showPlace({ running, queued: [queued(1, HELD_BACK)] })
    assert.equal(isThere('button', 'Build anyway'), false)
  })

  test('pressing “Build anyway” twice starts one build, and the button is hidden while the build starts', async () => {
    const stream = 'POST /projects/prj_1/tickets/tkt_anyway/build/stream'
    const held = Promise.withResolvers<unknown>()
    const calls = serve({
      [QUEUE]: () => ({ running: null, queued: [{ ...queued(1, HELD_BACK), ticketId: 'tkt_anyway' }] }),
      'GET /projects/prj_1/tickets/tkt_anyway': () => ({ build: { state: 'idle', runId: null } }),
      [stream]: () => held.promise,
    })
    show(<QueuePosition projectId="prj_1" ticketId="tkt_anyway" />)
    const anyway = await screen.findByRole('button', { name: 'Build anyway' })
    fireEvent.click(anyway)
    fireEvent.click(anyway)
    await waitFor(() => assert.equal(calls[stream]?.length, 1))
    await untilSent()
    assert.equal(calls[stream]?.length, 1)
    assert.equal(isThere('button', 'Build anyway'), false)
    // The page no longer follows the stream of a build that could not start.
    held.resolve(new Refusal(409, 'conflict', 'Another build is running.'))
    await waitFor(() => assert.equal(buildViewOf('tkt_anyway')?.isFollowing, false))
    assert.equal(isThere('button', 'Build anyway'), true)
    dismissRefusal('prj_1', 'tkt_anyway', null)
  })

  test('a ticket that cannot be removed from the queue keeps its position, and the reason is shown', async () => {
    await showPlace(
      { running: null, queued: [queued(1)] },
      () => new Refusal(403, 'forbidden', 'You may not.'),
    )
    press('Leave the queue')
    await assertAlert(/Not taken out of the queue.*You may not/)
    assert.match(status() ?? '', /^Number 1 of 1 in the queue\./)
  })

  test('the focus of “Leave the queue” moves to the tab around it only when the button disappears', async () => {
    const queue = { running: null, queued: [queued(1)] }
    await showPlace(queue, () => void (queue.queued = []))
    button('Leave the queue').focus()
    press('Leave the queue')
    assert.ok(document.activeElement === button('Leave the queue'))
    await waitFor(() => assert.equal(isThere('button', 'Leave the queue'), false))
    assert.ok(document.activeElement === screen.getByRole('tabpanel'))
  })

  test('when a queued ticket leaves the queue elsewhere, the focus of “Leave the queue” moves to the tab around the button', async () => {
    const queue = { running: null, queued: [queued(1)] }
    await showPlace(queue)
    button('Leave the queue').focus()
    queue.queued = []
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => assert.equal(isThere('button', 'Leave the queue'), false))
    assert.ok(document.activeElement === screen.getByRole('tabpanel'))
  })
})

describe('a build that was refused because another one runs', () => {
  const running = { ticketId: 'tkt_9', title: '<b>Other</b>' }
  const showBusy = (answer: () => unknown, canQueue = true) => {
    const left: string[] = []
    const calls = serve({ [ADD]: answer, [QUEUE]: () => ({ running: null, queued: [] }) })
    show(
      <BusyNote
        projectId="prj_1"
        running={running}
        ticketId="tkt_1"
        title="Ticket 1"
        canQueue={canQueue}
        onQueued={() => left.push('queued')}
      />,
    )
    return { calls, left }
  }

  test('a build refused because of a running build links to that build, and its ticket can be queued instead', async () => {
    const { calls, left } = showBusy(() => ({ queued: [queued(1)], skipped: [], openQuestions: [] }))
    assert.match(screen.getByRole('link').getAttribute('href') ?? '', /\/projects\/prj_1\?.*ticket=tkt_9/)
    press('Add to queue')
    await waitFor(() => assert.deepEqual(left, ['queued']))
    assert.deepEqual(sent(calls, ADD), [{ ticketIds: ['tkt_1'] }])
  })

  test('a ticket that was not added to the queue shows the reason, and is not reported as queued', async () => {
    const { left } = showBusy(() => ({
      queued: [],
      skipped: [{ ticketId: 'tkt_1', reason: 'queued' }],
      openQuestions: [],
    }))
    press('Add to queue')
    await waitFor(() => assert.equal(status(), 'No ticket was addedTicket 1: It is already in the queue.'))
    assert.deepEqual(left, [])
  })

  test('a failed request to add a ticket to the build queue is reported and can be sent again', async () => {
    const answers = [
      new Refusal(403, 'forbidden', 'You may not.'),
      { queued: [queued(1)], skipped: [], openQuestions: [] },
    ]
    const { left } = showBusy(() => answers.shift())
    press('Add to queue')
    await waitFor(() => assert.ok(isShown('Not added to the queue')))
    press('Add to queue')
    await waitFor(() => assert.deepEqual(left, ['queued']))
  })

  test('a refused build that cannot be queued, such as one that contains answers to questions, shows no button to queue it', () => {
    showBusy(() => null, false)
    assert.equal(isThere('button', 'Add to queue'), false)
  })

  test('each ticket that was not queued is listed with the reason', () => {
    const skipped = (['unknown', 'structure'] as const).map((reason, n) => ({ ticketId: `tkt_${n}`, reason }))
    show(
      <QueuedNote
        answer={{ queued: [], skipped, openQuestions: [] }}
        titleOf={(id) => (id === 'tkt_1' ? 'Sign in' : undefined)}
      />,
    )
    assert.deepEqual(
      screen.getAllByRole('listitem').map((row) => row.textContent),
      ['tkt_0: It does not exist any more.', 'Sign in: An epic groups tickets and is never built itself.'],
    )
  })
})
