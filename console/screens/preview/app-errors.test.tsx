import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project, Ticket } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
} from '../../testing/console.tsx'
import { testTicket } from '../../testing/tickets.ts'
import type { AppError } from './app-error.ts'
import { AppErrors } from './app-errors.tsx'

const project = { id: 'prj_1', name: 'Plants' } as Project
const STORE = 'POST /projects/prj_1/preview-errors'
const appError = (id: number, part: Partial<AppError> = {}): AppError => ({
  id,
  message: `Boom ${id}`,
  stack: null,
  path: '/plants',
  at: '2026-01-31T10:00:00.000Z',
  ...part,
})

interface Given {
  ticket?: Ticket | null
  errors?: AppError[]
  answer?: () => unknown
}

function renderErrors({
  ticket = testTicket('tkt_1'),
  errors = [appError(1)],
  answer = () => ({ stored: 1 }),
}: Given = {}) {
  const cleared: string[] = []
  const calls = serve({
    [STORE]: answer,
    'GET /projects/prj_1/build/queue': () => ({ running: null, queued: [] }),
  })
  const panel = (now: Ticket | null, reported: AppError[]) => (
    <AppErrors project={project} ticket={now} errors={reported} onClear={() => cleared.push('cleared')} />
  )
  const { rerender } = show(panel(ticket, errors))
  const bodies = () => sent(calls, STORE) as { ticketId: string; errors: { message: string }[] }[]
  return {
    cleared,
    /** The requests so far, each as its ticket and the messages of its errors. */
    stored: () =>
      bodies().map(({ ticketId, errors: list }) => [ticketId, list.map(({ message }) => message)]),
    shown: (now: Ticket | null, reported: AppError[]) => rerender(panel(now, reported)),
  }
}
const canSend = () => isThere('button', 'Send to the next build')

describe('the errors that the previewed app reports', () => {
  test('the newest error of the previewed app is listed first, with its page', () => {
    renderErrors({ errors: [appError(1), appError(2, { path: '/about' })] })
    assert.deepEqual(
      screen.getAllByRole('listitem').map(({ textContent }) => textContent),
      ['Boom 2/about', 'Boom 1/plants'],
    )
    assert.ok(isShown('The app reported 2 errors'))
  })

  test("the stack of a previewed app's error is folded and can be scrolled with the keyboard", () => {
    renderErrors({ errors: [appError(1, { stack: 'at grow (plants.tsx:3)' })] })
    const stack = screen.getByText('at grow (plants.tsx:3)')
    assert.equal(stack.closest('details')?.open, false)
    assert.equal(stack.tabIndex, 0)
  })

  test('after errors of the previewed app are sent, a message names the ticket whose next build reads them', async () => {
    const { stored } = renderErrors({ errors: [appError(1), appError(2)] })
    press('Send to the next build')
    await screen.findByText('The next build of “Ticket tkt_1” reads them.')
    assert.deepEqual(stored(), [['tkt_1', ['Boom 1', 'Boom 2']]])
    assert.ok(!canSend())
  })

  test('an error of the previewed app that is reported later is sent without those already sent', async () => {
    const { stored, shown } = renderErrors()
    press('Send to the next build')
    await screen.findByText(/The next build of/)
    shown(testTicket('tkt_1'), [appError(1), appError(2)])
    assert.ok(!isShown(/The next build of/))
    press('Send to the next build')
    await screen.findByText(/The next build of/)
    assert.deepEqual(stored(), [
      ['tkt_1', ['Boom 1']],
      ['tkt_1', ['Boom 2']],
    ])
  })

  test('an error of the previewed app that is reported while others are being sent does not count as sent', async () => {
    const held = Promise.withResolvers<object>()
    const { stored, shown } = renderErrors({ answer: () => held.promise })
    press('Send to the next build')
    await waitFor(() => assert.equal(stored().length, 1))
    shown(testTicket('tkt_1'), [appError(1), appError(2)])
    held.resolve({ stored: 1 })
    await untilSent()
    assert.ok(canSend())
    assert.ok(!isShown(/The next build of/))
    press('Send to the next build')
    await waitFor(() => assert.deepEqual(stored()[1], ['tkt_1', ['Boom 2']]))
  })

  test('preview errors that were sent to one ticket still count as unsent for another ticket', async () => {
    const { stored, shown } = renderErrors()
    press('Send to the next build')
    await screen.findByText('The next build of “Ticket tkt_1” reads them.')
    shown(testTicket('tkt_2'), [appError(1)])
    assert.ok(!isShown(/The next build of/))
    press('Send to the next build')
    await screen.findByText('The next build of “Ticket tkt_2” reads them.')
    shown(testTicket('tkt_1'), [appError(1)])
    assert.ok(isShown('The next build of “Ticket tkt_1” reads them.'))
    assert.deepEqual(stored(), [
      ['tkt_1', ['Boom 1']],
      ['tkt_2', ['Boom 1']],
    ])
  })

  test("clearing the preview's errors removes them from each ticket that got them, and changes no other ticket", async () => {
    const { stored, shown, cleared } = renderErrors()
    press('Send to the next build')
    await screen.findByText(/The next build of/)
    shown(testTicket('tkt_2'), [appError(1)])
    press('Clear')
    await waitFor(() => assert.deepEqual(cleared, ['cleared']))
    assert.deepEqual(stored().slice(1), [['tkt_1', []]])
  })

  test('clearing preview errors that were never sent sends nothing', async () => {
    const { stored, cleared } = renderErrors()
    press('Clear')
    await waitFor(() => assert.deepEqual(cleared, ['cleared']))
    assert.deepEqual(stored(), [])
  })

  test('preview errors stay on screen when they cannot be removed from the ticket to which they were sent', async () => {
    const answers = [{ stored: 1 }, new Refusal(400, 'invalid_request', 'Not now.')]
    const { cleared } = renderErrors({ answer: () => answers.shift() })
    press('Send to the next build')
    await screen.findByText(/The next build of/)
    press('Clear')
    await assertAlert(/Not now/)
    assert.deepEqual(cleared, [])
  })

  test('preview errors that the service refuses stay unsent with the reason, and can be sent again', async () => {
    const answers = [new Refusal(400, 'invalid_request', 'Too large.'), { stored: 1 }]
    const { stored } = renderErrors({ answer: () => answers.shift() })
    press('Send to the next build')
    await assertAlert(/Too large/)
    press('Send to the next build')
    await screen.findByText(/The next build of/)
    assert.equal(stored().length, 2)
    assert.ok(!isThere('alert'))
  })

  test('without a ticket the errors of the previewed app cannot be sent, and the button says why', async () => {
    const { stored } = renderErrors({ ticket: null })
    const send = button('Send to the next build')
    assert.equal(send.getAttribute('aria-description'), 'Choose the ticket whose next build should read them')
    fireEvent.click(send)
    await untilSent()
    assert.deepEqual(stored(), [])
  })
})
