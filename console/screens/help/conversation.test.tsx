import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { conversationQuery } from '../../api/organization/help.ts'
import { queryClient } from '../../api/request/query-client.ts'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  showAt,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { Conversation } from './conversation.tsx'
import { Help } from './help.tsx'
import { HelpDialog } from '../../shell/help/help-dialog.tsx'

const READ_THREAD = 'GET /help/hlp_1'
const SEND_REPLY = 'POST /help/hlp_1/messages'
const UPLOAD_PICTURE = 'POST /help/attachments'
const helpMessage = (id: string, body: string, author = 'user') => ({
  id,
  author,
  name: author === 'user' ? 'Ada' : null,
  body,
  attachments: [],
  createdAt: '2026-06-01T12:00:00.000Z',
})
const threadOf = (...messages: object[]) => ({
  id: 'hlp_1',
  subject: 'Stuck <b>here</b>',
  state: 'open',
  projectId: null,
  projectName: null,
  plan: 'free',
  createdAt: '2026-06-01T12:00:00.000Z',
  lastActiveAt: '2026-06-01T12:00:00.000Z',
  messages,
})
const firstMessage = helpMessage('m1', 'It does not build.')

async function renderConversation(answers: Record<string, (call: { body: unknown }) => unknown> = {}) {
  const calls = serve({ [READ_THREAD]: () => threadOf(firstMessage), 'GET /help': () => [], ...answers })
  await showAt('/app/help/$threadId', Conversation, '/help/hlp_1')
  await screen.findByLabelText('Your message')
  return (key: string) => calls[key]?.map(({ body }) => body)
}
const messageCount = () => document.querySelectorAll('ol > li').length

describe('a conversation with the operator', () => {
  test('a help conversation that cannot be read shows the error and a link to all questions', async () => {
    serve({ [READ_THREAD]: () => new Refusal(404, 'not_found', 'It is gone.') })
    await showAt('/app/help/$threadId', Conversation, '/help/hlp_1')
    await assertAlert(/req_test/)
    assert.equal(screen.getByRole('heading', { level: 1 }).textContent, 'Help')
    assert.equal(screen.getByRole('link', { name: 'All questions' }).getAttribute('href'), '/help')
  })

  test('a help reply is sent without the spaces around it, appears in the conversation and empties the field', async () => {
    const sent = await renderConversation({
      [SEND_REPLY]: () => threadOf(firstMessage, helpMessage('m2', 'Still stuck.')),
    })
    write('Your message', '  Still stuck. ')
    press('Send')
    await screen.findByText('Still stuck.')
    assert.deepEqual(sent(SEND_REPLY), [{ body: 'Still stuck.', attachments: [] }])
    await waitFor(() => assert.equal(field('Your message').value, ''))
  })

  test('a support reply that arrives does not change the message that the user is writing', async () => {
    await renderConversation()
    write('Your message', 'Half a thou')
    act(() => {
      const next = threadOf(firstMessage, helpMessage('m2', 'Which build?', 'operator'))
      queryClient.setQueryData(conversationQuery('hlp_1').queryKey, next as never)
    })
    await screen.findByText('Which build?')
    assert.equal(field('Your message').value, 'Half a thou')
  })

  test('text that is written while a help reply is being sent stays in the field', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = await renderConversation({ [SEND_REPLY]: () => promise })
    write('Your message', 'First')
    press('Send')
    await waitFor(() => assert.equal(sent(SEND_REPLY)?.length, 1))
    write('Your message', 'Second')
    press(/Send/)
    resolve(threadOf(firstMessage, helpMessage('m2', 'First')))
    await screen.findByText('First')
    assert.equal(field('Your message').value, 'Second')
    assert.equal(sent(SEND_REPLY)?.length, 1, 'one message at a time')
  })

  test('a refused help reply keeps its text, and an empty reply is not sent', async () => {
    const sent = await renderConversation({
      [SEND_REPLY]: () => new Refusal(429, 'rate_limited', 'Slowly.', 60),
    })
    press('Send')
    assert.ok(document.activeElement === field('Your message'))
    await untilSent()
    assert.deepEqual(sent(SEND_REPLY), [])
    write('Your message', 'Still stuck.')
    press('Send')
    await assertAlert(/Slowly/)
    assert.equal(field('Your message').value, 'Still stuck.')
    assert.equal(messageCount(), 1)
  })

  test('markup in the subject or a message of a help conversation is shown as text', async () => {
    const hostile = helpMessage('m2', '<img src=x onerror=alert(1)>', 'operator')
    await renderConversation({ [READ_THREAD]: () => threadOf(firstMessage, hostile) })
    assert.ok(screen.getByRole('heading', { name: 'Stuck <b>here</b>' }))
    assert.ok(isShown('<img src=x onerror=alert(1)>'))
    assert.ok(document.querySelector('img') === null)
  })

  test('a help message is not sent before its screenshot is uploaded', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const sent = await renderConversation({
      [UPLOAD_PICTURE]: () => promise,
      [SEND_REPLY]: () => threadOf(firstMessage),
    })
    const file = new File(['{}'], 'shot.png', { type: 'image/png' })
    fireEvent.change(field('Add a screenshot'), { target: { files: [file] } })
    await waitFor(() => assert.equal(sent(UPLOAD_PICTURE)?.length, 1))
    write('Your message', 'See the picture.')
    press(/Send/)
    await untilSent()
    assert.deepEqual(sent(SEND_REPLY), [])
    resolve({ id: 'hpc_1', name: 'shot.png', size: 2 })
    await screen.findByRole('button', { name: /shot\.png/ })
    press('Send')
    await waitFor(() =>
      assert.deepEqual(sent(SEND_REPLY), [{ body: 'See the picture.', attachments: ['hpc_1'] }]),
    )
  })

  test('a help conversation that failed to load shows an error and can be retried', async () => {
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), threadOf(firstMessage)]
    serve({ [READ_THREAD]: () => answers.shift() })
    await showAt('/app/help/$threadId', Conversation, '/help/hlp_1')
    await assertAlert(/You may not/)
    press('Try again')
    assert.ok(await screen.findByLabelText('Your message'))
  })
})

describe('the list of conversations', () => {
  test('each help conversation in the list is a link, and an empty list has only the button to ask a question', async () => {
    const answers: unknown[] = [[threadOf(firstMessage)]]
    serve({ 'GET /help': () => answers.shift() ?? [], 'GET /desk': () => null })
    await showAt('/app/help', Help, '/help')
    const link = await screen.findByRole('link', { name: 'Stuck <b>here</b>' })
    assert.equal(link.getAttribute('href'), '/help/hlp_1')
    await act(() => queryClient.invalidateQueries())
    await waitFor(() => assert.ok(screen.queryByRole('link') === null))
    assert.equal(screen.getAllByRole('button').length, 1)
  })
})

test('an incomplete help question focuses its first empty field', () => {
  serve({})
  show(<HelpDialog onSent={() => {}} onClose={() => {}} />)
  write('What happened?', 'It does not build.')
  press('Send')
  assert.ok(document.activeElement === field('What is it about?'))
  write('What is it about?', 'Stuck')
  write('What happened?', ' ')
  press('Send')
  assert.ok(document.activeElement === field('What happened?'))
})
