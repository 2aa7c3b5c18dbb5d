import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Question } from '@slipway/sdk/frames.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { openDraft } from '../../../shell/drafts.ts'
import { isShown, press, Refusal, serve, show, write } from '../../../testing/console.tsx'
import { askForAnswer } from './answer-request.ts'
import { Questions } from './questions.tsx'

const colour: Question = {
  id: 'q1',
  question: 'Which colour?',
  options: ['Blue', 'Green'],
  default: 'Blue',
  multiple: false,
}
const days: Question = {
  ...colour,
  id: 'q2',
  question: 'Which days?',
  options: ['Mon', 'Tue'],
  default: 'Mon',
  multiple: true,
}

/**
 * Each test has its own ticket, because `build-follower.ts` keeps the builds of all tickets between tests.
 */
function renderQuestions(
  ticketId: string,
  questions = [colour, days],
  answer: () => unknown = () => new Refusal(409, 'conflict', 'Later.'),
) {
  const stream = `POST /projects/prj_1/tickets/${ticketId}/build/stream`
  const build = { state: 'awaiting', runId: 'run_1' }
  const calls = serve({
    [`GET /projects/prj_1/tickets/${ticketId}`]: () => ({ id: ticketId, build }),
    [stream]: answer,
  })
  const part = (
    <Questions projectId="prj_1" ticketId={ticketId} run={`run_${ticketId}`} questions={questions} />
  )
  const { unmount } = show(part)
  return {
    unmount,
    sent: () => calls[stream]?.map(({ body }) => (body as { answers: object[] }).answers),
  }
}
/** Matches the start of the label, because the label of the default option ends with a mark. */
const optionField = (name: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${name}`))

describe('the questions of a build', () => {
  test("submitting a build's questions unchanged sends the default answers", async () => {
    const { sent } = renderQuestions('tkt_default')
    assert.ok(screen.getByRole('group', { name: /Which colour/ }))
    assert.deepEqual([optionField('Blue').checked, optionField('Mon').checked], [true, true])
    press('Send and build')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const answers = [
      { id: 'q1', value: 'Blue' },
      { id: 'q2', value: ['Mon'] },
    ]
    assert.deepEqual(sent()?.[0], answers)
  })

  test("the form of a build's questions sends the chosen options, several for a multiple-choice question", async () => {
    const { sent } = renderQuestions('tkt_chosen')
    fireEvent.click(optionField('Green'))
    fireEvent.click(optionField('Tue'))
    press('Send and build')
    await waitFor(() => assert.equal(sent()?.length, 1))
    const answers = [
      { id: 'q1', value: 'Green' },
      { id: 'q2', value: ['Mon', 'Tue'] },
    ]
    assert.deepEqual(sent()?.[0], answers)
  })

  test("the form of a build's questions sends a typed answer instead of an option", async () => {
    const { sent } = renderQuestions('tkt_own', [colour])
    fireEvent.click(optionField('Something else'))
    write('Your own answer to “Which colour?”', ' Red ')
    press('Send and build')
    await waitFor(() => assert.equal(sent()?.length, 1))
    assert.deepEqual(sent()?.[0], [{ id: 'q1', value: 'Red' }])
  })

  test('unsent answers to the questions of a build are restored when the form is shown again', () => {
    const { unmount } = renderQuestions('tkt_kept')
    fireEvent.click(optionField('Green'))
    unmount()
    renderQuestions('tkt_kept')
    assert.deepEqual([optionField('Green').checked, optionField('Blue').checked], [true, false])
    assert.ok(isShown('Your answers are kept on this device until you send them.'))
  })

  test('the draft of answers to a build is removed when the build starts with them, and stays when the build is refused', async () => {
    const frame = { run: 'run_next', seq: 1, type: 'run', ticketId: 'tkt_sent', projectId: 'prj_1' }
    const started = () =>
      new Response(`data: ${JSON.stringify(frame)}\n\n`, { headers: { 'Content-Type': 'text/event-stream' } })
    for (const [ticketId, answer] of [
      ['tkt_refused', undefined],
      ['tkt_sent', started],
    ] as const) {
      const { sent, unmount } = renderQuestions(ticketId, [colour], answer)
      fireEvent.click(optionField('Green'))
      press('Send and build')
      await waitFor(() => assert.equal(sent()?.length, 1))
      if (answer === undefined) assert.notEqual(openDraft('answers', `run_${ticketId}`).read(), '')
      else await waitFor(() => assert.equal(openDraft('answers', `run_${ticketId}`).read(), ''))
      unmount()
    }
  })

  test('a stored draft of answers to a build in an invalid format is ignored, and each question shows its default', () => {
    openDraft('answers', 'run_tkt_broken').store('{"q1":{"options":"Green"}}')
    renderQuestions('tkt_broken')
    assert.equal(optionField('Blue').checked, true)
  })

  test('the command to answer a build focuses the first question without a chosen answer', () => {
    renderQuestions('tkt_focus')
    askForAnswer()
    assert.ok(document.activeElement === optionField('Blue'))
    fireEvent.click(optionField('Green'))
    askForAnswer()
    assert.ok(document.activeElement === optionField('Mon'))
  })

  test('the command to answer a build focuses the questions even when they appear only after the command', () => {
    askForAnswer()
    renderQuestions('tkt_early')
    assert.ok(document.activeElement === optionField('Blue'))
  })
})
