import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  write,
} from '../../../testing/console.tsx'
import { PlanPane } from '../plan-pane.tsx'

const SEND = 'POST /projects/prj_9/plan/stream'
const PROJECT = { id: 'prj_9', name: 'Plants' } as Project
const LABEL = 'Message to the Plan agent'

async function open(answer: () => unknown) {
  const calls = serve({
    'GET /projects/prj_9/plan/messages': () => ({ items: [], nextCursor: null, total: 0 }),
    [SEND]: answer,
  })
  const shown = show(<PlanPane project={PROJECT} hasReadme={false} />)
  await screen.findByRole('button', { name: 'Send' })
  return { ...shown, sent: () => calls[SEND]?.map(({ body }) => body) }
}
const enter = (more = {}) => fireEvent.keyDown(field(LABEL), { key: 'Enter', ...more })

describe('writing to the plan agent', () => {
  test('Enter sends; with Shift, and while an input method composes, it does not', async () => {
    const { sent } = await open(() => new Refusal(503, 'unavailable', 'Busy.'))
    write(LABEL, 'A shop')
    assert.ok(enter({ shiftKey: true }), 'a new line is left to the browser')
    enter({ isComposing: true })
    assert.deepEqual(sent(), [])
    enter()
    await waitFor(() => assert.deepEqual(sent(), [{ text: 'A shop' }]))
    await assertAlert(/Busy/)
  })

  test('an empty message is not sent, and the hint says why until something is typed', async () => {
    const { sent } = await open(() => new Refusal(503, 'unavailable', 'Busy.'))
    write(LABEL, '   ')
    enter()
    assert.ok(screen.getAllByRole('status').some((line) => line.textContent === 'Write a message first'))
    assert.deepEqual(sent(), [])
    write(LABEL, 'A')
    assert.ok(isShown('Enter sends, Shift + Enter makes a new line'))
  })

  test('a message that is too long is kept whole, and says how long it is', async () => {
    const { sent } = await open(() => new Refusal(503, 'unavailable', 'Busy.'))
    write(LABEL, 'x'.repeat(32_001))
    enter()
    assert.ok(isShown(/at most 32,000 characters; this one has 32,001/))
    assert.equal(field(LABEL).value.length, 32_001)
    assert.deepEqual(sent(), [])
  })

  test('a refused message stays in the box, with the request id, and survives leaving the page', async () => {
    const { unmount } = await open(() => new Refusal(400, 'invalid_request', 'The plan is paused.'))
    write(LABEL, 'A bakery')
    press('Send')
    await assertAlert(/The message was not sent.*The plan is paused\..*req_test/)
    assert.equal(field(LABEL).value, 'A bakery')
    unmount()
    show(<PlanPane project={PROJECT} hasReadme={false} />)
    assert.equal(field(LABEL).value, 'A bakery')
  })

  test('without a model it says that the message is kept, and offers to connect one', async () => {
    await open(() => new Refusal(409, 'model_required', 'Connect a model.'))
    write(LABEL, 'A bakery')
    press('Send')
    await assertAlert(/No model is connected.*Your message is kept/)
    assert.ok(button(/Connect/))
    assert.equal(field(LABEL).value, 'A bakery')
  })

  test('while the agent replies to another member, the message waits and can be sent afterwards', async () => {
    const { sent } = await open(() => new Refusal(409, 'conflict', 'A reply is being written.'))
    write(LABEL, 'A bakery')
    press('Send')
    await assertAlert(/The Plan agent is free again/)
    press('Send now')
    await waitFor(() => assert.equal(sent()?.length, 2))
    assert.deepEqual(sent()?.[1], { text: 'A bakery' })
  })
})
