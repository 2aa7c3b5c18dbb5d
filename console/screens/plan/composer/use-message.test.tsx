import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { act, waitFor } from '@testing-library/react'
import { openDraft } from '../../../shell/drafts.ts'
import { field, press, Refusal, sent, serve, show, untilSent, write } from '../../../testing/console.tsx'
import { useAttachments } from '../attachments/use-attachments.ts'
import { type Message, useMessage } from './use-message.ts'

const LABEL = 'Message'
const STREAM_HEADERS = { 'content-type': 'text/event-stream' }
const PICTURE = { key: '_prompt/a', mediaType: 'image/png', name: 'a.png', size: 10 }
const DOCUMENT = { key: '_prompt/b', mediaType: 'application/pdf', name: 'b.pdf', size: 20 }
let lastProject = 0

/**
 * Prepares a message field that starts with this stored draft and these stored files. Each call has its own project, because replies and
 * files are kept outside of the components.
 */
function openMessage(answer: () => unknown, { draft = '', files = [] as unknown[] } = {}) {
  const projectId = `prj_message_${++lastProject}`
  const stream = `POST /projects/${projectId}/plan/stream`
  if (draft !== '') openDraft('plan', projectId).store(draft)
  if (files.length > 0) openDraft('plan-files', projectId).store(JSON.stringify(files))
  const calls = serve({
    [`GET /projects/${projectId}/plan/messages`]: () => ({ items: [], nextCursor: null, total: 0 }),
    [stream]: answer,
  })
  let current: Message
  function Host() {
    const message = useMessage(projectId)
    current = message
    return (
      <>
        <label>
          {LABEL}
          <textarea value={message.text} onChange={(event) => message.write(event.target.value)} />
        </label>
        <button onClick={message.send}>Send</button>
        <p>
          {useAttachments(projectId)
            .kept.map(({ name }) => name)
            .join()}
        </p>
      </>
    )
  }
  return {
    projectId,
    open: () => show(<Host />),
    message: () => current,
    orders: () => sent(calls, stream),
    stored: () => [openDraft('plan', projectId).read(), openDraft('plan-files', projectId).read()],
  }
}

const accepted = () => new Response(new ReadableStream(), { headers: STREAM_HEADERS })

describe('the message that is being written to the plan agent', () => {
  test('an accepted plan message leaves the field together with its files, and text typed during the request stays', async () => {
    const answer = Promise.withResolvers<Response>()
    const { open, orders, stored, message } = openMessage(() => answer.promise, {
      draft: ' A shop ',
      files: [PICTURE],
    })
    open()
    press('Send')
    await waitFor(() => assert.equal(orders()?.length, 1))
    write(LABEL, 'And a bakery')
    await act(async () => answer.resolve(accepted()))
    await waitFor(() => assert.deepEqual(message().attachments.kept, []))
    assert.deepEqual(orders(), [{ text: 'A shop', attachments: ['_prompt/a'] }])
    assert.equal(field(LABEL).value, 'And a bakery')
    assert.deepEqual(stored(), ['And a bakery', ''])
  })

  test('a plan message that is accepted after its field was unmounted and mounted again is removed from the field', async () => {
    const answer = Promise.withResolvers<Response>()
    const { open, orders, stored } = openMessage(() => answer.promise)
    const { unmount } = open()
    write(LABEL, 'A shop')
    press('Send')
    await waitFor(() => assert.equal(orders()?.length, 1))
    unmount()
    open()
    assert.equal(field(LABEL).value, 'A shop')
    await act(async () => answer.resolve(accepted()))
    await waitFor(() => assert.equal(field(LABEL).value, ''))
    assert.deepEqual(stored(), ['', ''])
  })

  test('a plan message that is refused after its field was unmounted and mounted again stays in the field', async () => {
    const answer = Promise.withResolvers<Refusal>()
    const { open, orders, stored, message } = openMessage(() => answer.promise)
    const { unmount } = open()
    write(LABEL, 'A shop')
    press('Send')
    await waitFor(() => assert.equal(orders()?.length, 1))
    unmount()
    open()
    await act(async () => answer.resolve(new Refusal(403, 'forbidden', 'You may not.')))
    await untilSent()
    assert.equal(field(LABEL).value, 'A shop')
    assert.equal(message().reason, null)
    assert.deepEqual(stored(), ['A shop', ''])
  })

  test('when the model cannot read an attached file, the file is named, and the message can be sent without it', async () => {
    const refusals: unknown[] = [
      new Refusal(422, 'attachments_unsupported', 'This model reads no PDFs.'),
      new Refusal(403, 'forbidden', 'You may not.'),
    ]
    const { open, orders, message } = openMessage(() => refusals.shift(), {
      draft: 'A shop',
      files: [PICTURE, DOCUMENT],
    })
    open()
    press('Send')
    await waitFor(() => assert.deepEqual(message().unreadable, ['_prompt/b']))
    act(() => message().sendWithout())
    await waitFor(() => assert.equal(orders()?.length, 2))
    assert.deepEqual(orders(), [
      { text: 'A shop', attachments: ['_prompt/a', '_prompt/b'] },
      { text: 'A shop', attachments: ['_prompt/a'] },
    ])
    await waitFor(() => assert.deepEqual(message().unreadable, []))
  })

  test('a plan message may have 32,000 characters without surrounding spaces, and the error of a longer one states its length', () => {
    const { open, message } = openMessage(accepted)
    open()
    write(LABEL, ` ${'x'.repeat(32_000)} `)
    assert.equal(message().reason, null)
    write(LABEL, 'x'.repeat(32_001))
    assert.equal(message().reason, 'A message has at most 32,000 characters; this one has 32,001')
    write(LABEL, ' \n ')
    assert.equal(message().reason, 'Write a message first')
  })

  test('attached files in a stored draft that lack a valid property are ignored', () => {
    const files = [
      PICTURE,
      { ...PICTURE, key: 1 },
      { ...PICTURE, size: '10' },
      null,
      'x',
      { ...DOCUMENT, name: undefined },
    ]
    const { open, message } = openMessage(accepted, { files })
    open()
    assert.deepEqual(message().attachments.kept, [PICTURE])
  })
})
