import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act, fireEvent, screen, within } from '@testing-library/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { assertAlert, button, field, press, show } from '../../../testing/console.tsx'
import { type PaneState, PaneContext, type Overlay } from '../../../state/tickets/pane-context.ts'
import { MarkStore } from '../../../state/tickets/mark-store.ts'
import { setRefusal } from '../../../state/tickets/refusals.ts'
import { TicketRow } from './ticket-row.tsx'

const ticketTodo = (id: string) =>
  ({
    id,
    title: `Ticket ${id}`,
    status: 'todo',
    type: 'task',
    priority: 'none',
    labels: [],
    build: { state: 'idle', runId: null, outcome: null, refused: null },
    attachments: [],
    dueAt: null,
    parent: null,
    createdAt: '2026-01-01T00:00:00Z',
    updatedAt: '2026-01-01T00:00:00Z',
  }) as unknown as Ticket

const IDS = ['a', 'b', 'c', 'd']

/** Renders four rows with the cursor on the first. */
function renderTicketRow(chosen: string | null = null) {
  const did: string[] = []
  const overlays: Overlay[] = []
  const marks = new MarkStore()
  const pane: PaneState = {
    projectId: 'prj_1',
    chosen,
    detailed: null,
    filter: {},
    marks,
    order: { current: () => IDS },
    choose: ({ id }) => did.push(`choose ${id}`),
    open: (overlay) => overlays.push(overlay),
    announce: () => {},
  }
  show(
    <PaneContext value={pane}>
      {IDS.map((id) => (
        <TicketRow
          key={id}
          ticket={ticketTodo(id)}
          now={Date.parse('2026-01-02T00:00:00Z')}
          isReached={id === 'a'}
        />
      ))}
    </PaneContext>,
  )
  return { did, overlays, marks }
}
const selectBox = (id: string) => field(`Select “Ticket ${id}”`)

describe('a row of the ticket list', () => {
  test('pressing the title in a ticket row opens the ticket, and the row of the open ticket is marked as current', () => {
    const { did } = renderTicketRow('b')
    press('Ticket c')
    assert.deepEqual(did, ['choose c'])
    assert.equal(button('Ticket b').getAttribute('aria-current'), 'true')
    assert.equal(button('Ticket c').getAttribute('aria-current'), null)
  })

  test('Tab reaches only the three controls of the ticket row with the cursor', () => {
    renderTicketRow()
    const reached = document.querySelectorAll('[tabindex="0"]')
    assert.equal(reached.length, 3)
    assert.ok(
      [...reached].every((control) => control.closest('.group\\/ticket')?.textContent?.includes('Ticket a')),
    )
  })

  test('focusing the title of a ticket row moves the cursor to that row', () => {
    const { marks } = renderTicketRow()
    fireEvent.focus(button('Ticket c'))
    assert.equal(marks.cursor(), 'c')
  })

  test('the checkbox of a ticket row selects the ticket, and Shift extends the selection from the cursor', () => {
    const { marks } = renderTicketRow()
    fireEvent.click(selectBox('a'))
    fireEvent.click(selectBox('c'), { shiftKey: true })
    assert.deepEqual([...marks.marked()], ['a', 'b', 'c'])
    assert.deepEqual(
      IDS.map((id) => selectBox(id).checked),
      [true, true, true, false],
    )
    fireEvent.click(selectBox('b'))
    assert.deepEqual([...marks.marked()], ['a', 'c'])
  })

  test('pressing the status in a ticket row opens the status menu beside it', () => {
    const { overlays } = renderTicketRow()
    const status = button('Status of “Ticket d”: To do')
    fireEvent.click(status)
    assert.deepEqual(overlays, [{ kind: 'status', ids: ['d'], anchor: status }])
  })

  test('a refused ticket change is shown at the row of the ticket until it is dismissed', async () => {
    renderTicketRow()
    act(() => setRefusal('b', new SlipwayError('Not now.', { code: 'conflict', status: 409 })))
    await assertAlert(/conflict/)
    const row = screen.getByRole('alert').parentElement
    assert.ok(row)
    assert.match(row.textContent, /Ticket b/)
    fireEvent.click(within(row).getByRole('button', { name: 'Dismiss' }))
    assert.ok(screen.queryByRole('alert') === null)
  })
})
