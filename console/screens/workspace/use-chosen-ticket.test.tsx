import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { waitFor } from '@testing-library/react'
import { recentTicketsQuery, ticketQuery } from '../../api/project/tickets.ts'
import { queryClient } from '../../api/request/query-client.ts'
import { readAgain, Refusal, serve, show, untilSent } from '../../testing/console.tsx'
import { testTicket } from '../../testing/tickets.ts'
import { type ChosenTicket, useChosenTicket } from './use-chosen-ticket.ts'

const RECENT = 'GET /projects/prj_1/tickets'
const ONE = 'GET /projects/prj_1/tickets/tkt_1'
const OTHER = 'GET /projects/prj_1/tickets/tkt_2'
const NOT_FOUND = new Refusal(404, 'not_found', 'No such ticket.')
const FORBIDDEN = new Refusal(403, 'forbidden', 'You may not.')
const running = { ...testTicket('tkt_2').build, state: 'running', runId: 'run_1' } as const

/** Renders the hook. `choose` changes the ticket that the URL names. */
function renderChosen(
  answers: Record<string, () => unknown>,
  { wanted, isGuessed = true }: { wanted?: string; isGuessed?: boolean } = {},
) {
  const calls = serve(answers)
  let chosen: ChosenTicket | undefined
  const Host = (props: { wanted: string | undefined }) => {
    chosen = useChosenTicket('prj_1', props.wanted, isGuessed)
    return null
  }
  const { rerender } = show(<Host wanted={wanted} />)
  return {
    calls,
    now: () => chosen,
    shown: () => chosen?.ticket?.id ?? null,
    choose: (next: string | undefined) => rerender(<Host wanted={next} />),
  }
}

