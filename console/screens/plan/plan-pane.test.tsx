import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { notify } from '../../shell/toasts/toasts.ts'
import { planText } from '../../text/plan.en.ts'
import {
  assertAlert,
  field,
  findMessage,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  write,
} from '../../testing/console.tsx'
import { PlanPane } from './plan-pane.tsx'

const SEND_MESSAGE = 'POST /projects/prj_1/plan/stream'
const PROJECT = { id: 'prj_1', name: 'Plants' } as Project

describe('a message to the plan agent that was refused', () => {
  test('“Try again” sends the current text to the AI planning agent and is hidden while the field is empty', async () => {
    const calls = serve({
      'GET /projects/prj_1/plan/messages': () => ({ items: [], nextCursor: null, total: 0 }),
      [SEND_MESSAGE]: () => new Refusal(503, 'unavailable', 'The service is busy.'),
    })
    show(<PlanPane project={PROJECT} hasReadme={false} />)
    await screen.findByRole('button', { name: 'Send' })
    write(/Message to/, 'A shop')
    press('Send')
    await assertAlert(/busy/)
    screen.getByRole('button', { name: 'Try again' })
    write(/Message to/, ' ')
    assert.ok(!isShown('Try again'))
    write(/Message to/, 'A bakery')
    press('Try again')
    await waitFor(() => assert.equal(calls[SEND_MESSAGE]?.length, 2))
    await assertAlert(/busy/)
    assert.deepEqual(
      calls[SEND_MESSAGE]?.map(({ body }) => body),
      [{ text: 'A shop' }, { text: 'A bakery' }],
    )
  })

  test('after a retry of a plan message whose attachments the model cannot read, an alert offers only to connect another model', async () => {
    const stream = 'POST /projects/prj_2/plan/stream'
    const at = { attachments: [], tickets: [], error: null, createdAt: '2026-06-01T12:00:00.000Z' }
    const error = { kind: 'model_error', message: 'The key is wrong.' }
    const items = [
      { ...at, id: 'msg_2', role: 'agent', status: 'failed', text: '', error },
      { ...at, id: 'msg_1', role: 'user', status: 'complete', text: 'Like this' },
    ]
    const calls = serve({
      'GET /projects/prj_2/plan/messages': () => ({ items, nextCursor: null, total: 2 }),
      [stream]: () => new Refusal(412, 'attachments_unsupported', 'The model small cannot read images.'),
    })
    show(<PlanPane project={{ ...PROJECT, id: 'prj_2' }} hasReadme={false} />)
    await screen.findByText('Like this')
    press('Try again')
    await assertAlert(/cannot read images\. Connect a model that reads them\./)
    assert.ok(isShown('Connect a model'))
    assert.ok(!isShown('Send without them'))
    assert.deepEqual(
      calls[stream]?.map(({ body }) => body),
      [{ retry: true }],
    )
  })
})

describe('an example for the first message to the plan agent', () => {
  const LABEL = /Message to/
  const [books = '', shop = ''] = planText.empty.examples
  let lastProject = 0

  /** Each test has its own project, because the text is kept in the browser. */
  async function openStart() {
    const id = `prj_example_${++lastProject}`
    serve({
      [`GET /projects/${id}/plan/messages`]: () => ({ items: [], nextCursor: null, total: 0 }),
      [`GET /projects/${id}/tickets/stats`]: () => ({ total: 0 }),
      'GET /connections/models': () => [{ id: 'mdl_1', provider: 'scaffold', isDefault: true }],
    })
    show(<PlanPane project={{ ...PROJECT, id }} hasReadme={false} />)
    await screen.findByRole('heading', { name: 'Plan it first' })
  }
  const choose = (example: string) =>
    fireEvent.click(screen.getByText((_, one) => one?.textContent === example && one.tagName === 'BUTTON'))

  test('an example plan message that replaces typed text can be undone', async () => {
    await openStart()
    write(LABEL, 'My own shop')
    choose(books)
    assert.equal(field(LABEL).value, books)
    await findMessage('Unsent text discarded')
    press('Undo')
    assert.equal(field(LABEL).value, 'My own shop')
  })

  test('undoing an example plan message keeps the text that was typed after it', async () => {
    await openStart()
    write(LABEL, 'My own shop')
    choose(books)
    await findMessage('Unsent text discarded')
    write(LABEL, `${books}, and games`)
    press('Undo')
    assert.equal(field(LABEL).value, `${books}, and games`)
  })

  test('an example plan message replaces another example or an empty field without offering to undo', async () => {
    await openStart()
    write(LABEL, '  ')
    choose(books)
    choose(shop)
    assert.equal(field(LABEL).value, shop)
    assert.ok(document.activeElement === field(LABEL))
    // The messages are on the page only once one was looked for.
    notify('Another message')
    await findMessage('Another message')
    assert.ok(!isShown('Unsent text discarded'))
  })

  test('while the built-in program replies in the plan pane, the pane says that it is not a model and offers to connect one', async () => {
    await openStart()
    assert.ok(await screen.findByText(/The built-in program replies here/))
    assert.ok(isThere('button', 'Connect a model'))
  })
})
