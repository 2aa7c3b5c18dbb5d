import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { assertAlert, field, isShown, press, Refusal, serve, showAt, write } from '../../testing/console.tsx'
import { HelpDesk } from './help-desk.tsx'
import { HelpDeskConversation } from './help-desk-conversation.tsx'
import { Help } from './help.tsx'

const READ_THREAD = 'GET /desk/hlp_1'
const SEND_ANSWER = 'POST /desk/hlp_1/messages'
const CLOSE_THREAD = 'POST /desk/hlp_1/close'
const question = {
  id: 'm1',
  author: 'member',
  name: 'Ada',
  body: 'It does not build.',
  attachments: [],
  createdAt: '2026-06-01T12:00:00.000Z',
}
const answer = { ...question, id: 'm2', author: 'operator', name: null, body: 'It works again.' }
const threadIn = (state: string, ...messages: object[]) => ({
  id: 'hlp_1',
  subject: 'Stuck <b>here</b>',
  state,
  projectId: 'prj_1',
  projectName: 'Plants',
  plan: 'pro',
  createdAt: '2026-06-01T12:00:00.000Z',
  lastActiveAt: '2026-06-01T12:00:00.000Z',
  organization: { id: 'org_2', name: 'Acme <i>' },
  console: { route: '/projects' },
  messages,
})

describe('the help desk of all organizations', () => {
  const open = (address: string, answers: Parameters<typeof serve>[0]) => {
    const calls = serve(answers)
    return showAt('/app/desk', HelpDesk, address).then((page) => ({ ...page, calls }))
  }

  test('each question on the help desk names its organization and project and links to its conversation', async () => {
    await open('/desk', { 'GET /desk': () => [threadIn('open', question)] })
    const link = await screen.findByRole('link', { name: 'Stuck <b>here</b>' })
    assert.equal(link.getAttribute('href'), '/desk/hlp_1')
    assert.ok(screen.getByText(/Acme <i> · Plants/))
  })

  test('the help desk stores the chosen status in the URL, and the note for an empty list names that status', async () => {
    const { place } = await open('/desk?state=answered', { 'GET /desk': () => [] })
    await screen.findByText('No answered questions')
    press('Closed')
    await waitFor(() => assert.equal(place(), '/desk?state=closed'))
  })

  test('an organization that does not run the service sees a note instead of the help desk, and no filter by status', async () => {
    await open('/desk', { 'GET /desk': () => null })
    await screen.findByText('Your organization answers no questions here')
    assert.ok(screen.queryByRole('button', { name: 'Closed' }) === null)
  })

  test('in the organization that runs the service, the help page links to the help desk with the number of open questions', async () => {
    serve({ 'GET /help': () => [], 'GET /desk': () => [threadIn('open'), threadIn('open')] })
    await showAt('/app/help', Help, '/help')
    const link = await screen.findByRole('link', { name: 'Help desk: 2 questions wait' })
    assert.equal(link.getAttribute('href'), '/desk')
  })
})

describe('a conversation on the help desk', () => {
  async function open(answers: Parameters<typeof serve>[0]) {
    const calls = serve({ [READ_THREAD]: () => threadIn('open', question), ...answers })
    await showAt('/app/desk/$threadId', HelpDeskConversation, '/desk/hlp_1')
    await screen.findByLabelText('Your answer')
    return (key: string) => calls[key]?.map(({ body }) => body)
  }

  test('an answer sent from the help desk appears in the conversation and sets its status to “Answered”', async () => {
    const sent = await open({ [SEND_ANSWER]: () => threadIn('answered', question, answer) })
    assert.ok(isShown('What their console says (anyone can write this)'))
    write('Your answer', ' It works again. ')
    press('Send')
    await screen.findByText('It works again.')
    assert.deepEqual(sent(SEND_ANSWER), [{ body: 'It works again.', attachments: [] }])
    assert.ok(isShown('Answered'))
    assert.equal(field('Your answer').value, '')
  })

  test('an answer that the service refuses stays in the field of the help desk', async () => {
    await open({ [SEND_ANSWER]: () => new Refusal(429, 'rate_limited', 'Slowly.', 60) })
    write('Your answer', 'It works again.')
    press('Send')
    await assertAlert(/Slowly/)
    assert.equal(field('Your answer').value, 'It works again.')
  })

  test('a failed attempt to close a help conversation shows the error, and a closed conversation has no close button', async () => {
    const closings: unknown[] = [
      new Refusal(409, 'conflict', 'It is being answered.'),
      threadIn('closed', question),
    ]
    await open({ [CLOSE_THREAD]: () => closings.shift() })
    press('Close')
    await assertAlert(/Not closed.*It is being answered/)
    press('Close')
    await screen.findByText('Closed')
    assert.ok(screen.queryByRole('button', { name: 'Close' }) === null)
  })
})
