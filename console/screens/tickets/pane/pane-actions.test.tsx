import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useParams } from '@tanstack/react-router'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { ticketStatsQuery } from '../../../api/project/tickets.ts'
import { queueQuery } from '../../../api/project/queue.ts'
import { useWorkspaceLocation } from '../../../state/use-workspace-location.ts'
import {
  field,
  findMessage,
  isShown,
  isThere,
  press,
  readAgain,
  Refusal,
  sent,
  serve,
  showAt,
  untilSent,
} from '../../../testing/console.tsx'
import { giveScrollersHeight } from '../../../testing/layout.ts'
import { testTicket, ticketCounts } from '../../../testing/tickets.ts'
import { TicketsPane } from './tickets-pane.tsx'

const ADD_TO_QUEUE = 'POST /projects/prj_1/build/queue'
const SEARCH = 'GET /projects/prj_1/tickets/search'

function Page() {
  const { projectId } = useParams({ from: '/app/projects/$projectId' })
  const { place, go } = useWorkspaceLocation(projectId)
  return (
    <TicketsPane
      projectId={projectId}
      view={place.view}
      filter={place.filter}
      chosen={place.ticket ?? null}
      detailed={null}
      go={go}
    />
  )
}

const queueResponse = (queued: string[], skipped: { ticketId: string; reason: string }[] = []) => ({
  queued: queued.map((ticketId) => ({ ticketId })),
  skipped,
  openQuestions: [],
})

/** Opens the tickets pane of a project with three tickets. A test changes `world` as another member would. */
async function openPane(t: TestContext, search = '', answers: Record<string, () => unknown> = {}) {
  giveScrollersHeight(t)
  const titled = (id: string, title: string, part: Partial<Ticket> = {}) => testTicket(id, { title, ...part })
  const build = { state: 'idle', runId: 'run_1', outcome: 'built', refused: null } as const
  const world = {
    tickets: [
      titled('tkt_1', 'Ferns'),
      titled('tkt_2', 'Moss', { build }),
      titled('tkt_3', 'Ivy', { parent: 'tkt_1' }),
    ],
    queued: [] as object[],
  }
  const calls = serve({
    'GET /projects/prj_1/tickets/stats': () => ticketCounts({ todo: world.tickets.length }),
    'GET /projects/prj_1/tickets/labels': () => [{ label: 'garden', count: 1 }],
    'GET /projects/prj_1/build/queue': () => ({ running: null, queued: world.queued }),
    [SEARCH]: ({ query }) => ({
      items: world.tickets.filter(({ status }) => (query['status'] ?? status) === status),
      nextCursor: null,
    }),
    'GET /projects/prj_1/tickets/tree': () => ({
      items: world.tickets.map((ticket) => ({ ...ticket, childCount: 0, openChildCount: 0 })),
      nextCursor: null,
    }),
    'POST /projects/prj_1/tickets/rollups': () => ({}),
    ...answers,
  })
  const page = await showAt('/app/projects/$projectId', Page, `/projects/prj_1${search}`)
  await screen.findByText('Ferns')
  await untilSent()
  return { ...page, world, calls, queued: () => sent(calls, ADD_TO_QUEUE) }
}
const pressKey = (key: string, part: KeyboardEventInit = {}) =>
  fireEvent.keyDown(document.body, { key, ...part })
const select = (title: string) => fireEvent.click(field(`Select “${title}”`))
/** Closes the open dialog or menu with its Escape key. */
const escape = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'Escape' })

