import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import { ticketLabelsQuery } from '../../../api/project/tickets.ts'
import type { TicketFilter } from '../../../api/types.ts'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import {
  button,
  field,
  isThere,
  press,
  readAgain,
  Refusal,
  serve,
  show,
  shownOption,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { testPane } from '../../../testing/tickets.ts'
import { FilterPanel } from './filter-panel.tsx'

const STATS = 'GET /projects/prj_1/tickets/stats'
const LABELS = 'GET /projects/prj_1/tickets/labels'
const COUNTS = {
  total: 13,
  byStatus: { backlog: 0, todo: 3, in_progress: 0, in_review: 1, done: 9, cancelled: 0 },
  byType: { epic: 1, feature: 2, task: 10, bug: 0, chore: 0 },
  byPriority: { none: 13, low: 0, medium: 0, high: 0, urgent: 0 },
}

/** Shows the filters as in the tickets pane, with the filter in the URL. */
async function showFilters(first: TicketFilter = {}, answers: Record<string, () => unknown> = {}) {
  const world = { labels: [{ label: 'garden', count: 4 }] }
  const calls = serve({ [STATS]: () => COUNTS, [LABELS]: () => world.labels, ...answers })
  const went: object[] = []
  function Page() {
    const [filter, setFilter] = useState(first)
    const { pane } = testPane({ filter })
    const go = (to: object) => {
      went.push(to)
      setFilter((before) => ({ ...before, ...to }))
    }
    return (
      <PaneContext value={pane}>
        <FilterPanel go={go} />
      </PaneContext>
    )
  }
  show(<Page />)
  await waitFor(() => assert.equal(calls[LABELS]?.length, 1))
  await untilSent()
  return { went, world }
}
const optionsOf = (label: string) =>
  Array.from(screen.getByLabelText<HTMLSelectElement>(label).options, (option) => option.textContent)
const chosen = (label: string) => shownOption(screen.getByLabelText<HTMLSelectElement>(label))

describe('the filters of the tickets', () => {
  test('each filter of tickets shows the count of each value, and its first option is any value', async () => {
    await showFilters()
    assert.deepEqual(optionsOf('Status'), [
      'Any',
      'Backlog (0)',
      'To do (3)',
      'In progress (0)',
      'In review (1)',
      'Done (9)',
      'Cancelled (0)',
    ])
    assert.deepEqual(optionsOf('Type').slice(0, 3), ['Any', 'Epic (1)', 'Feature (2)'])
    assert.deepEqual(optionsOf('Priority').slice(0, 2), ['Any', 'No priority (13)'])
    assert.deepEqual(optionsOf('Label'), ['Any label', 'garden (4)'])
  })

  test('the ticket filters work even while the counts and labels load or when they cannot be read', async () => {
    const { went } = await showFilters(
      {},
      {
        [STATS]: () => new Refusal(403, 'forbidden', 'You may not.'),
        [LABELS]: () => new Refusal(403, 'forbidden', 'You may not.'),
      },
    )
    assert.deepEqual(optionsOf('Status').slice(0, 3), ['Any', 'Backlog', 'To do'])
    assert.deepEqual(optionsOf('Label'), ['Any label'])
    write('Status', 'todo')
    assert.deepEqual(went, [{ status: 'todo' }])
  })

  test('each ticket filter restricts the tickets by its value, and its option “any” removes it from the URL', async () => {
    const { went } = await showFilters()
    write('Type', 'bug')
    write('Priority', 'urgent')
    write('Label', 'garden')
    write('Type', '')
    write('Priority', '')
    write('Label', '')
    assert.deepEqual(went, [
      { type: 'bug' },
      { priority: 'urgent' },
      { label: 'garden' },
      { type: undefined },
      { priority: undefined },
      { label: undefined },
    ])
  })

  test('an unused label in the URL is still shown as the label of the ticket filter, as text', async () => {
    await showFilters({ label: '<b>gone</b>' })
    assert.equal(chosen('Label'), '<b>gone</b>')
    assert.deepEqual(optionsOf('Label'), ['Any label', '<b>gone</b>', 'garden (4)'])
  })

  test('a label in the ticket filter stays selected when another member removes it from its last ticket', async () => {
    const { world } = await showFilters({ label: 'garden' })
    assert.equal(chosen('Label'), 'garden (4)')
    world.labels = [{ label: 'kitchen', count: 1 }]
    await readAgain(ticketLabelsQuery('prj_1').queryKey)
    assert.equal(chosen('Label'), 'garden')
    assert.deepEqual(optionsOf('Label'), ['Any label', 'garden', 'kitchen (1)'])
  })

  test('“Clear filters” is shown while a ticket filter is set, clears the search too, and keeps the focus in the filters', async () => {
    const { went } = await showFilters({ q: 'fern', type: 'bug' })
    act(() => button('Clear filters').focus())
    press('Clear filters')
    assert.deepEqual(went, [
      { q: undefined, status: undefined, type: undefined, priority: undefined, label: undefined },
    ])
    assert.ok(!isThere('button'))
    assert.ok(document.activeElement === field('Status'))
  })
})
