import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { useState } from 'react'
import type { WorkspaceSearch, WorkTab } from '../../routes.ts'
import { type Responder, assertAlert, isShown, isThere, press, serve, show } from '../../testing/console.tsx'
import { testTicket, ticketCounts } from '../../testing/tickets.ts'
import type { ChosenTicket } from './use-chosen-ticket.ts'
import { WorkPane } from './work-pane.tsx'

const project = { id: 'prj_1', name: 'Plants' } as Project
const NOTHING: ChosenTicket = { ticket: null, isMissing: false, isPending: false, failure: null }

/** Shows the pane as a workspace does, which keeps the tab in the URL. */
function renderWorkPane({
  chosen = {},
  tab,
  total = 3,
  answers = {},
}: {
  chosen?: Partial<ChosenTicket>
  tab?: WorkTab
  total?: number
  answers?: Record<string, Responder>
} = {}) {
  const went: WorkspaceSearch[] = []
  const calls = serve({
    'GET /projects/prj_1/tickets/stats': () => ({ ...ticketCounts(), total }),
    'GET /projects/prj_1/plan/messages': () => ({ items: [], nextCursor: null, total: 0 }),
    'GET /projects/prj_1/readme': () => '# About plants',
    ...answers,
  })
  function Host() {
    const [shownTab, setTab] = useState(tab)
    return (
      <WorkPane
        project={project}
        chosen={{ ...NOTHING, ...chosen }}
        tab={shownTab}
        go={(to) => {
          went.push(to)
          if (to.tab) setTab(to.tab)
        }}
      />
    )
  }
  show(<Host />)
  return { calls, went }
}
const tabOf = (name: string) => screen.getByRole('tab', { name })
const selectedTabs = () =>
  screen
    .getAllByRole('tab')
    .filter((tab) => tab.getAttribute('aria-selected') === 'true')
    .map((tab) => tab.textContent)
const pressKey = (name: string, key: string, part: KeyboardEventInit = {}) =>
  fireEvent.keyDown(tabOf(name), { key, ...part })

describe('the tabs of the work pane', () => {
  test('in the work pane the arrow keys select and focus the next tab, and after the last one the first', () => {
    const { went } = renderWorkPane({ tab: 'build' })
    pressKey('Build', 'ArrowRight')
    assert.deepEqual([selectedTabs(), document.activeElement?.textContent], [['Ticket'], 'Ticket'])
    pressKey('Ticket', 'ArrowLeft')
    assert.deepEqual(selectedTabs(), ['Build'])
    pressKey('Build', 'ArrowRight')
    pressKey('Ticket', 'ArrowRight')
    assert.deepEqual(went.at(-1), { tab: 'plan' })
    pressKey('Plan', 'ArrowLeft')
    assert.deepEqual(went.at(-1), { tab: 'ticket' })
  })

  test("Alt+← on a tab of the work pane stays the browser's shortcut for the previous page", () => {
    const { went } = renderWorkPane({ tab: 'build' })
    for (const held of ['altKey', 'ctrlKey', 'metaKey']) pressKey('Build', 'ArrowLeft', { [held]: true })
    assert.deepEqual([went, selectedTabs()], [[], ['Build']])
  })

  test('when “Leave the queue” disappears because the ticket left the queue, the focus moves to the panel of the tab', async () => {
    let queued = [
      { ticketId: 'tkt_1', title: 'Plants', position: 1, queuedAt: '2026-01-01T00:00:00Z', waiting: null },
    ]
    renderWorkPane({
      tab: 'build',
      chosen: { ticket: testTicket('tkt_1') },
      answers: {
        'GET /projects/prj_1/build/queue': () => ({ running: null, queued }),
        'DELETE /projects/prj_1/build/queue/tkt_1': () => {
          queued = []
          return null
        },
      },
    })
    ;(await screen.findByRole('button', { name: 'Leave the queue' })).focus()
    press('Leave the queue')
    await waitFor(() => assert.ok(!isThere('button', 'Leave the queue')))
    assert.equal(document.activeElement?.id, 'panel-build')
  })

  test('in the work pane Tab reaches only the selected tab, and the panel is named after it', () => {
    renderWorkPane({ tab: 'ticket' })
    assert.deepEqual(
      ['Plan', 'Build', 'Ticket'].map((name) => tabOf(name).tabIndex),
      [-1, -1, 0],
    )
    assert.ok(isThere('tabpanel', 'Ticket'))
    assert.equal(tabOf('Ticket').getAttribute('aria-controls'), screen.getByRole('tabpanel').id)
    assert.equal(tabOf('Plan').getAttribute('aria-controls'), null, 'its panel is not on the page')
  })
})

describe('the panel of the work pane', () => {
  test('while it is not known which tab to show, the work pane shows that it is loading', () => {
    renderWorkPane()
    assert.ok(isThere('status', 'Loading'))
    assert.ok(!isShown('Choose a ticket to build'))
  })

  test('while the ticket loads, the work pane does not ask the user to choose a ticket', () => {
    renderWorkPane({ tab: 'ticket', chosen: { isPending: true } })
    assert.ok(isThere('status', 'Loading'))
    assert.ok(!isShown('Choose a ticket to read'))
  })

  test('a ticket that could not be loaded shows the reason and a retry, and the work pane does not ask to choose a ticket', async () => {
    let retries = 0
    const error = new SlipwayError('The service is busy.', { code: 'server_error', status: 500 })
    renderWorkPane({ tab: 'build', chosen: { failure: { error, retry: () => retries++ } } })
    await assertAlert(/server_error/)
    assert.ok(!isShown('Choose a ticket to build'))
    press('Try again')
    assert.equal(retries, 1)
  })

  test('the plan is shown even when the ticket in the URL is missing or could not be loaded', async () => {
    const error = new SlipwayError('The service is busy.', { code: 'server_error', status: 500 })
    for (const chosen of [{ isMissing: true }, { failure: { error, retry: () => {} } }]) {
      renderWorkPane({ tab: 'plan', chosen })
      assert.ok(await screen.findByRole('textbox', { name: /Message to/ }))
      cleanup()
    }
  })

  test('without a ticket the work pane asks the user to choose one, and leads to the plan', async () => {
    const { went } = renderWorkPane({ tab: 'ticket' })
    await screen.findByText('Choose a ticket to read')
    press('Open Plan')
    assert.deepEqual(went, [{ tab: 'plan' }])
  })

  test('in a project without tickets the work pane says how the first ones are made', async () => {
    renderWorkPane({ tab: 'build', total: 0 })
    assert.ok(await screen.findByText('No tickets yet'))
  })

  test("the ticket's title is beside the tabs of the work pane, but not while the plan of the whole project is shown", async () => {
    renderWorkPane({ tab: 'ticket', chosen: { ticket: testTicket('tkt_1', { title: 'Water the plants' }) } })
    assert.ok(screen.getByRole('heading', { level: 2, name: 'Water the plants' }))
    fireEvent.click(tabOf('Plan'))
    await waitFor(() => assert.ok(!isThere('heading', 'Water the plants')))
  })

  test('an open README in the plan is still open when the user returns from another tab', async () => {
    renderWorkPane({ tab: 'plan' })
    press('README')
    assert.ok(await screen.findByText(/About plants/))
    fireEvent.click(tabOf('Build'))
    assert.ok(!isThere('button', 'README'))
    fireEvent.click(tabOf('Plan'))
    assert.equal(screen.getByRole('button', { name: 'README' }).getAttribute('aria-expanded'), 'true')
  })
})