describe('the dialogs and menus that the shortcuts of the tickets pane open', () => {
  test('S opens the status menu and P the priority menu of the ticket at the cursor, and Escape closes the menu', async (t) => {
    const change = 'PATCH /projects/prj_1/tickets/tkt_1'
    const { calls } = await openPane(t, '', { [change]: () => testTicket('tkt_1', { title: 'Ferns' }) })
    pressKey('j')
    pressKey('s')
    assert.ok(await screen.findByRole('menu', { name: 'Status' }))
    escape()
    await waitFor(() => assert.ok(!isThere('menu')))
    pressKey('p')
    const menu = within(await screen.findByRole('menu', { name: 'Priority' }))
    fireEvent.click(menu.getByRole('menuitemradio', { name: 'Urgent' }))
    await waitFor(() => assert.deepEqual(sent(calls, change), [{ priority: 'urgent' }]))
    await waitFor(() => assert.ok(!isThere('menu')))
  })

  test('L opens the label dialog for all selected tickets, and closing the dialog keeps the selection', async (t) => {
    await openPane(t)
    select('Ferns')
    select('Moss')
    pressKey('l')
    assert.ok(await screen.findByRole('dialog', { name: 'Labels of 2 tickets' }))
    escape()
    await waitFor(() => assert.ok(!isThere('dialog')))
    assert.ok(isShown('2 selected'))
  })

  test('ticket shortcuts do nothing while no ticket is open or has the cursor', async (t) => {
    const { queued, place } = await openPane(t, '', { [ADD_TO_QUEUE]: () => queueResponse([]) })
    for (const key of ['s', 'p', 'l', 'x', 'b', 'q', 'e', 'Enter']) pressKey(key)
    await untilSent()
    assert.ok(!isThere('menu') && !isThere('dialog'))
    assert.deepEqual(queued(), [])
    assert.equal(place(), '/projects/prj_1')
  })

  test('in the ticket tree, a dialog can make a ticket the child of another ticket', async (t) => {
    const change = 'PATCH /projects/prj_1/tickets/tkt_1'
    const { calls } = await openPane(t, '?view=tree', {
      [change]: () => testTicket('tkt_1', { title: 'Ferns', parent: 'tkt_2' }),
    })
    press('Move below another ticket: Ferns')
    const dialog = within(await screen.findByRole('dialog', { name: 'Move ticket' }))
    assert.ok(dialog.getByText(/“Ferns” and everything below it move together/))
    fireEvent.click(await dialog.findByText('Moss'))
    await waitFor(() => assert.deepEqual(sent(calls, change), [{ parent: 'tkt_2' }]))
    await waitFor(() => assert.ok(!isThere('dialog')))
  })

  test('Enter opens the build of a built ticket, and the text of any other ticket', async (t) => {
    const { place } = await openPane(t)
    pressKey('j')
    pressKey('Enter')
    await waitFor(() => assert.equal(place(), '/projects/prj_1?ticket=tkt_1&tab=ticket&pane=work'))
    pressKey('j')
    pressKey('Enter')
    await waitFor(() => assert.equal(place(), '/projects/prj_1?ticket=tkt_2&tab=build&pane=work'))
  })
})

describe('queueing tickets from the tickets pane', () => {
  test('the selected tickets are queued together, and a message shows their number', async (t) => {
    const { queued } = await openPane(t, '', { [ADD_TO_QUEUE]: () => queueResponse(['tkt_1', 'tkt_2']) })
    select('Ferns')
    select('Moss')
    pressKey('q')
    assert.ok(await findMessage('2 tickets added to the queue'))
    assert.deepEqual(queued(), [{ ticketIds: ['tkt_1', 'tkt_2'] }])
  })

  test('the message about tickets that were not queued names each reason once', async (t) => {
    const skipped = [
      { ticketId: 'tkt_1', reason: 'queued' },
      { ticketId: 'tkt_2', reason: 'structure' },
      { ticketId: 'tkt_3', reason: 'structure' },
    ]
    await openPane(t, '', { [ADD_TO_QUEUE]: () => queueResponse([], skipped) })
    select('Ferns')
    press('Add to queue')
    assert.ok(
      await findMessage(
        'No ticket was added. It is already in the queue. An epic groups tickets and is never built itself.',
      ),
    )
  })

  test('tickets that cannot be queued are reported even if more tickets were queued during the request', async (t) => {
    const first = Promise.withResolvers<unknown>()
    const responses: unknown[] = [first.promise, queueResponse(['tkt_2'])]
    const { queued } = await openPane(t, '', { [ADD_TO_QUEUE]: () => responses.shift() })
    pressKey('j')
    pressKey('q')
    await waitFor(() => assert.equal(queued()?.length, 1))
    pressKey('j')
    pressKey('q')
    assert.ok(await findMessage('Added to the queue'))
    first.resolve(new Refusal(409, 'conflict', 'The queue is full.'))
    assert.ok(await findMessage(/The queue is full/))
    assert.deepEqual(queued(), [{ ticketIds: ['tkt_1'] }, { ticketIds: ['tkt_2'] }])
  })
})

describe('changes of tickets by other members', () => {
  test('a ticket that another member adds appears when the ticket counts change', async (t) => {
    const { world, calls } = await openPane(t)
    const before = calls[SEARCH]?.length ?? 0
    await readAgain(ticketStatsQuery('prj_1').queryKey)
    await untilSent()
    assert.equal(calls[SEARCH]?.length, before, 'equal counts read no list')
    world.tickets = [...world.tickets, testTicket('tkt_4', { title: 'Cactus' })]
    await readAgain(ticketStatsQuery('prj_1').queryKey)
    assert.ok(await screen.findByText('Cactus'))
  })

  test('a build that another member queues or starts is shown at the ticket', async (t) => {
    const { world } = await openPane(t)
    const waiting = { ticketId: 'tkt_2', title: 'Moss', position: 1, queuedAt: '', waiting: null }
    world.queued = [waiting]
    world.tickets = world.tickets.map((ticket) =>
      ticket.id === 'tkt_2' ? { ...ticket, title: 'Moss, which is queued' } : ticket,
    )
    await readAgain(queueQuery('prj_1').queryKey)
    assert.ok(await screen.findByText('Moss, which is queued'))
  })
})
