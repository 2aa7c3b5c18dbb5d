import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { act, cleanup, waitFor } from '@testing-library/react'
import { button, isShown, isThere, press, serve, show, untilSent } from '../../../testing/console.tsx'
import { testTicket } from '../../../testing/tickets.ts'
import { clearRefusal, setRefusal } from '../../../state/tickets/refusals.ts'
import { RefusalNote } from './refusal-note.tsx'
import { TicketMeta } from './ticket-meta.tsx'

const ATTENTION = 'GET /attention'
const NOW = new Date(2026, 5, 15, 12).getTime()
const idle = { state: 'idle', runId: 'run_1', outcome: null, refused: null } as const
const failedBuild = {
  ticketId: 'tkt_1',
  runId: 'run_1',
  projectId: 'prj_1',
  title: 'Water',
  state: 'failed',
  at: new Date(NOW - 2 * 3_600_000).toISOString(),
}

/** Shows the details that a list has below a ticket title. `items` are the recently ended builds. */
async function renderMeta(part: Partial<Ticket>, items: unknown[] = []) {
  const calls = serve({ [ATTENTION]: () => ({ items }) })
  const { container } = show(<TicketMeta ticket={testTicket('tkt_1', part)} now={NOW} />)
  await untilSent()
  return { calls, words: () => container.textContent }
}

describe('the details below a ticket title in a list', () => {
  test('a task with default values shows nothing under its title', async () => {
    const { words, calls } = await renderMeta({})
    assert.equal(words(), '')
    assert.deepEqual(calls[ATTENTION], [], 'a ticket without a build cannot have failed')
  })

  test('the type, priority and source of a ticket are shown only when they differ from the defaults', async () => {
    const { words } = await renderMeta({ type: 'bug', priority: 'urgent', source: 'ingest' })
    for (const word of ['Bug', 'Urgent', 'From another system']) assert.ok(words()?.includes(word), word)
  })

  test('a ticket shows two of its labels, and a count of the others has their names in a tooltip', async () => {
    await renderMeta({ labels: ['garden', 'water', 'soon', '<b>late</b>'] })
    assert.ok(isShown('garden') && isShown('water') && isShown('+2'))
    assert.ok(!isShown('soon'))
    assert.equal(document.querySelector('[title]')?.getAttribute('title'), 'soon, <b>late</b>')
  })

  test('the labels of a ticket with exactly two labels are not followed by a count', async () => {
    await renderMeta({ labels: ['garden', 'water'] })
    assert.ok(!isShown(/^\+/))
  })

  for (const { name, part, shown } of [
    {
      name: 'a due date that has passed',
      part: { dueAt: new Date(NOW - 1).toISOString() },
      shown: /^Overdue/,
    },
    { name: 'a due date later today', part: { dueAt: new Date(NOW + 1).toISOString() }, shown: /^Due/ },
    {
      name: 'a due date that had passed when the ticket was done',
      part: { dueAt: new Date(NOW - 1).toISOString(), status: 'done' },
      shown: /^Due/,
    },
  ] as const)
    test(`${name} is shown as ${shown.source.slice(1).toLowerCase()}`, async () => {
      const { words } = await renderMeta(part)
      assert.match(words() ?? '', shown)
    })

  test("a waiting, running or asking build is shown under the ticket's title, but a finished build is not", async () => {
    for (const [state, word] of [
      ['queued', 'Waiting to build'],
      ['running', 'Building'],
      ['awaiting', 'Waiting for your answer'],
      ['idle', ''],
    ] as const) {
      const { words } = await renderMeta({ build: { ...idle, state } })
      assert.equal(words(), word)
      cleanup()
    }
  })

  test('a ticket with a failed last build shows the time of the failure', async () => {
    const { words } = await renderMeta({ build: idle }, [failedBuild])
    await waitFor(() => assert.equal(words(), 'Failed 2 hours ago'))
  })

  test('a failed build of another ticket, or a build that asks a question, does not mark a ticket as failed', async () => {
    const { words } = await renderMeta({ build: idle }, [
      { ...failedBuild, ticketId: 'tkt_2' },
      { ...failedBuild, state: 'asking' },
    ])
    assert.equal(words(), '')
  })

  test('while a new build of a ticket runs, the failure of its last build is not shown', async () => {
    const { words, calls } = await renderMeta({ build: { ...idle, state: 'running' } }, [failedBuild])
    assert.equal(words(), 'Building')
    assert.deepEqual(calls[ATTENTION], [])
  })
})

describe('the note about a refused change of a ticket', () => {
  const refused = new SlipwayError('<b>It is being built.</b>', {
    code: 'conflict',
    status: 409,
    requestId: 'req_7',
  })

  test('only the ticket whose change was refused shows the reason, code and request id, and the note can be dismissed', () => {
    show(
      <>
        <RefusalNote ticketId="tkt_note_1" />
        <RefusalNote ticketId="tkt_note_2" />
      </>,
    )
    assert.ok(!isThere('alert'))
    act(() => setRefusal('tkt_note_1', refused))
    assert.ok(isShown(/Not saved: <b>It is being built\.<\/b>/))
    assert.ok(isShown('conflict') && button('Copy the request id'))
    press('Dismiss')
    assert.ok(!isThere('alert'))
  })

  test('clearing the refused change of a ticket removes the note about it', () => {
    show(<RefusalNote ticketId="tkt_note_3" />)
    act(() => setRefusal('tkt_note_3', refused))
    assert.ok(isThere('alert'))
    act(() => clearRefusal('tkt_note_3'))
    assert.ok(!isThere('alert'))
  })
})
