import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, fireEvent, waitFor } from '@testing-library/react'
import { openDraft } from '../../shell/drafts.ts'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { ReplyForm } from './reply-form.tsx'

const SEND = 'POST /help/hlp_1/messages'

function openForm(answer: () => unknown, state: 'open' | 'answered' = 'open') {
  const calls = serve({ [SEND]: answer, 'GET /help': () => ({ items: [], nextCursor: null }) })
  const open = () => show(<ReplyForm thread={{ id: 'hlp_1', state }} />)
  return { calls, open, bodies: () => sent(calls, SEND)?.map((body) => (body as { body: string }).body) }
}
const reply = () => field('Your message')

describe('the form for a reply in a conversation with the operator', () => {
  test('a sent help reply disappears from the form even when the page was left and reopened during the request', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { open, bodies } = openForm(() => promise)
    const first = open()
    write('Your message', 'It works now')
    press('Send')
    await waitFor(() => assert.deepEqual(bodies(), ['It works now']))
    first.unmount()
    open()
    assert.equal(reply().value, 'It works now')
    await act(async () => resolve({ id: 'hlp_1', messages: [] }))
    await waitFor(() => assert.equal(reply().value, ''))
    assert.equal(isShown('Your unsent text is back.'), false)
    assert.equal(openDraft('help-reply', 'hlp_1').read(), '')
  })

  test('text typed into the reopened help page stays once the earlier reply has been sent', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { open, bodies } = openForm(() => promise)
    const first = open()
    write('Your message', 'It works now')
    press('Send')
    await waitFor(() => assert.equal(bodies()?.length, 1))
    first.unmount()
    open()
    write('Your message', 'It works now, and thanks')
    await act(async () => resolve({ id: 'hlp_1', messages: [] }))
    await untilSent()
    assert.equal(reply().value, 'It works now, and thanks')
    assert.equal(openDraft('help-reply', 'hlp_1').read(), 'It works now, and thanks')
  })

  test('two quick clicks send one help reply, and a refused reply stays in the form with the reason and the request id', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { open, bodies } = openForm(() => promise)
    open()
    write('Your message', 'It works now')
    const form = reply().closest('form') ?? document.body
    fireEvent.submit(form)
    fireEvent.submit(form)
    await untilSent()
    fireEvent.submit(form)
    await untilSent()
    assert.equal(bodies()?.length, 1)
    resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await assertAlert(/You may not.*req_test/)
    assert.equal(reply().value, 'It works now')
  })
})
