import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { queryKeys } from '../../../api/query-keys.ts'
import type { TreePage, TreeTicket } from '../../../api/types.ts'
import { PaneContext } from '../../../state/tickets/pane-context.ts'
import {
  assertAlert,
  button,
  field,
  isThere,
  press,
  readAgain,
  Refusal,
  sent,
  serve,
  show,
} from '../../../testing/console.tsx'
import { testPane, testTicket } from '../../../testing/tickets.ts'
import { TicketTree } from './ticket-tree.tsx'

let lastProject = 0
const treeTicket = (id: string, childCount = 0, openChildCount = childCount): TreeTicket => ({
  ...testTicket(id),
  childCount,
  openChildCount,
})
const pageOf = (items: TreeTicket[], nextCursor: string | null = null): TreePage => ({ items, nextCursor })

/**
 * Shows the tree of a project. `pages` has the pages by `<parent>/<cursor>`. Each test needs a project of its own, because the console
 * remembers the opened tickets of a project.
 */
function renderTree(
  pages: Record<string, () => TreePage | Refusal>,
  projectId = `prj_tree_${++lastProject}`,
) {
  const path = `/projects/${projectId}/tickets`
  const calls = serve({
    [`GET ${path}/tree`]: ({ query }) =>
      (
        pages[`${query['parent']}/${query['cursor'] ?? ''}`] ??
        (() => new Refusal(404, 'not_found', 'No such ticket.'))
      )(),
    [`POST ${path}/rollups`]: () => ({
      a: { total: 3, done: 1, cancelled: 1, byStatus: { in_progress: 0, in_review: 0 } },
    }),
  })
  const { pane } = testPane({ projectId })
  const { unmount } = show(
    <PaneContext value={pane}>
      <TicketTree />
    </PaneContext>,
  )
  return { calls, projectId, unmount, rollups: () => sent(calls, `POST ${path}/rollups`) }
}

const titles = () => [...document.querySelectorAll('[data-ticket]')].map((one) => one.textContent)
const assertTitles = (...wanted: string[]) =>
  waitFor(() =>
    assert.deepEqual(
      titles(),
      wanted.map((id) => `Ticket ${id}`),
    ),
  )
const refetch = (projectId: string) => readAgain(queryKeys.tickets.wholeTree(projectId))

