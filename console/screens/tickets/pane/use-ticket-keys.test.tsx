import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent } from '@testing-library/react'
import { ticketQuery } from '../../../api/project/tickets.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import { button, field, show } from '../../../testing/console.tsx'
import type { PaneState, Overlay } from '../../../state/tickets/pane-context.ts'
import { requestTitleEdit } from '../../../state/tickets/title-request.ts'
import { MarkStore } from '../../../state/tickets/mark-store.ts'
import { useTicketKeys } from './use-ticket-keys.ts'

const PROJECT_ID = 'prj_1'
const IDS = ['a', 'b', 'c']
const build = { state: 'idle', runId: null, outcome: null, refused: null } as const

/** Renders three tickets with their shortcuts, and a text field. */
function renderTicketKeys(chosen: string | null = null) {
  const did: string[] = []
  const overlays: Overlay[] = []
  const marks = new MarkStore()
  for (const id of IDS)
    queryClient.setQueryData(ticketQuery(PROJECT_ID, id).queryKey, {
      id,
      title: id,
      type: 'epic',
      build,
    } as Ticket)
  function Keys() {
    const pane: PaneState = {
      projectId: PROJECT_ID,
      chosen,
      detailed: null,
      filter: {},
      marks,
      order: { current: () => IDS },
      choose: ({ id }) => did.push(`open ${id}`),
      open: (overlay) => overlays.push(overlay),
      announce: () => {},
    }
    const onKeyDown = useTicketKeys(pane, {
      go: (place) => did.push(`go ${JSON.stringify(place)}`),
      queue: (ids) => did.push(`queue ${ids.join()}`),
      fallbackAnchor: () => document.body,
    })
    return (
      <div onKeyDown={onKeyDown}>
        {IDS.map((id) => (
          <button key={id} type="button" data-ticket={id}>
            {id}
          </button>
        ))}
        <textarea aria-label="Note" />
      </div>
    )
  }
  show(<Keys />)
  return { did, overlays, marks }
}
const pressKey = (key: string, target: Element = document.body, part: KeyboardEventInit = {}) =>
  fireEvent.keyDown(target, { key, ...part })

describe('the keyboard shortcuts of the tickets', () => {
  test('the shortcuts j and k move the cursor from the open ticket through the ticket list and stop at its ends', () => {
    const { marks } = renderTicketKeys('b')
    pressKey('k')
    assert.equal(marks.cursor(), 'a')
    pressKey('k')
    assert.equal(marks.cursor(), 'a')
    pressKey('j')
    pressKey('j')
    pressKey('j')
    assert.equal(marks.cursor(), 'c')
  })

  test('Enter opens the ticket at the cursor', () => {
    const { did, marks } = renderTicketKeys()
    marks.moveTo('b')
    pressKey('Enter')
    assert.deepEqual(did, ['open b'])
  })

  test('the shortcuts s (status), l (labels) and q (queue) act on all selected tickets, and q otherwise on the open ticket', () => {
    const { did, overlays, marks } = renderTicketKeys('c')
    pressKey('q')
    marks.toggle('a')
    marks.toggle('b')
    pressKey('q')
    pressKey('l')
    pressKey('s')
    assert.deepEqual(did, ['queue c', 'queue a,b'])
    assert.deepEqual(
      overlays.map(({ kind, ids }) => [kind, ids]),
      [
        ['labels', ['a', 'b']],
        ['status', ['a', 'b']],
      ],
    )
  })

  test('Shift+J selects each ticket to which the cursor moves', () => {
    const { marks } = renderTicketKeys('a')
    pressKey('x')
    pressKey('j', document.body, { shiftKey: true })
    assert.deepEqual([...marks.marked()], ['a', 'b'])
  })

  test('single-letter shortcuts do nothing while the user types in a field', () => {
    const { did, overlays, marks } = renderTicketKeys('b')
    for (const key of ['j', 'x', 's', 'q', 'Enter']) pressKey(key, field('Note'))
    assert.deepEqual([did, overlays, marks.cursor(), marks.marked().size], [[], [], null, 0])
  })

  test('single-letter shortcuts do nothing while Ctrl is held, because the browser has shortcuts with Ctrl', () => {
    const { did } = renderTicketKeys('b')
    pressKey('q', document.body, { ctrlKey: true })
    assert.deepEqual(did, [])
  })

  test('the ticket shortcuts do nothing without a selected ticket, an open ticket or a cursor', () => {
    const { did, overlays } = renderTicketKeys(null)
    for (const key of ['Enter', 'q', 's', 'l', 'e']) pressKey(key)
    assert.deepEqual([did, overlays], [[], []])
  })

  test('the shortcut b does not start a build of an epic', () => {
    const { did } = renderTicketKeys('b')
    pressKey('b')
    assert.deepEqual(did, [])
  })

  test('the arrow keys move the ticket cursor without scrolling the page, and with Shift also select tickets', () => {
    const { marks } = renderTicketKeys()
    marks.moveTo('a')
    assert.equal(pressKey('ArrowDown', button('a')), false, 'the browser does not scroll')
    assert.equal(marks.cursor(), 'b')
    pressKey('ArrowDown', button('b'), { shiftKey: true })
    assert.deepEqual([marks.cursor(), [...marks.marked()]], ['c', ['b', 'c']])
    pressKey('ArrowUp', button('c'))
    assert.equal(marks.cursor(), 'b')
  })

  test('an arrow key with Alt, Ctrl or ⌘ on a focused ticket is left to the browser', () => {
    const { marks } = renderTicketKeys()
    marks.moveTo('a')
    for (const held of ['altKey', 'ctrlKey', 'metaKey'])
      assert.equal(pressKey('ArrowDown', button('a'), { [held]: true }), true, held)
    assert.equal(marks.cursor(), 'a')
  })

  test('an arrow key in a text field does not move the ticket cursor', () => {
    const { marks } = renderTicketKeys('b')
    assert.equal(pressKey('ArrowDown', field('Note')), true)
    assert.equal(marks.cursor(), null)
  })

  test('the shortcut e opens the ticket at the cursor to edit its title', () => {
    const { did, marks } = renderTicketKeys('c')
    marks.moveTo('a')
    pressKey('e')
    assert.deepEqual(did, ['go {"ticket":"a","tab":"ticket","pane":"work"}'])
    requestTitleEdit(null)
  })
})
