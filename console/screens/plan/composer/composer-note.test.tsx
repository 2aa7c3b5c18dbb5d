import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { screen, waitFor } from '@testing-library/react'
import { meQuery } from '../../../api/account/session.ts'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { ComposerNote } from './composer-note.tsx'

const CREATE_MODEL = 'POST /connections/models'
const refusal = (code: string, message = 'The reason.', status = 409) =>
  new SlipwayError(message, { code, status, requestId: 'req_test' })

interface NoteOptions {
  isRetry?: boolean
  isBusy?: boolean
  canSend?: boolean
}

/** Shows the note of a refused message. Returns what its buttons did. */
function showNote(error: unknown, { isRetry = false, isBusy = false, canSend = true }: NoteOptions = {}) {
  const did: string[] = []
  const calls = serve({
    'GET /me': () => queryClient.getQueryData(meQuery().queryKey),
    'GET /connections/models': () => [],
    [CREATE_MODEL]: () => ({ id: 'mdl_1', provider: 'anthropic', label: 'Claude' }),
  })
  show(
    <ComposerNote
      error={error}
      isRetry={isRetry}
      isBusy={isBusy}
      onAgain={canSend ? () => did.push('again') : null}
      onWithout={() => did.push('without')}
    />,
  )
  return { did, calls }
}
const buttons = () => screen.queryAllByRole('button').map(({ textContent }) => textContent)

/** Connects a model in the dialog that the note opens. */
async function connectModel({ calls }: ReturnType<typeof showNote>) {
  press('Connect a model')
  await screen.findByRole('dialog')
  press('Set it up by hand')
  write('Name', 'Claude')
  write('API key', 'sk-123')
  press('Connect model')
  await waitFor(() => assert.equal(calls[CREATE_MODEL]?.length, 1))
  await waitFor(() => assert.ok(!isThere('dialog')))
  await untilSent()
}

describe('the note about a message that was not sent to the plan agent', () => {
  test('a message that the service refused shows the reason with its code and the request id, and can be sent again', async () => {
    const note = showNote(refusal('rate_limited', 'Too many messages in this minute.', 429))
    await assertAlert(/The message was not sent.*Too many messages in this minute.*rate_limited.*req_test/)
    press('Try again')
    assert.deepEqual(note.did, ['again'])
  })

  test('a retry of a reply that the service refused is called a reply, not a message', async () => {
    showNote(refusal('forbidden', 'You may not.', 403), { isRetry: true })
    await assertAlert(/The reply was not started/)
    assert.ok(!isShown('The message was not sent'))
  })

  test('a message that cannot be sent now, for example because it was emptied, has no button that sends it', async () => {
    for (const code of ['forbidden', 'conflict', 'attachments_unsupported']) {
      showNote(refusal(code), { canSend: false })
      await screen.findByRole('alert')
      assert.deepEqual(
        buttons().filter((words) => words !== 'Connect a model' && words !== ''),
        [],
        code,
      )
      document.body.replaceChildren()
    }
  })

  test('an error that does not come from the service, such as an error of the browser, is shown, and the message can be sent again', async () => {
    const note = showNote(new TypeError('<b>Failed</b> to fetch'))
    await assertAlert(/The message was not sent/)
    assert.ok(document.querySelector('b') === null)
    press('Try again')
    assert.deepEqual(note.did, ['again'])
  })
})

describe('the note about a message that is refused while the plan agent replies to another member', () => {
  test('while the other reply is being written, the note says that the message is kept, without a button', async () => {
    showNote(refusal('conflict'), { isBusy: true })
    await assertAlert(/replying to another member.*Your message is kept/)
    assert.deepEqual(buttons(), [])
  })

  test('once the other reply is complete, the message can be sent with one press', async () => {
    const note = showNote(refusal('conflict'))
    await assertAlert(/The Plan agent is free again/)
    press('Send now')
    assert.deepEqual(note.did, ['again'])
  })
})

describe('the note about a message for which a model is missing', () => {
  test('a message that was refused for want of a model is sent once a model is connected', async () => {
    const note = showNote(refusal('model_required'))
    await assertAlert(/No model is connected.*is sent once one is connected/)
    assert.ok(!isThere('button', 'Try again'))
    await connectModel(note)
    assert.deepEqual(note.did, ['again'])
  })

  test('connecting a model sends nothing when the message was emptied meanwhile', async () => {
    const note = showNote(refusal('model_required'), { canSend: false })
    await connectModel(note)
    assert.deepEqual(note.did, [])
  })

  test('a member, who may not connect a model, learns that from the disabled button', async () => {
    queryClient.setQueryData(meQuery().queryKey, (me) => me && { ...me, role: 'member' as const })
    showNote(refusal('model_required'))
    press('Connect a model')
    assert.ok(!isThere('dialog'))
    assert.match(button('Connect a model').getAttribute('aria-description') ?? '', /owner|admin/i)
  })
})

describe('the note about a message with a file that the model cannot read', () => {
  const unreadable = refusal('attachments_unsupported', 'The model large cannot read PDFs.', 400)

  test('a message with an unreadable file can be sent without it, or as it is with another model', async () => {
    const note = showNote(unreadable)
    await assertAlert(/This model cannot read an attachment.*The model large cannot read PDFs\. Send without/)
    press('Send without them')
    assert.deepEqual(note.did, ['without'])
    await connectModel(note)
    assert.deepEqual(note.did, ['without', 'again'])
  })

  test('when the model cannot read a file of a failed reply, the retry offers another model, but not sending without the file', async () => {
    const note = showNote(unreadable, { isRetry: true })
    await assertAlert(/cannot read PDFs\. Connect a model that reads them\./)
    assert.ok(!isThere('button', 'Send without them'))
    await connectModel(note)
    assert.deepEqual(note.did, ['again'])
  })
})