describe('the ticket tree', () => {
  test('unfolding a ticket in the tree shows its children, and folding it hides them', async () => {
    renderTree({
      'root/': () => pageOf([treeTicket('a', 1), treeTicket('b')]),
      'a/': () => pageOf([treeTicket('a1')]),
    })
    await assertTitles('a', 'b')
    press('Show the tickets below “Ticket a”')
    await assertTitles('a', 'a1', 'b')
    press('Hide the tickets below “Ticket a”')
    await assertTitles('a', 'b')
  })

  test('the arrow keys unfold a ticket of the tree and fold it again', async () => {
    renderTree({ 'root/': () => pageOf([treeTicket('a', 1)]), 'a/': () => pageOf([treeTicket('a1')]) })
    await assertTitles('a')
    fireEvent.keyDown(button('Ticket a'), { key: 'ArrowRight' })
    await assertTitles('a', 'a1')
    fireEvent.keyDown(button('Ticket a'), { key: 'ArrowLeft' })
    await assertTitles('a')
  })

  test('the next page of tickets in the tree is loaded after “Show more” was pressed', async () => {
    const { calls, projectId } = renderTree({
      'root/': () => pageOf([treeTicket('a')], 'c1'),
      'root/c1': () => pageOf([treeTicket('b')]),
    })
    await assertTitles('a')
    press('Show more')
    await assertTitles('a', 'b')
    assert.equal(isThere('button', 'Show more'), false)
    assert.deepEqual(
      calls[`GET /projects/${projectId}/tickets/tree`]?.map(({ query }) => query),
      [
        { parent: 'root', active: '0', limit: '100' },
        { parent: 'root', active: '0', limit: '100', cursor: 'c1' },
      ],
    )
  })

  test('the tree remembers for each project which tickets are unfolded', async () => {
    const pages = {
      'root/': () => pageOf([treeTicket('a', 1)]),
      'a/': () => pageOf([treeTicket('a1')]),
    }
    const { projectId, unmount } = renderTree(pages)
    await assertTitles('a')
    press('Show the tickets below “Ticket a”')
    await assertTitles('a', 'a1')
    unmount()
    renderTree(pages).unmount()
    const { unmount: leave } = renderTree(pages)
    await assertTitles('a')
    leave()
    renderTree(pages, projectId)
    await assertTitles('a', 'a1')
  })

  test('a ticket in the tree shows how many of its descendants are done, without counting cancelled ones', async () => {
    const { rollups } = renderTree({ 'root/': () => pageOf([treeTicket('a', 3), treeTicket('b')]) })
    assert.ok(await screen.findByText('1 of 2 done below'))
    assert.deepEqual(rollups(), [{ ids: ['a'] }])
  })

  test('while closed tickets are hidden, the tree requests only open tickets and says when all tickets are closed', async () => {
    const { calls, projectId } = renderTree({ 'root/': () => pageOf([]) })
    assert.ok(await screen.findByText('No tickets yet'))
    fireEvent.click(field('Hide done and cancelled'))
    assert.ok(await screen.findByText('Everything is done or cancelled'))
    assert.deepEqual(
      calls[`GET /projects/${projectId}/tickets/tree`]?.map(({ query }) => query['active']),
      ['0', '1'],
    )
  })

  test('when the ticket tree cannot be loaded, the reason is shown, and a retry shows the tickets', async () => {
    let isAway = true
    renderTree({
      'root/': () => (isAway ? new Refusal(400, 'invalid_request', 'Not now.') : pageOf([treeTicket('a')])),
    })
    await assertAlert(/Not now/)
    isAway = false
    press('Try again')
    await assertTitles('a')
  })

  test('a ticket tree that is on screen stays when a refetch fails', async () => {
    let isAway = false
    const { projectId } = renderTree({
      'root/': () => (isAway ? new Refusal(400, 'invalid_request', 'Not now.') : pageOf([treeTicket('a')])),
    })
    await assertTitles('a')
    isAway = true
    await refetch(projectId)
    assert.deepEqual(titles(), ['Ticket a'])
    assert.equal(isThere('alert'), false)
  })

  test('the tree shows each ticket once, even when it is moved while the levels of the tree are being read', async () => {
    let hasMoved = false
    const { projectId } = renderTree({
      'root/': () => pageOf([treeTicket('a', 1)]),
      'a/': () => pageOf([treeTicket('b', 1)]),
      // Another member moved `b` to the top level and `a` below `b`. So far only this level shows the move.
      'b/': () => pageOf([hasMoved ? treeTicket('a', 1) : treeTicket('c')]),
    })
    await assertTitles('a')
    press('Show the tickets below “Ticket a”')
    await assertTitles('a', 'b')
    press('Show the tickets below “Ticket b”')
    await assertTitles('a', 'b', 'c')
    hasMoved = true
    await refetch(projectId)
    assert.deepEqual(titles(), ['Ticket a', 'Ticket b'])
  })

  test('Alt+→ on a ticket in the tree still opens the next page in the browser history', async () => {
    renderTree({ 'root/': () => pageOf([treeTicket('a', 1)]), 'a/': () => pageOf([treeTicket('b')]) })
    await assertTitles('a')
    const first = screen.getByRole('button', { name: 'Ticket a' })
    for (const held of ['altKey', 'ctrlKey', 'metaKey'])
      assert.equal(fireEvent.keyDown(first, { key: 'ArrowRight', [held]: true }), true, held)
    await assertTitles('a')
    fireEvent.keyDown(first, { key: 'ArrowRight' })
    await assertTitles('a', 'b')
  })

  test('when the children of a ticket in the tree cannot be loaded, the rest stays, and folding the ticket removes the error', async () => {
    renderTree({
      'root/': () => pageOf([treeTicket('a', 1), treeTicket('b')]),
      'a/': () => new Refusal(400, 'invalid_request', 'Not now.'),
    })
    await assertTitles('a', 'b')
    press('Show the tickets below “Ticket a”')
    await assertAlert(/Not now/)
    await assertTitles('a', 'b')
    press('Hide the tickets below “Ticket a”')
    await waitFor(() => assert.equal(isThere('alert'), false))
    await assertTitles('a', 'b')
  })
})
