import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { type MenuKind, PaneContext } from '../../../state/tickets/pane-context.ts'
import { findMessage, press, Refusal, sent, serve, show, untilSent } from '../../../testing/console.tsx'
import { testPane, testTicket } from '../../../testing/tickets.ts'
import { refusedChangeOf } from '../../../state/tickets/refusals.ts'
import { FieldMenu } from './field-menu.tsx'
import { ParentDialog } from './parent-dialog.tsx'

let lastTicket = 0
const pathOf = (id: string) => `PATCH /projects/prj_1/tickets/${id}`

/** Puts new tickets into the cache, as a list does. Returns the ticket ids and a function that returns the sent changes. */
function giveTickets(parts: Partial<Ticket>[], refusal?: Refusal) {
  const tickets = parts.map((part) => testTicket(`tkt_menu_${++lastTicket}`, part))
  for (const ticket of tickets) queryClient.setQueryData(ticketQuery('prj_1', ticket.id).queryKey, ticket)
  const others = [testTicket('tkt_epic', { title: 'Garden', type: 'epic' }), ...tickets]
  const calls = serve({
    ...Object.fromEntries(
      tickets.map((ticket) => [
        pathOf(ticket.id),
        ({ body }: { body: unknown }) => refusal ?? { ...ticket, ...(body as object) },
      ]),
    ),
    'GET /projects/prj_1/tickets/search': () => ({ items: others, nextCursor: null }),
  })
  return {
    ids: tickets.map(({ id }) => id),
    saved: () => tickets.flatMap(({ id }) => sent(calls, pathOf(id)) ?? []),
  }
}

async function openMenu(kind: MenuKind, ids: string[]) {
  let closed = 0
  const anchor = document.createElement('button')
  document.body.append(anchor)
  const { pane } = testPane({ order: { current: () => ids } })
  show(
    <PaneContext value={pane}>
      <FieldMenu kind={kind} ids={ids} anchor={anchor} onClose={() => closed++} />
    </PaneContext>,
  )
  await screen.findByRole('menu')
  return { closings: () => closed }
}
const choose = (name: string) => act(async () => fireEvent.click(screen.getByRole('menuitemradio', { name })))
const checked = () =>
  screen
    .getAllByRole('menuitemradio')
    .filter((item) => item.getAttribute('aria-checked') === 'true')
    .map((item) => item.textContent)

describe('the menu for a ticket field', () => {
  test('the menu of a ticket field marks the value that all selected tickets share', async () => {
    const same = giveTickets([{ priority: 'high' }, { priority: 'high' }])
    await openMenu('priority', same.ids)
    assert.deepEqual(checked(), ['High'])
  })

  test('the menu of a ticket field marks no value when the selected tickets have different ones', async () => {
    const { ids } = giveTickets([{ priority: 'high' }, { priority: 'low' }])
    await openMenu('priority', ids)
    assert.deepEqual(checked(), [])
  })

  test('choosing a priority for several tickets changes only those with another priority, and closes the menu', async () => {
    const { ids, saved } = giveTickets([{ priority: 'high' }, { priority: 'low' }])
    const { closings } = await openMenu('priority', ids)
    await choose('High')
    await untilSent()
    assert.deepEqual(saved(), [{ priority: 'high' }])
    assert.ok(closings() >= 1)
  })

  test('choosing a status moves all selected tickets, and a message offers Undo', async () => {
    const { ids, saved } = giveTickets([{}, {}])
    await openMenu('status', ids)
    await choose('Done')
    await findMessage(/2 tickets/)
    press('Undo')
    await untilSent()
    assert.deepEqual(saved(), [
      { status: 'done' },
      { status: 'todo' },
      { status: 'done' },
      { status: 'todo' },
    ])
  })

  test('choosing a priority for a ticket that is not in the cache sends nothing', async () => {
    const unknown = pathOf('tkt_unknown')
    const calls = serve({ [unknown]: () => testTicket('tkt_unknown') })
    await openMenu('priority', ['tkt_unknown'])
    await choose('High')
    await untilSent()
    assert.deepEqual(calls[unknown], [])
  })
})

describe('the dialog that moves a ticket below another one', () => {
  async function openDialog(part: Partial<Ticket>, refusal?: Refusal) {
    const given = giveTickets([{ title: 'Water', ...part }], refusal)
    let closed = 0
    const [id = ''] = given.ids
    show(<ParentDialog projectId="prj_1" ticketId={id} onClose={() => closed++} />)
    await screen.findByRole('button', { name: 'Garden' })
    return { id, saved: given.saved, closings: () => closed }
  }
  const offered = () => screen.getAllByRole('listitem').map((item) => item.textContent)
  const pressAndSend = async (name: string) => {
    await act(async () => press(name))
    await untilSent()
  }

  test('a ticket can be made the child of every ticket except itself', async () => {
    const { saved, closings } = await openDialog({})
    assert.deepEqual(offered(), ['Garden'])
    await pressAndSend('Garden')
    assert.deepEqual(saved(), [{ parent: 'tkt_epic' }])
    assert.equal(closings(), 1)
  })

  test('a child ticket can be moved to the top level', async () => {
    const { saved } = await openDialog({ parent: 'tkt_epic' })
    const [top = ''] = offered()
    await pressAndSend(top ?? '')
    assert.deepEqual(saved(), [{ parent: null }])
  })

  test('choosing the current parent of a ticket closes the dialog and sends nothing', async () => {
    const { saved, closings } = await openDialog({ parent: 'tkt_epic' })
    assert.equal(screen.getByRole('button', { current: true }).textContent, 'Garden')
    await pressAndSend('Garden')
    assert.deepEqual([saved(), closings()], [[], 1])
  })

  test('when a ticket may not become the child of another one, the error is stored for the moved ticket', async () => {
    const { id } = await openDialog({}, new Refusal(409, 'conflict', 'This would be a circle.'))
    await pressAndSend('Garden')
    await waitFor(() => assert.match(String(refusedChangeOf(id)), /This would be a circle/))
  })
})