describe('the ticket that a workspace shows', () => {
  test('without a ticket in the URL the workspace shows the ticket that is being built rather than the newest open one', async () => {
    const { shown } = renderChosen({
      [RECENT]: () => [testTicket('tkt_1'), testTicket('tkt_2', { build: running })],
      [OTHER]: () => testTicket('tkt_2', { build: running }),
    })
    await waitFor(() => assert.equal(shown(), 'tkt_2'))
  })

  test('the workspace of a project without tickets has no open ticket, and is not loading once that is known', async () => {
    const { now } = renderChosen({ [RECENT]: () => [] })
    assert.equal(now()?.isPending, true)
    await waitFor(() => assert.equal(now()?.isPending, false))
    assert.deepEqual([now()?.ticket, now()?.isMissing, now()?.failure], [null, false, null])
  })

  test('a recent ticket is shown in the workspace at once, and its newest state once that is loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { now, shown } = renderChosen({
      [RECENT]: () => [testTicket('tkt_1', { title: 'Old title' })],
      [ONE]: () => promise,
    })
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    assert.deepEqual([now()?.ticket?.title, now()?.isPending], ['Old title', false])
    resolve(testTicket('tkt_1', { title: 'New title' }))
    await waitFor(() => assert.equal(now()?.ticket?.title, 'New title'))
  })

  test('the workspace shows the ticket in its URL without requesting the recent tickets', async () => {
    const { calls, shown } = renderChosen(
      { [RECENT]: () => [], [ONE]: () => testTicket('tkt_1') },
      { wanted: 'tkt_1' },
    )
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    await untilSent()
    assert.deepEqual(calls[RECENT], [])
  })

  test('a board shows no ticket until the user opens one, and then the opened ticket', async () => {
    const { calls, shown, now, choose } = renderChosen(
      { [RECENT]: () => [testTicket('tkt_2')], [ONE]: () => testTicket('tkt_1') },
      { isGuessed: false },
    )
    await untilSent()
    assert.deepEqual([shown(), now()?.isPending, calls[RECENT]?.length], [null, false, 0])
    choose('tkt_1')
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    choose(undefined)
    assert.equal(shown(), null, 'closing the ticket shows none')
  })

  test('while the ticket in the URL is loading, the workspace does not show the previous ticket', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { shown, now, choose } = renderChosen(
      { [ONE]: () => testTicket('tkt_1'), [OTHER]: () => promise },
      { wanted: 'tkt_1' },
    )
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    choose('tkt_2')
    assert.deepEqual([shown(), now()?.isPending], [null, true])
    resolve(testTicket('tkt_2'))
    await waitFor(() => assert.equal(shown(), 'tkt_2'))
  })

  test('a late response for an earlier ticket does not replace the ticket that was opened after it', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { shown, choose } = renderChosen(
      { [ONE]: () => promise, [OTHER]: () => testTicket('tkt_2') },
      { wanted: 'tkt_1' },
    )
    await untilSent()
    choose('tkt_2')
    await waitFor(() => assert.equal(shown(), 'tkt_2'))
    resolve(testTicket('tkt_1'))
    await untilSent()
    assert.equal(shown(), 'tkt_2')
  })

  test('a ticket that does not exist in the project is reported as missing, and neither as loading nor as an error', async () => {
    const { now } = renderChosen({ [ONE]: () => NOT_FOUND }, { wanted: 'tkt_1' })
    await waitFor(() => assert.equal(now()?.isMissing, true))
    assert.deepEqual([now()?.ticket, now()?.isPending, now()?.failure], [null, false, null])
  })

  test('an open ticket is reported as missing once another person has deleted it', async () => {
    const answers: unknown[] = [testTicket('tkt_1'), NOT_FOUND]
    const { now, shown } = renderChosen({ [ONE]: () => answers.shift() }, { wanted: 'tkt_1' })
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    await readAgain(ticketQuery('prj_1', 'tkt_1').queryKey)
    assert.equal(now()?.isMissing, true)
  })

  test('a ticket that could not be loaded is an error with a retry, and not a project without tickets', async () => {
    const answers: unknown[] = [FORBIDDEN, testTicket('tkt_1')]
    const { now, shown } = renderChosen({ [ONE]: () => answers.shift() }, { wanted: 'tkt_1' })
    await waitFor(() => assert.match(String(now()?.failure?.error), /You may not/))
    assert.deepEqual([now()?.ticket, now()?.isMissing, now()?.isPending], [null, false, false])
    now()?.failure?.retry()
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    assert.equal(now()?.failure, null)
  })

  test('a list of recent tickets that could not be loaded is an error with a retry', async () => {
    const answers: unknown[] = [FORBIDDEN, [testTicket('tkt_1')]]
    const { now, shown } = renderChosen({ [RECENT]: () => answers.shift(), [ONE]: () => testTicket('tkt_1') })
    await waitFor(() => assert.match(String(now()?.failure?.error), /You may not/))
    now()?.failure?.retry()
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
  })

  test('a ticket in the workspace stays when reading it again fails', async () => {
    const answers: unknown[] = [testTicket('tkt_1'), FORBIDDEN]
    const { now, shown } = renderChosen({ [ONE]: () => answers.shift() }, { wanted: 'tkt_1' })
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    await readAgain(ticketQuery('prj_1', 'tkt_1').queryKey)
    assert.deepEqual([shown(), now()?.failure], ['tkt_1', null])
  })

  test('`useChosenTicket` returns the same object while nothing in it changes, so that memoized panes do not render again', async () => {
    const { now, shown, choose } = renderChosen({ [ONE]: () => testTicket('tkt_1') }, { wanted: 'tkt_1' })
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    const before = now()
    choose('tkt_1')
    assert.equal(now(), before)
  })

  test('a change of the recent tickets does not replace a ticket that the URL names', async () => {
    const { shown } = renderChosen({ [ONE]: () => testTicket('tkt_1') }, { wanted: 'tkt_1' })
    await waitFor(() => assert.equal(shown(), 'tkt_1'))
    const newer: Ticket[] = [testTicket('tkt_2', { build: running })]
    queryClient.setQueryData(recentTicketsQuery('prj_1').queryKey, newer)
    await untilSent()
    assert.equal(shown(), 'tkt_1')
  })
})
