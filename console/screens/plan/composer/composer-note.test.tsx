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
  test('a plan message that the service refused shows the reason, its code and the request id, and can be sent again', async () => {
    const note = showNote(refusal('rate_limited', 'Too many messages in this minute.', 429))
    await assertAlert(/The message was not sent.*Too many messages in this minute.*rate_limited.*req_test/)
    press('Try again')
    assert.deepEqual(note.did, ['again'])
  })

  test('the note about a refused retry of a plan reply calls it a reply, not a message', async () => {
    showNote(refusal('forbidden', 'You may not.', 403), { isRetry: true })
    await assertAlert(/The reply was not started/)
    assert.ok(!isShown('The message was not sent'))
  })

  test('a plan message that cannot be sent now, for example because it was emptied, has no button that sends it', async () => {
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

  test('an error of the browser while a plan message is sent is shown, and the message can be sent again', async () => {
    const note = showNote(new TypeError('<b>Failed</b> to fetch'))
    await assertAlert(/The message was not sent/)
    assert.ok(document.querySelector('b') === null)
    press('Try again')
    assert.deepEqual(note.did, ['again'])
  })
})

describe('the note about a message that is refused while the plan agent replies to another member', () => {
  test('while the plan agent writes another reply, the note says that the message is kept, and has no button', async () => {
    showNote(refusal('conflict'), { isBusy: true })
    await assertAlert(/replying to another member.*Your message is kept/)
    assert.deepEqual(buttons(), [])
  })

  test('once the plan agent has finished another reply, the kept message can be sent with one press', async () => {
    const note = showNote(refusal('conflict'))
    await assertAlert(/The Plan agent is free again/)
    press('Send now')
    assert.deepEqual(note.did, ['again'])
  })
})

describe('the note about a message for which a model is missing', () => {
  test('a plan message that was refused because no model is connected is sent once one is connected', async () => {
    const note = showNote(refusal('model_required'))
    await assertAlert(/No model is connected.*is sent once one is connected/)
    assert.ok(!isThere('button', 'Try again'))
    await connectModel(note)
    assert.deepEqual(note.did, ['again'])
  })

  test('connecting a model sends no plan message when the field was emptied meanwhile', async () => {
    const note = showNote(refusal('model_required'), { canSend: false })
    await connectModel(note)
    assert.deepEqual(note.did, [])
  })

  test('a member who may not connect a model reads that on the disabled button', async () => {
    queryClient.setQueryData(meQuery().queryKey, (me) => me && { ...me, role: 'member' as const })
    showNote(refusal('model_required'))
    press('Connect a model')
    assert.ok(!isThere('dialog'))
    assert.match(button('Connect a model').getAttribute('aria-description') ?? '', /owner|admin/i)
  })
})

describe('the note about a message with a file that the model cannot read', () => {
  const unreadable = refusal('attachments_unsupported', 'The model large cannot read PDFs.', 400)

  test('a plan message with a file that the model cannot read can be sent without it, or unchanged with another model', async () => {
    const note = showNote(unreadable)
    await assertAlert(/This model cannot read an attachment.*The model large cannot read PDFs\. Send without/)
    press('Send without them')
    assert.deepEqual(note.did, ['without'])
    await connectModel(note)
    assert.deepEqual(note.did, ['without', 'again'])
  })

  test('when a model cannot read a file of a failed reply, the retry offers another model, but no retry without the file', async () => {
    const note = showNote(unreadable, { isRetry: true })
    await assertAlert(/cannot read PDFs\. Connect a model that reads them\./)
    assert.ok(!isThere('button', 'Send without them'))
    await connectModel(note)
    assert.deepEqual(note.did, ['again'])
  })
})
