import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import type { TicketFilter } from '../../../api/types.ts'
import type { TicketView, WorkspaceSearch } from '../../../routes.ts'
import { button, field, isShown, isThere, press, serve, show, write } from '../../../testing/console.tsx'
import { MarkStore } from '../../../state/tickets/mark-store.ts'
import { type Overlay, PaneContext } from '../../../state/tickets/pane-context.ts'
import { BulkBar } from './bulk-bar.tsx'
import { Toolbar } from './toolbar.tsx'

const TICKETS_PATH = '/projects/prj_1/tickets'
const byStatus = { backlog: 0, todo: 3, in_progress: 0, in_review: 1, done: 9, cancelled: 0 }

function renderToolbar({ filter = {}, view = 'list' }: { filter?: TicketFilter; view?: TicketView } = {}) {
  const went: (WorkspaceSearch & { replaced?: boolean })[] = []
  const overlays: Overlay[] = []
  const queued: string[][] = []
  const marks = new MarkStore()
  serve({
    [`GET ${TICKETS_PATH}/stats`]: () => ({ byStatus, byType: {}, byPriority: {} }),
    [`GET ${TICKETS_PATH}/labels`]: () => [{ label: 'garden', count: 4 }],
  })
  const pane = {
    projectId: 'prj_1',
    chosen: null,
    detailed: null,
    filter,
    marks,
    order: { current: () => [] },
    choose: () => {},
    open: (overlay: Overlay) => overlays.push(overlay),
    announce: () => {},
  }
  show(
    <PaneContext value={pane}>
      <Toolbar view={view} go={(to, how) => went.push({ ...to, ...(how?.replace && { replaced: true }) })} />
      <BulkBar onQueue={(ids) => queued.push(ids)} />
    </PaneContext>,
  )
  return { went, overlays, queued, marks }
}

describe('the toolbar of the tickets', () => {
  test('only the button of the current view of the tickets is marked as pressed, and each other view button opens its view', () => {
    const { went } = renderToolbar({ view: 'board' })
    assert.deepEqual(
      ['List', 'Board', 'Tree'].map((name) => button(name).getAttribute('aria-pressed')),
      ['false', 'true', 'false'],
    )
    press('Tree')
    press('List')
    assert.deepEqual(went, [
      { view: 'tree', pane: 'tickets' },
      { view: undefined, pane: 'tickets' },
    ])
  })

  test('the search text of the tickets is written to the URL when the typing pauses, without a history entry for each letter', async () => {
    const { went } = renderToolbar()
    for (const words of ['p', 'pl', 'plants ']) write('Search tickets', words)
    assert.deepEqual(went, [])
    await waitFor(() => assert.deepEqual(went, [{ q: 'plants', replaced: true }]))
  })

  test('the slash key focuses the search for tickets, and Escape empties it', () => {
    renderToolbar({ filter: { q: 'plants' } })
    fireEvent.keyDown(document.body, { key: '/', code: 'Slash' })
    assert.ok(document.activeElement === field('Search tickets'))
    fireEvent.keyDown(field('Search tickets'), { key: 'Escape' })
    assert.equal(field('Search tickets').value, '')
  })

  test('Escape that ends the composition of an input method keeps the search text of the tickets', () => {
    renderToolbar({ filter: { q: '植物' } })
    fireEvent.keyDown(field('Search tickets'), { key: 'Escape', isComposing: true })
    assert.equal(field('Search tickets').value, '植物')
  })

  test('the ticket tree always shows all tickets and has neither search nor filters', () => {
    renderToolbar({ view: 'tree' })
    assert.ok(!isThere('searchbox'))
    assert.ok(!isThere('button', 'Filter'))
  })

  test('the ticket filters show the ticket count of each value, and a chosen value is in the URL', async () => {
    const { went } = renderToolbar()
    press('Filter')
    assert.equal(button('Filter').getAttribute('aria-expanded'), 'true')
    assert.ok(await screen.findByRole('option', { name: 'In review (1)' }))
    await screen.findByRole('option', { name: 'garden (4)' })
    write('Status', 'in_review')
    write('Label', 'garden')
    assert.deepEqual(went, [{ status: 'in_review' }, { label: 'garden' }])
  })

  test('the filter button of the tickets shows the number of active filters, and “Clear filters” clears all of them', () => {
    const { went } = renderToolbar({ filter: { status: 'done', label: 'gone', q: 'plants' } })
    press('2 filters')
    assert.equal(field('Label').value, 'gone', 'a label that no ticket has any more stays chosen')
    press('Clear filters')
    assert.deepEqual(Object.values(went[0] ?? { q: 'kept' }).filter(Boolean), [])
  })
})

describe('the bar for the selected tickets', () => {
  test('the selection bar appears when the first ticket is selected, and shows the number of selected tickets', () => {
    const { marks } = renderToolbar()
    assert.ok(!isThere('region', 'Selected tickets'))
    act(() => marks.toggle('a'))
    assert.equal(screen.getByRole('status').textContent, '1 selected')
    act(() => marks.toggle('b'))
    assert.equal(screen.getByRole('status').textContent, '2 selected')
  })

  test('the buttons of the selection bar act on all selected tickets, and the status menu opens beside its button', () => {
    const { marks, overlays, queued } = renderToolbar()
    act(() => marks.toggle('a'))
    act(() => marks.toggle('b'))
    for (const name of ['Status', 'Priority', 'Labels', 'Add to queue']) press(name)
    const ids = ['a', 'b']
    assert.deepEqual(queued, [ids])
    assert.deepEqual(
      overlays.map((overlay) => [overlay.kind, overlay.ids]),
      [
        ['status', ids],
        ['priority', ids],
        ['labels', ids],
      ],
    )
    const [menu] = overlays
    assert.ok(menu?.kind === 'status' && menu.anchor === button('Status'))
  })

  test('clearing the selection with the keyboard returns the focus to the ticket at the cursor', () => {
    const { marks } = renderToolbar()
    for (const clear of [
      () => press('Clear selection'),
      () => fireEvent.keyDown(button('Add to queue'), { key: 'Escape' }),
    ]) {
      act(() => marks.toggle('a'))
      act(() => button('Add to queue').focus())
      clear()
      assert.deepEqual([marks.marked().size, marks.wanted()], [0, { id: 'a', status: null }])
      marks.arrived()
    }
  })

  test('Escape outside the selection bar clears the selection of tickets and does not move the focus', () => {
    const { marks } = renderToolbar()
    act(() => marks.toggle('a'))
    fireEvent.keyDown(document.body, { key: 'Escape' })
    assert.deepEqual([marks.marked().size, marks.wanted()], [0, null])
  })

  test('Escape and the close button of the selection bar clear the selection of tickets', () => {
    const { marks } = renderToolbar()
    act(() => marks.toggle('a'))
    fireEvent.keyDown(document.body, { key: 'Escape', code: 'Escape' })
    assert.ok(!isShown('1 selected'))
    act(() => marks.toggle('a'))
    press('Clear selection')
    assert.equal(marks.marked().size, 0)
    assert.ok(!isThere('region', 'Selected tickets'))
  })
})
