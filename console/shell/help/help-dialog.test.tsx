import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { useQuery } from '@tanstack/react-query'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { SlipwayError } from '@slipway/sdk/errors.ts'
import { helpQuery } from '../../api/organization/help.ts'
import { recordFailure } from '../../api/request/failure-ring.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { HelpDialog } from './help-dialog.tsx'
import { ReplyForm } from '../../screens/help/reply-form.tsx'

const ASK_FOR_HELP = 'POST /help'
const UPLOAD_PICTURE = 'POST /help/attachments'
const THREAD = {
  id: 'hlp_1',
  subject: 'Stuck',
  state: 'answered' as const,
  projectId: null,
  projectName: null,
  plan: 'free',
  createdAt: '2026-06-01T12:00:00.000Z',
  lastActiveAt: '2026-06-01T12:00:00.000Z',
  messages: [],
}

function renderHelpDialog(answers: Record<string, () => unknown> = {}) {
  const sent: string[] = []
  const calls = serve({ [ASK_FOR_HELP]: () => THREAD, ...answers })
  show(<HelpDialog onSent={(id) => sent.push(id)} onClose={() => {}} />)
  return { calls, sent }
}
const chooseScreenshot = (file: File) =>
  fireEvent.change(field('Add a screenshot'), { target: { files: [file] } })
const fillForm = () => {
  write('What is it about?', 'Stuck')
  write('What happened?', 'It does not build.')
}

const ThreadSubjects = () => useQuery(helpQuery()).data?.map(({ id, subject }) => <p key={id}>{subject}</p>)

describe('the draft of a help message', () => {
  test('an unsent help question is restored to its fields after a reload', async () => {
    renderHelpDialog()
    fillForm()
    cleanup()
    const { sent } = renderHelpDialog()
    assert.equal(field('What is it about?').value, 'Stuck')
    assert.equal(field('What happened?').value, 'It does not build.')
    press('Send')
    await waitFor(() => assert.deepEqual(sent, ['hlp_1']))
    cleanup()
    renderHelpDialog()
    assert.equal(field('What happened?').value, '')
  })

  test('“Cancel” discards the draft of a help question', () => {
    renderHelpDialog()
    fillForm()
    press('Cancel')
    cleanup()
    renderHelpDialog()
    assert.equal(field('What happened?').value, '')
  })

  test('an unsent help reply is restored only in its own conversation', () => {
    show(<ReplyForm thread={THREAD} />)
    write('Your message', 'Still stuck.')
    cleanup()
    const { rerender } = show(<ReplyForm thread={THREAD} />)
    assert.equal(field('Your message').value, 'Still stuck.')
    rerender(<ReplyForm thread={{ ...THREAD, id: 'hlp_2' }} />)
    assert.equal(field('Your message').value, '')
  })
})

describe('the question to the operator', () => {
  test('the help dialog shows the failed API requests of the page and sends them with the question', async () => {
    recordFailure(
      new SlipwayError('no', { code: 'conflict', status: 409, method: 'POST', path: '/api/v1/projects' }),
    )
    const { calls, sent } = renderHelpDialog()
    assert.ok(isShown(/POST \/api\/v1\/projects: 409 conflict/))
    fillForm()
    press('Send')
    await waitFor(() => assert.deepEqual(sent, ['hlp_1']))
    const body = calls[ASK_FOR_HELP]?.[0]?.body as { subject: string; console: Record<string, unknown> }
    assert.equal(body.subject, 'Stuck')
    assert.deepEqual(Object.keys(body.console), [
      'route',
      'ticket',
      'build',
      'viewport',
      'timeZone',
      'locale',
      'failures',
    ])
  })

  test('a new help question appears in the list even if the list was loading when the question was sent', async () => {
    const reads: ((threads: object[]) => void)[] = []
    const list = () => new Promise((resolve) => void reads.push(resolve))
    serve({ [ASK_FOR_HELP]: () => THREAD, 'GET /help': list })
    show(
      <>
        <ThreadSubjects />
        <HelpDialog onSent={() => {}} onClose={() => {}} />
      </>,
    )
    await waitFor(() => assert.equal(reads.length, 1))
    fillForm()
    press('Send')
    await waitFor(() => assert.equal(reads.length, 2))
    reads[0]?.([])
    reads[1]?.([THREAD])
    await waitFor(() => assert.ok(isShown('Stuck')))
  })

  test('a help question is sent without page data when the checkbox for page data is cleared', async () => {
    const { calls, sent } = renderHelpDialog()
    fillForm()
    fireEvent.click(screen.getByRole('checkbox'))
    assert.ok(!isShown('What is sent'))
    press('Send')
    await waitFor(() => assert.equal(sent.length, 1))
    assert.deepEqual(calls[ASK_FOR_HELP]?.[0]?.body, {
      subject: 'Stuck',
      body: 'It does not build.',
      attachments: [],
    })
  })

  test('an empty help question is not sent, and each empty field shows an error', async () => {
    const { calls } = renderHelpDialog()
    press('Send')
    assert.ok(isShown('Enter a subject.'))
    assert.ok(isShown('Write what happened.'))
    await untilSent()
    assert.deepEqual(calls[ASK_FOR_HELP], [])
  })

  test('a refused help question keeps its text in the dialog', async () => {
    renderHelpDialog({ [ASK_FOR_HELP]: () => new Refusal(429, 'rate_limited', 'Too many.') })
    fillForm()
    press('Send')
    await assertAlert(/Not sent/)
    assert.equal(field('What is it about?').value, 'Stuck')
  })

  test('a file that is not an image is refused before the upload to a help question', async () => {
    const { calls } = renderHelpDialog({ [UPLOAD_PICTURE]: () => new Refusal(400, 'invalid_request', 'no') })
    chooseScreenshot(new File(['x'], 'notes.pdf', { type: 'application/pdf' }))
    await assertAlert(/notes.pdf is not a PNG/)
    await untilSent()
    assert.deepEqual(calls[UPLOAD_PICTURE], [])
  })

  test('the reply form of an answered help conversation says that sending a message reopens the conversation', async () => {
    const calls = serve({ 'POST /help/hlp_1/messages': () => THREAD, 'GET /help': () => [] })
    show(<ReplyForm thread={THREAD} />)
    assert.ok(isShown('Sending a message opens the conversation again.'))
    write('Your message', 'Still stuck.')
    press('Send')
    await waitFor(() => assert.equal(calls['POST /help/hlp_1/messages']?.length, 1))
    assert.ok(button('Send'))
  })
})
