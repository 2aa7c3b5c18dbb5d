import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { useParams } from '@tanstack/react-router'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { useWorkspaceLocation } from '../../../state/use-workspace-location.ts'
import { field, isThere, sent, serve, showAt, untilSent, write } from '../../../testing/console.tsx'
import { giveScrollersHeight } from '../../../testing/layout.ts'
import { testTicket, ticketCounts } from '../../../testing/tickets.ts'
import { TicketsPane } from './tickets-pane.tsx'

const SENTENCE = 'Describe a change'

function Page() {
  const { projectId } = useParams({ from: '/app/projects/$projectId' })
  const { place, go } = useWorkspaceLocation(projectId)
  return (
    <TicketsPane
      projectId={projectId}
      view={place.view}
      filter={place.filter}
      chosen={place.ticket ?? null}
      detailed={null}
      go={go}
    />
  )
}

/** Opens the tickets pane of `prj_1`. The projects `prj_1` and `prj_2` have one ticket each. */
async function openPane(t: TestContext, more: Record<string, () => unknown> = {}) {
  giveScrollersHeight(t)
  const answers = ['prj_1', 'prj_2'].map((id) => [
    [`GET /projects/${id}/tickets/stats`, () => ticketCounts({ todo: 1 })],
    [
      `GET /projects/${id}/tickets/search`,
      () => ({ items: [testTicket(`tkt_of_${id}`, { projectId: id })], nextCursor: null }),
    ],
    [`POST /projects/${id}/tickets/capture`, () => testTicket(`tkt_new_${id}`, { projectId: id })],
  ])
  const calls = serve({ ...Object.fromEntries(answers.flat()), ...more })
  const page = await showAt('/app/projects/$projectId', Page, '/projects/prj_1')
  await screen.findByText('Ticket tkt_of_prj_1')
  return { ...page, calls }
}

describe('the tickets pane', () => {
  test('unsent ticket text is shown only in its project, even after a visit to another project', async (t) => {
    const { calls, go } = await openPane(t)
    write(SENTENCE, 'A dark theme')
    await go('/projects/prj_2')
    await screen.findByText('Ticket tkt_of_prj_2')
    assert.equal(field(SENTENCE).value, '')
    write(SENTENCE, 'A light theme')
    fireEvent.keyDown(field(SENTENCE), { key: 'Enter' })
    await waitFor(() =>
      assert.deepEqual(sent(calls, 'POST /projects/prj_2/tickets/capture'), [{ text: 'A light theme' }]),
    )
    await go('/projects/prj_1')
    assert.equal(field(SENTENCE).value, 'A dark theme')
    await untilSent()
    assert.deepEqual(sent(calls, 'POST /projects/prj_1/tickets/capture'), [])
  })

  test('the selection of tickets in one project does not apply to another project', async (t) => {
    const { go } = await openPane(t)
    fireEvent.click(field('Select “Ticket tkt_of_prj_1”'))
    assert.ok(isThere('button', 'Clear selection'))
    await go('/projects/prj_2')
    await screen.findByText('Ticket tkt_of_prj_2')
    assert.equal(isThere('button', 'Clear selection'), false)
  })

  test('a ticket that is created from a sentence is opened once the service has created it', async (t) => {
    const { place } = await openPane(t)
    write(SENTENCE, 'A dark theme')
    act(() => field(SENTENCE).focus())
    fireEvent.keyDown(field(SENTENCE), { key: 'Enter' })
    await waitFor(() => assert.equal(place(), '/projects/prj_1?ticket=tkt_new_prj_1&tab=build'))
  })

  test('a ticket created from a sentence is not opened while the user types in another field, which would then disappear', async (t) => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { calls, place } = await openPane(t, { 'POST /projects/prj_1/tickets/capture': () => promise })
    write(SENTENCE, 'A dark theme')
    fireEvent.keyDown(field(SENTENCE), { key: 'Enter' })
    await waitFor(() => assert.equal(calls['POST /projects/prj_1/tickets/capture']?.length, 1))
    const details = document.createElement('textarea')
    document.body.append(details)
    details.focus()
    resolve(testTicket('tkt_new_prj_1', { projectId: 'prj_1' }))
    await screen.findByText('Ticket tkt_new_prj_1')
    await untilSent()
    assert.equal(place(), '/projects/prj_1')
  })
})
