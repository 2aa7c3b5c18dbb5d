import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { assertAlert, isShown, isThere, press, Refusal, sent, serve, show } from '../../testing/console.tsx'
import { ErrorsPanel } from './errors-panel.tsx'

const LIST_ERRORS = 'GET /projects/prj_1/errors'
const CREATE_TICKET = 'POST /projects/prj_1/tickets'
const error = {
  message: 'plant <b>is</b> undefined',
  route: '/plants',
  count: 3,
  lastAt: '2026-01-01T00:00:00Z',
  stack: 'at list (app.tsx:7)',
}

async function renderErrorsPanel(answer: unknown, ticket: () => unknown = () => ({ id: 'tkt_1' })) {
  const calls = serve({ [LIST_ERRORS]: () => answer, [CREATE_TICKET]: ticket })
  show(<ErrorsPanel projectId="prj_1" />)
  await waitFor(() => assert.equal(calls[LIST_ERRORS]?.length, 1))
  return calls
}

describe('the errors of the live app', () => {
  test('an error of the live app shows its route and count, and markup in its message as text', async () => {
    await renderErrorsPanel({ state: 'ok', items: [error] })
    assert.ok(await screen.findByRole('heading', { name: 'plant <b>is</b> undefined' }))
    assert.ok(isShown(/\/plants · 3 times/))
    assert.ok(isShown('at list (app.tsx:7)'))
  })

  test('the errors panel of an app without errors says how soon new errors appear in it', async () => {
    await renderErrorsPanel({ state: 'ok', items: [] })
    assert.ok(await screen.findByText('No errors in the last 24 hours'))
    assert.ok(isShown(/appear within a minute/))
  })

  test('when the cloud account cannot return the errors of an app, the panel shows the reason instead of “No errors”', async () => {
    await renderErrorsPanel({ state: 'unavailable', reason: 'The token may not read logs.', items: [] })
    assert.ok(await screen.findByText('The token may not read logs.'))
    assert.ok(!isShown('No errors in the last 24 hours'))
  })

  test('a list of app errors that failed to load shows the request id and a retry button', async () => {
    await renderErrorsPanel(new Refusal(403, 'forbidden', 'You may not.'))
    await assertAlert(/You may not.*req_test/)
    assert.ok(isThere('button', 'Try again'))
  })

  test('a double press on “Make a ticket” makes one bug ticket of an error and then links to it', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const calls = await renderErrorsPanel({ state: 'ok', items: [error] }, () => promise)
    fireEvent.click(await screen.findByRole('button', { name: 'Make a ticket' }))
    await waitFor(() => assert.equal(calls[CREATE_TICKET]?.length, 1))
    press(/Make a ticket/)
    resolve({ id: 'tkt_1' })
    const link = await screen.findByRole('link', { name: 'Open the ticket' })
    assert.match(link.getAttribute('href') ?? '', /ticket=tkt_1/)
    const [body, ...others] = sent(calls, CREATE_TICKET) as {
      title: string
      type: string
      priority: string
    }[]
    assert.deepEqual(
      [body?.title, body?.type, body?.priority, others.length],
      [`Fix: ${error.message}`, 'bug', 'high', 0],
    )
  })

  test('when a ticket for an error is refused, the panel shows the reason, and pressing the button again creates the ticket', async () => {
    const answers: unknown[] = [new Refusal(409, 'conflict', 'The project is archived.'), { id: 'tkt_1' }]
    await renderErrorsPanel({ state: 'ok', items: [error] }, () => answers.shift())
    fireEvent.click(await screen.findByRole('button', { name: 'Make a ticket' }))
    await assertAlert(/The ticket was not created.*The project is archived.*req_test/)
    press('Make a ticket')
    assert.ok(await screen.findByRole('link', { name: 'Open the ticket' }))
    assert.ok(!isThere('alert'))
  })
})
