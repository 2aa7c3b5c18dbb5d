import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { queueQuery } from '../../../api/project/queue.ts'
import { recentTicketsQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  button,
  isShown,
  isThere,
  readAgain,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { QueueIndicator } from './queue-indicator.tsx'

const QUEUE = 'GET /projects/prj_1/build/queue'
const TICKETS = 'GET /projects/prj_1/tickets'
const queuedBuild = (n: number) => ({
  ticketId: `tkt_${n}`,
  title: `Ticket ${n}`,
  position: n,
  queuedAt: '2026-01-01T00:00:00Z',
  waiting: null,
})
const runningBuild = (n: number) => ({ ticketId: `tkt_${n}`, title: `Ticket ${n}`, runId: `run_${n}` })

/** Shows the indicator beside a ticket list. A test changes `world.queue` as another member or an ended build would. */
async function showIndicator(queue: unknown) {
  const world = { queue }
  const calls = serve({ [QUEUE]: () => world.queue, [TICKETS]: () => [] })
  function Page() {
    useQuery(recentTicketsQuery('prj_1'))
    return <QueueIndicator projectId="prj_1" />
  }
  show(<Page />)
  await waitFor(() => assert.equal(calls[QUEUE]?.length, 1))
  await untilSent()
  const change = async (next: unknown) => {
    world.queue = next
    await readAgain(queueQuery('prj_1').queryKey)
    await untilSent()
  }
  return { change, ticketReads: () => calls[TICKETS]?.length }
}

describe('the indicator of the build queue', () => {
  test('the queue indicator is hidden when the queue is empty or cannot be read', async () => {
    await showIndicator({ running: null, queued: [] })
    assert.ok(!isThere('button'))
    cleanup()
    queryClient.clear()
    await showIndicator(new Refusal(403, 'forbidden', 'You may not.'))
    assert.ok(!isThere('button'))
  })

  test('the queue indicator shows the running build and the number of waiting tickets, and opens the queue', async () => {
    await showIndicator({ running: runningBuild(1), queued: [queuedBuild(2), queuedBuild(3)] })
    const indicator = await screen.findByRole('button', {
      name: 'Building 1, 2 waiting. Show the build queue',
    })
    fireEvent.click(indicator)
    assert.ok(await screen.findByRole('dialog', { name: 'Build queue' }))
    assert.ok(isShown('Ticket 3'))
  })

  test('the queue panel stays open when its last ticket leaves, and the queue indicator disappears once the panel is closed', async () => {
    const { change } = await showIndicator({ running: runningBuild(1), queued: [] })
    fireEvent.click(await screen.findByRole('button', { name: /^Building 1/ }))
    await screen.findByRole('dialog', { name: 'Build queue' })
    await change({ running: null, queued: [] })
    assert.ok(isThere('dialog', 'Build queue'))
    assert.ok(isShown(/Add a ticket while another is being built/))
    fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })
    await waitFor(() => assert.ok(!isThere('dialog')))
    await waitFor(() => assert.ok(!isThere('button')))
  })

  test('following a link in the queue panel closes the panel', async () => {
    await showIndicator({ running: runningBuild(1), queued: [queuedBuild(2)] })
    fireEvent.click(await screen.findByRole('button', { name: /^Building 1/ }))
    fireEvent.click(await screen.findByTitle('Open “Ticket 2”'))
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.ok(button(/^Building 1/))
  })

  test('the queue indicator requests the tickets only once when a page opens during a build', async () => {
    const { ticketReads } = await showIndicator({ running: runningBuild(1), queued: [] })
    await screen.findByRole('button', { name: /^Building 1/ })
    await untilSent()
    assert.equal(ticketReads(), 1)
  })

  test('the queue indicator requests the tickets again when a build starts or ends, but not when only waiting tickets change', async () => {
    const { change, ticketReads } = await showIndicator({ running: null, queued: [queuedBuild(1)] })
    assert.equal(ticketReads(), 1, 'opening the page reads them once')
    await change({ running: null, queued: [queuedBuild(1), queuedBuild(2)] })
    assert.equal(ticketReads(), 1)
    await change({ running: runningBuild(1), queued: [queuedBuild(2)] })
    assert.equal(ticketReads(), 2)
    await change({ running: runningBuild(2), queued: [] })
    assert.equal(ticketReads(), 3)
    await change({ running: null, queued: [] })
    assert.equal(ticketReads(), 4)
  })
})
