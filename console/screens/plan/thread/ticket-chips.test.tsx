import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { TicketChips } from './ticket-chips.tsx'

const QUEUE_TICKETS = 'POST /projects/prj_1/build/queue'
const IDS = ['tkt_1', 'tkt_2']

function renderTicketChips(questions: string[]) {
  const calls = serve({ [QUEUE_TICKETS]: () => ({ queued: IDS, skipped: [], openQuestions: questions }) })
  show(
    <TicketChips
      projectId="prj_1"
      tickets={IDS.map((id) => ({ id, title: id }))}
      isNewest
      offersBuild
      questions={questions}
    />,
  )
  return calls
}

describe('building all tickets of a plan', () => {
  test('“Build all” of tickets with open questions shows the questions, and only “Build without answers” queues the tickets', async () => {
    const calls = renderTicketChips(['Is water given daily?', 'In which unit?'])
    press('Build all 2')
    await assertAlert(/Answer these 2 questions first\?.*Is water given daily\?.*In which unit\?/)
    press('Answer first')
    assert.ok(screen.queryByRole('alert') === null)
    await untilSent()
    assert.deepEqual(calls[QUEUE_TICKETS], [])
    press('Build all 2')
    press('Build without answers')
    await waitFor(() => assert.ok(isShown('2 tickets added to the queue')))
    assert.deepEqual(
      calls[QUEUE_TICKETS]?.map(({ body }) => body),
      [{ ticketIds: IDS }],
    )
  })

  test('the open questions take the focus when “Build all” is pressed, and “Answer first” returns it to “Build all”', async () => {
    renderTicketChips(['Is water given daily?'])
    button('Build all 2').focus()
    press('Build all 2')
    assert.ok(document.activeElement === screen.getByRole('alert'))
    press('Answer first')
    assert.ok(document.activeElement === button('Build all 2'))
    await untilSent()
  })

  test('when “Show 2 more” of planned tickets disappears, the focus moves to the first ticket that it added', async () => {
    serve({})
    const tickets = Array.from({ length: 10 }, (_, n) => ({ id: `tkt_${n}`, title: `Ticket ${n}` }))
    show(<TicketChips projectId="prj_1" tickets={tickets} isNewest offersBuild={false} questions={[]} />)
    button('Show 2 more').focus()
    press('Show 2 more')
    assert.equal(document.activeElement?.textContent, 'Ticket 8')
    await untilSent()
  })

  test('when “Build all” disappears because the planned tickets are queued, the focus moves to the note that says so', async (t) => {
    renderTicketChips([])
    button('Build all 2').focus()
    // A browser does not focus a note without text, which is hidden. This document does, so compare the text at that moment.
    const focused: unknown[] = []
    const onFocus = ({ target }: FocusEvent) => focused.push(target instanceof Node && target.textContent)
    document.addEventListener('focusin', onFocus)
    t.after(() => document.removeEventListener('focusin', onFocus))
    press('Build all 2')
    await waitFor(() => assert.ok(!isThere('button', 'Build all 2')))
    assert.deepEqual(focused, ['2 tickets added to the queue'])
    assert.equal(document.activeElement?.textContent, '2 tickets added to the queue')
  })

  test('newly shown planned tickets do not take the focus from the message field', () => {
    const field = document.createElement('textarea')
    document.body.append(field)
    field.focus()
    renderTicketChips(['Is water given daily?'])
    assert.ok(document.activeElement === field)
  })

  test('“Build all” of planned tickets without open questions queues them at once', async () => {
    const calls = renderTicketChips([])
    press('Build all 2')
    await waitFor(() => assert.ok(isShown('2 tickets added to the queue')))
    assert.equal(calls[QUEUE_TICKETS]?.length, 1)
  })
})
