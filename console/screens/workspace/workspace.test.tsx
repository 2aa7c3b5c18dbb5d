import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Sidebar } from '@cloudflare/kumo/components/sidebar'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import {
  assertAlert,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { giveScrollersHeight } from '../../testing/layout.ts'
import { testTicket, ticketCounts } from '../../testing/tickets.ts'
import { Workspace } from './workspace.tsx'

const TICKETS = '/projects/prj_1/tickets'
const PROJECT = { id: 'prj_1', name: 'Plants', lifecycle: 'draft', url: null }
const ROW_PX = 52
const CARD_PX = 84
const PLAN = testTicket('tkt_1', { title: 'Water the plants' })

/** Opens the workspace of `prj_1` at this search, in a window that is wide or narrow. */
async function openWorkspace(
  t: TestContext,
  search: string,
  {
    isWide = false,
    recent = [PLAN],
    answers = {},
  }: { isWide?: boolean; recent?: unknown[]; answers?: Record<string, () => unknown> } = {},
) {
  giveScrollersHeight(t)
  // Rows as high as the list and the board estimate. Otherwise measuring the rows would render them again and again.
  t.mock.getter(HTMLElement.prototype, 'offsetHeight', function (this: HTMLElement) {
    return this.matches('[role=row]') ? ROW_PX : CARD_PX
  })
  t.mock.method(globalThis, 'matchMedia', () => ({
    matches: isWide,
    addEventListener() {},
    removeEventListener() {},
  }))
  const calls = serve({
    'GET /projects/prj_1': () => PROJECT,
    [`GET ${TICKETS}`]: () => recent,
    [`GET ${TICKETS}/stats`]: () => ticketCounts({ todo: 1 }),
    [`GET ${TICKETS}/search`]: () => ({ items: recent, nextCursor: null }),
    [`GET ${TICKETS}/tkt_1`]: () => PLAN,
    [`GET ${TICKETS}/labels`]: () => [],
    'GET /projects/prj_1/build/queue': () => ({ running: null, queued: [] }),
    'GET /projects/prj_1/plan/messages': () => ({ items: [], nextCursor: null, total: 0 }),
    ...answers,
  })
  const page = () => (
    <Sidebar.Provider>
      <Workspace />
    </Sidebar.Provider>
  )
  return { calls, ...(await showAt('/app/projects/$projectId', page, `/projects/prj_1${search}`)) }
}
const findTitle = (title: string) => screen.findByRole('heading', { level: 2, name: title })

describe('the page of a workspace', () => {
  test('a workspace without a ticket in its URL opens the newest open ticket, and writes the ticket and its tab into the URL', async (t) => {
    const { place } = await openWorkspace(t, '')
    await findTitle('Water the plants')
    await waitFor(() => assert.equal(place(), '/projects/prj_1?tab=build&ticket=tkt_1'))
  })

  test('a workspace of a project without tickets opens the plan', async (t) => {
    const { place } = await openWorkspace(t, '', { recent: [] })
    await waitFor(() => assert.equal(place(), '/projects/prj_1?tab=plan'))
    assert.ok(await screen.findByRole('textbox', { name: /Message to/ }))
  })

  test('the page of an unknown project says that the project does not exist, and has no retry', async (t) => {
    await openWorkspace(t, '', {
      answers: { 'GET /projects/prj_1': () => new Refusal(404, 'not_found', 'Gone.') },
    })
    await screen.findByRole('heading', { level: 1 })
    assert.ok(!isThere('button', 'Try again'))
    assert.ok(!isThere('navigation', 'Parts of the workspace'))
  })

  test('a project that could not be loaded shows the reason, and a retry opens the workspace', async (t) => {
    const outcomes: unknown[] = [new Refusal(403, 'forbidden', 'You may not.'), PROJECT]
    await openWorkspace(t, '?tab=ticket&ticket=tkt_1', {
      answers: { 'GET /projects/prj_1': () => outcomes.shift() },
    })
    await assertAlert(/You may not/)
    press('Try again')
    await findTitle('Water the plants')
  })

  test('when the ticket in the URL cannot be loaded, the workspace shows the reason, and the URL keeps the ticket', async (t) => {
    const { place } = await openWorkspace(t, '?ticket=tkt_1', {
      answers: { [`GET ${TICKETS}/tkt_1`]: () => new Refusal(403, 'forbidden', 'This ticket is locked.') },
    })
    const panel = await screen.findByRole('tabpanel', { name: 'Build' })
    await within(panel).findByText('This ticket is locked.')
    assert.ok(!isShown('Choose a ticket to build'))
    await waitFor(() => assert.equal(place(), '/projects/prj_1?ticket=tkt_1&tab=build'))
  })

  test('the tab that the user chooses is kept in the URL with the ticket', async (t) => {
    const { place } = await openWorkspace(t, '?ticket=tkt_1&tab=build')
    await findTitle('Water the plants')
    fireEvent.click(screen.getByRole('tab', { name: 'Ticket' }))
    await waitFor(() => assert.equal(place(), '/projects/prj_1?ticket=tkt_1&tab=ticket'))
  })

  test('the name of the project is the title of the browser tab', async (t) => {
    await openWorkspace(t, '?ticket=tkt_1&tab=ticket')
    await findTitle('Water the plants')
    assert.match(document.title, /Plants · Slipway$/)
  })

  test('a board opens no ticket by itself, and the close button of an opened ticket closes it', async (t) => {
    const { place, go } = await openWorkspace(t, '?view=board', { isWide: true })
    await screen.findByRole('group', { name: 'Board' })
    await untilSent()
    assert.ok(!isThere('region', 'Work'))
    assert.equal(place(), '/projects/prj_1?view=board')
    await go('/projects/prj_1?view=board&ticket=tkt_1&tab=ticket')
    await findTitle('Water the plants')
    press('Close ticket')
    await waitFor(() => assert.equal(place(), '/projects/prj_1?view=board'))
  })

  test('a rendering error in one pane leaves the other panes on the page', async (t) => {
    // A ticket without labels is a response that the console does not expect.
    const broken = { ...PLAN, labels: null }
    await openWorkspace(t, '?ticket=tkt_1&tab=ticket', {
      answers: { [`GET ${TICKETS}/tkt_1`]: () => broken },
    })
    t.mock.method(console, 'error', () => {})
    await screen.findByText('This part of the page stopped working')
    assert.ok(isThere('navigation', 'Parts of the workspace'))
    assert.ok(isThere('textbox', 'Describe a change'))
  })

  test('a refused change of a ticket that is on the board and open is announced once, and both places show the reason', async (t) => {
    await openWorkspace(t, '?view=board&ticket=tkt_1&tab=ticket', {
      isWide: true,
      answers: { [`PATCH ${TICKETS}/tkt_1`]: () => new Refusal(409, 'conflict', 'It is being built.') },
    })
    await screen.findByRole('group', { name: 'Properties' })
    await screen.findAllByRole('button', { name: 'Water the plants' })
    write('Status', 'done')
    // The fake of the service lists the ticket in each column of the board.
    await waitFor(() => assert.ok(screen.queryAllByText(/It is being built/).length >= 2))
    assert.equal(screen.queryAllByRole('alert').length, 1)
  })
})
