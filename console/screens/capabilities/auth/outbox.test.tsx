import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import {
  assertAlert,
  button,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
} from '../../../testing/console.tsx'
import { serveHeld } from '../../../testing/held.ts'
import { Outbox } from './outbox.tsx'
import { usersText } from './text.en.ts'

const READ_OUTBOX = 'GET /projects/prj_1/capabilities/auth/outbox'
const mailOf = (id: string, text: string) => ({
  id,
  to: 'grace@example.test',
  text,
  createdAt: '2026-01-01T00:00:00Z',
})

function renderOutbox(...answers: unknown[]) {
  const calls = serve({ [READ_OUTBOX]: () => answers.shift() })
  show(<Outbox projectId="prj_1" />)
  return () => calls[READ_OUTBOX]?.length
}
const read = () => press(usersText.showOutbox)

describe('the codes and links of an app that cannot send mail yet', () => {
  test("the sign-in codes in an app's outbox are read only when the operator asks, because each read is logged", async () => {
    const reads = renderOutbox([mailOf('m1', 'Your code is 123456.')])
    await untilSent()
    assert.equal(reads(), 0)
    read()
    await screen.findByText('Your code is 123456.')
    assert.ok(isShown(/^grace@example\.test/))
    assert.equal(reads(), 1)
  })

  test("screen readers announce that an app's outbox is empty, and only after it was read", async () => {
    renderOutbox([])
    assert.ok(!isShown(usersText.outboxEmpty))
    read()
    await waitFor(() => assert.equal(screen.getByRole('status').textContent, usersText.outboxEmpty))
  })

  test("a second read of an app's outbox replaces the earlier codes, and a failed read hides them and shows the request id", async () => {
    renderOutbox([mailOf('m1', 'one')], [mailOf('m2', 'two')], new Refusal(403, 'forbidden', 'You may not.'))
    for (const text of ['one', 'two']) {
      read()
      await screen.findByText(text)
    }
    assert.ok(!isShown('one'))
    read()
    await assertAlert(/You may not.*req_test/)
    assert.ok(!isShown('two'))
  })

  test("pressing the button of an app's outbox twice reads the codes once, and the button keeps the focus", async () => {
    const { isAsked, sent, respond } = serveHeld(READ_OUTBOX, [])
    show(<Outbox projectId="prj_1" />)
    button(usersText.showOutbox).focus()
    read()
    await isAsked()
    press(new RegExp(usersText.showOutbox))
    await respond()
    assert.equal(sent()?.length, 1)
    assert.ok(document.activeElement === button(usersText.showOutbox))
  })

  test("mail text in an app's outbox that looks like HTML is shown unchanged, with its line breaks", async () => {
    const text = 'Open <a href="https://evil.test">this</a>\nor not.'
    renderOutbox([mailOf('m1', text)])
    read()
    await waitFor(() => assert.ok(isThere('listitem')))
    assert.equal(screen.getByRole('listitem').lastElementChild?.textContent, text)
    assert.ok(!isThere('link'))
  })

  test("codes from an app's outbox are not cached, where another page could show them without a logged read", async () => {
    renderOutbox([mailOf('m1', 'Your code is 123456.')])
    read()
    await screen.findByText('Your code is 123456.')
    const cached = queryClient.getQueryCache().getAll()
    assert.doesNotMatch(JSON.stringify(cached.map(({ state }) => state.data ?? null)), /123456/)
  })
})
