import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { act } from '@testing-library/react'
import type { WorkspaceSearch, WorkTab } from '../../routes.ts'
import type { NavigateWorkspace, WorkspaceLocation } from '../../state/use-workspace-location.ts'
import { show } from '../../testing/console.tsx'
import { testTicket } from '../../testing/tickets.ts'
import { useImpliedSelection } from './use-implied-selection.ts'

interface Given {
  place?: Partial<WorkspaceLocation> | null
  tab?: WorkTab
  ticket?: Ticket | null
  isPending?: boolean
}
const EMPTY_PLACE: WorkspaceLocation = {
  ticket: undefined,
  tab: undefined,
  pane: 'work',
  view: 'list',
  filter: {},
}

/** Waits for three animation frames. The browser has painted after two. */
const painted = () =>
  act(async () => {
    for (let frame = 0; frame < 3; frame++) await new Promise((done) => requestAnimationFrame(done))
  })

function renderSelection(first: Given) {
  const went: [WorkspaceSearch, unknown][] = []
  const go: NavigateWorkspace = (to, options) => void went.push([to, options])
  const Host = ({ place = {}, tab, ticket = null, isPending = false }: Given) => {
    const chosen = { ticket, isMissing: false, isPending, failure: null }
    useImpliedSelection(place && { ...EMPTY_PLACE, ...place }, tab, chosen, go)
    return null
  }
  const { rerender, unmount } = show(<Host {...first} />)
  return { went, unmount, change: (next: Given) => rerender(<Host {...next} />) }
}
const REPLACES = { replace: true }

describe('the ticket and tab that a workspace chose itself', () => {
  const cases: { name: string; given: Given; implied: WorkspaceSearch | null }[] = [
    {
      name: 'are written into the URL, so that a ticket that is added later does not replace the one on screen',
      given: { tab: 'build', ticket: testTicket('a') },
      implied: { tab: 'build', ticket: 'a' },
    },
    {
      name: 'are not written while the ticket loads, except for the tab',
      given: { tab: 'build', ticket: testTicket('a'), isPending: true },
      implied: { tab: 'build' },
    },
    {
      name: 'leave out the ticket while the plan is shown, which belongs to no ticket',
      given: { tab: 'plan', ticket: testTicket('a') },
      implied: { tab: 'plan' },
    },
    {
      name: 'leave out the tab when the URL names one',
      given: { place: { tab: 'ticket' }, tab: 'ticket', ticket: testTicket('a') },
      implied: { ticket: 'a' },
    },
    {
      name: 'leave out the ticket when the URL names one',
      given: { place: { ticket: 'a' }, tab: 'build', ticket: testTicket('a') },
      implied: { tab: 'build' },
    },
    {
      name: 'change nothing when the URL names both',
      given: { place: { ticket: 'a', tab: 'build' }, tab: 'build', ticket: testTicket('a') },
      implied: null,
    },
    {
      name: 'change nothing on a board, which shows a ticket only when the user opens one',
      given: { place: null, tab: 'build', ticket: testTicket('a') },
      implied: null,
    },
    {
      name: 'change nothing while neither is known',
      given: { isPending: true },
      implied: null,
    },
  ]
  for (const { name, given, implied } of cases)
    test(`the ticket and tab that a workspace chose itself ${name}`, async () => {
      const { went } = renderSelection(given)
      assert.deepEqual(went, [], 'not before the page is painted')
      await painted()
      assert.deepEqual(went, implied === null ? [] : [[implied, REPLACES]])
    })

  test("when the workspace's selection changes before the page is painted, only its last state is written to the URL", async () => {
    const { went, change } = renderSelection({ tab: 'build', isPending: true })
    change({ tab: 'build', ticket: testTicket('a') })
    await painted()
    assert.deepEqual(went, [[{ tab: 'build', ticket: 'a' }, REPLACES]])
  })

  test('a workspace that the user leaves before it is painted does not change the URL', async () => {
    const { went, unmount } = renderSelection({ tab: 'build', ticket: testTicket('a') })
    unmount()
    await painted()
    assert.deepEqual(went, [])
  })
})
