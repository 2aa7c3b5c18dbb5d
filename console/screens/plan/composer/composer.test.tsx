import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { openDraft } from '../../../shell/drafts.ts'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { PlanPane } from '../plan-pane.tsx'

const LABEL = 'Message to the Plan agent'
let lastProject = 0

/**
 * Each test has its own project, because `turn-follower.ts` keeps the replies of all projects between tests.
 */
async function renderPlanPane(
  answer: () => unknown = () => new Refusal(403, 'forbidden', 'You may not.'),
  tickets = 0,
  files: object[] = [],
) {
  lastProject += 1
  const id = `prj_composer_${lastProject}`
  if (files.length > 0) openDraft('plan-files', id).store(JSON.stringify(files))
  const stream = `POST /projects/${id}/plan/stream`
  const calls = serve({
    [`GET /projects/${id}/plan/messages`]: () => ({ items: [], nextCursor: null, total: 0 }),
    [`GET /projects/${id}/tickets/stats`]: () => ({ total: tickets }),
    'GET /me': () => ({ user: { id: 'usr_1', name: 'Ada' }, role: 'owner', scopes: [], plan: 'free' }),
    [stream]: answer,
  })
  const { unmount } = show(<PlanPane project={{ id, name: 'Plants' } as Project} hasReadme={false} />)
  await screen.findByRole('button', { name: 'Send' })
  return { id, unmount, messages: () => sent(calls, stream) }
}
const pressEnter = (part: object = {}) => fireEvent.keyDown(field(LABEL), { key: 'Enter', ...part })

describe('a message to the AI planning agent', () => {
  test('an empty message to the AI planning agent is not sent, and the button and the hint give the reason', async () => {
    const { messages } = await renderPlanPane()
    press('Send')
    pressEnter()
    await untilSent()
    assert.deepEqual(messages(), [])
    assert.equal(button('Send').getAttribute('aria-description'), 'Write a message first')
    assert.ok(
      screen.getAllByRole('status').some(({ textContent }) => textContent === 'Write a message first'),
    )
  })

  test('Shift+Enter, and Enter in an input method, do not send a message to the AI planning agent', async () => {
    const { messages } = await renderPlanPane()
    write(LABEL, 'A shop')
    pressEnter({ shiftKey: true })
    pressEnter({ isComposing: true })
    // In Safari the Enter that ends a composition follows `compositionend`.
    pressEnter({ keyCode: 229 })
    await untilSent()
    assert.deepEqual(messages(), [])
  })

  test('a refused message to the AI planning agent stays in the field and is stored as a draft', async () => {
    const { id, unmount } = await renderPlanPane(() => new Refusal(403, 'forbidden', 'You may not.'))
    write(LABEL, ' A shop ')
    pressEnter()
    await assertAlert(/The message was not sent.*You may not.*req_test/)
    assert.equal(field(LABEL).value, ' A shop ')
    unmount()
    assert.equal(openDraft('plan', id).read(), ' A shop ')
  })

  test('a message to the AI planning agent that is too long stays in the field unsent, and its length is shown', async () => {
    const { messages } = await renderPlanPane()
    write(LABEL, 'x'.repeat(32_001))
    pressEnter()
    assert.ok(isShown(/has at most 32,000 characters; this one has 32,001/))
    assert.equal(field(LABEL).value.length, 32_001)
    await untilSent()
    assert.deepEqual(messages(), [])
  })

  test('without a connected model, a message to the AI planning agent stays in the field, and a button to connect one is shown', async () => {
    await renderPlanPane(() => new Refusal(409, 'model_required', 'No model.'))
    write(LABEL, 'A shop')
    pressEnter()
    await assertAlert(/No model is connected/)
    assert.ok(isThere('button', 'Connect a model'))
    assert.equal(field(LABEL).value, 'A shop')
  })

  test('a message refused because the AI planning agent is replying to another member can be sent again with one press', async () => {
    const answers = [new Refusal(409, 'conflict', 'Busy.'), new Refusal(403, 'forbidden', 'You may not.')]
    const { messages } = await renderPlanPane(() => answers.shift())
    write(LABEL, 'A shop')
    pressEnter()
    await assertAlert(/The Plan agent is free again|replying to another member/)
    fireEvent.click(await screen.findByRole('button', { name: 'Send now' }))
    await screen.findByText('You may not.')
    assert.deepEqual(messages(), [{ text: 'A shop' }, { text: 'A shop' }])
  })

  test('pressing Enter twice sends a message to the AI planning agent once', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { messages } = await renderPlanPane(() => promise)
    write(LABEL, 'A shop')
    pressEnter()
    await waitFor(() => assert.equal(messages()?.length, 1))
    pressEnter()
    resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await assertAlert(/You may not/)
    assert.equal(messages()?.length, 1)
  })

  test('a file of a plan message cannot be removed while the message is being sent, but can after the message was refused', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const picture = { key: '_prompt/a', mediaType: 'image/png', name: 'a.png', size: 10 }
    const { messages } = await renderPlanPane(() => promise, 0, [picture])
    write(LABEL, 'A shop')
    assert.equal(isThere('button', 'Remove a.png'), true)
    pressEnter()
    await waitFor(() => assert.equal(messages()?.length, 1))
    assert.equal(isThere('button', 'Remove a.png'), false)
    resolve(new Refusal(403, 'forbidden', 'You may not.'))
    await assertAlert(/You may not/)
    assert.equal(isThere('button', 'Remove a.png'), true)
  })

  test('a text file cannot be attached to a message to the AI planning agent, and the error names the file', async () => {
    await renderPlanPane()
    const files = [new File(['x'], 'notes.txt', { type: 'text/plain' })]
    const picker = screen.getByLabelText('Attach images or PDFs', { selector: 'input' })
    fireEvent.change(picker, { target: { files } })
    await assertAlert(/notes\.txt:/)
  })

  test("when the plan agent's reply ends and its stop button disappears, the focus moves to the message field", async () => {
    let writer: ReadableStreamDefaultController<Uint8Array> | undefined
    const body = new ReadableStream<Uint8Array>({ start: (made) => void (writer = made) })
    const { messages } = await renderPlanPane(
      () => new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
    )
    write(LABEL, 'A shop')
    pressEnter()
    await waitFor(() => assert.equal(messages()?.length, 1))
    ;(await screen.findByRole('button', { name: 'Stop' })).focus()
    writer?.enqueue(new TextEncoder().encode('data: {"type":"done"}\n\n'))
    writer?.close()
    await waitFor(() => assert.ok(!isThere('button', 'Stop')))
    assert.ok(document.activeElement === field(LABEL))
  })

  test('choosing an example message to the AI planning agent fills and focuses the field, but sends nothing', async () => {
    const { messages } = await renderPlanPane()
    fireEvent.click(await screen.findByRole('button', { name: /^Keep track of the books/ }))
    assert.match(field(LABEL).value, /^Keep track of the books/)
    assert.ok(document.activeElement === field(LABEL))
    await untilSent()
    assert.deepEqual(messages(), [])
  })

  test('the plan pane of a project that already has tickets asks what comes next', async () => {
    await renderPlanPane(undefined, 3)
    assert.ok(await screen.findByRole('heading', { name: 'What comes next?' }))
    assert.ok(isThere('button', 'Which open tickets belong together?'))
  })
})
