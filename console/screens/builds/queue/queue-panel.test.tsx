import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { BuildQueue } from '@slipway/sdk/client/types.gen.ts'
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { queueQuery } from '../../../api/project/queue.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { assertAlert, button, isShown, press, Refusal, serve, show } from '../../../testing/console.tsx'
import { QueuePanel } from './queue-panel.tsx'

const PROJECT_ID = 'prj_1'
const QUEUED_AT = '2026-01-01T00:00:00Z'
const queuedBuild = (n: number, reason: 'model' | null = null) => ({
  ticketId: `tkt_${n}`,
  title: `Ticket ${n}`,
  position: n,
  queuedAt: QUEUED_AT,
  waiting: reason && { reason, until: null },
})
const BUILD_QUEUE: BuildQueue = {
  running: { ticketId: 'tkt_9', title: 'Ticket 9', runId: 'run_1' },
  queued: [queuedBuild(1), queuedBuild(2)],
}
const ENTRY_PATH = `/projects/${PROJECT_ID}/build/queue/tkt_1`
const READ_QUEUE = `GET /projects/${PROJECT_ID}/build/queue`

/** Renders the panel with the cached queue, so that the panel shows every cache change. */
function LoadedPanel({ onLeave }: { onLeave: () => void }) {
  const queue = useQuery(queueQuery(PROJECT_ID)).data
  return queue ? <QueuePanel projectId={PROJECT_ID} queue={queue} onLeave={onLeave} /> : null
}
const queueRows = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent?.slice(0, 9))

async function renderQueuePanel(line: BuildQueue, remove: () => unknown = () => null) {
  const left: string[] = []
  const calls = serve({ [READ_QUEUE]: () => line, [`DELETE ${ENTRY_PATH}`]: remove })
  show(<LoadedPanel onLeave={() => left.push('left')} />)
  await screen.findByText(/Tickets are built one after another/)
  return { calls, left }
}

describe('the panel of the build queue', () => {
  test('the queue panel shows the running build and the waiting tickets in order', async () => {
    await renderQueuePanel(BUILD_QUEUE)
    assert.ok(screen.getByTitle('Watch the build of “Ticket 9”'))
    assert.deepEqual(queueRows(), ['1Ticket 1', '2Ticket 2'])
  })

  test('the queue panel shows why the next ticket is not being built', async () => {
    await renderQueuePanel({ running: null, queued: [queuedBuild(1, 'model')] })
    assert.ok(isShown('Waiting for a model: connect one under Models.'))
  })

  test('an empty queue panel shows how to add a ticket', async () => {
    await renderQueuePanel({ running: null, queued: [] })
    assert.ok(isShown(/Add a ticket while another is being built/))
  })

  test('a removed ticket disappears from the queue panel before the service responds', async () => {
    const { promise, resolve } = Promise.withResolvers<null>()
    const { calls } = await renderQueuePanel(BUILD_QUEUE, () => promise)
    press('Take “Ticket 1” out of the queue')
    await waitFor(() => assert.deepEqual(queueRows(), ['1Ticket 2']))
    await waitFor(() => assert.equal(calls[`DELETE ${ENTRY_PATH}`]?.length, 1))
    resolve(null)
  })

  test('a refused removal from the queue restores the ticket at its position and shows an error', async () => {
    await renderQueuePanel(BUILD_QUEUE, () => new Refusal(409, 'conflict', 'It is being built now.'))
    press('Take “Ticket 1” out of the queue')
    await assertAlert(/Not taken out of the queue/)
    await waitFor(() => assert.deepEqual(queueRows(), ['1Ticket 1', '2Ticket 2']))
  })

  test('after a ticket is removed from the queue, the focus moves to the next ticket, or to the panel of an empty queue', async () => {
    for (const [queued, focused] of [
      [[queuedBuild(1), queuedBuild(2)], 'Take “Ticket 2” out of the queue'],
      [[queuedBuild(3), queuedBuild(1)], 'Take “Ticket 3” out of the queue'],
      [[queuedBuild(1)], 'Tickets are built one after another'],
    ] as const) {
      const line = { running: null, queued: [...queued] }
      await renderQueuePanel(line, () => {
        line.queued = line.queued.filter(({ ticketId }) => ticketId !== 'tkt_1')
        return null
      })
      button('Take “Ticket 1” out of the queue').focus()
      press('Take “Ticket 1” out of the queue')
      await waitFor(() => assert.ok(!isShown('Ticket 1')))
      const { activeElement } = document
      assert.ok(activeElement !== document.body)
      const words = activeElement?.getAttribute('aria-label') ?? activeElement?.textContent ?? ''
      assert.ok(words.startsWith(focused), words)
      cleanup()
      queryClient.clear()
    }
  })

  test('opening a ticket of the queue closes the queue panel', async () => {
    const { left } = await renderQueuePanel(BUILD_QUEUE)
    fireEvent.click(screen.getByTitle('Open “Ticket 2”'))
    assert.deepEqual(left, ['left'])
    assert.ok(button('Take “Ticket 2” out of the queue'))
  })
})
