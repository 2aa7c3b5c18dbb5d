import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EmailStatus } from '@slipway/sdk/client/types.gen.ts'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { inDialog, pressInDialog } from '../../../testing/dialog.ts'
import { Mailboxes } from './mailboxes.tsx'

const READ_EMAIL = 'GET /projects/prj_1/email/status'
const REPLACE_MAILBOXES = 'PUT /projects/prj_1/email/mailboxes'
const HELLO = { localPart: 'hello', address: 'hello@shop.example', collection: 'letters', notify: true }

function renderMailboxes(status: object, answer: () => unknown = () => []) {
  const whole = {
    sending: { domain: 'shop.example' },
    mailboxes: [HELLO],
    routing: 'ready',
    collections: ['letters', 'orders'],
    ...status,
  } as unknown as EmailStatus
  const stored = structuredClone(whole)
  const calls = serve({ [READ_EMAIL]: () => stored, [REPLACE_MAILBOXES]: answer })
  const { rerender } = show(<Mailboxes projectId="prj_1" status={whole} />)
  return Object.assign(() => calls[REPLACE_MAILBOXES]?.map(({ body }) => body), {
    /** The mailboxes as the service has them, which another member may have changed since the page was read. */
    stored: stored.mailboxes,
    refetched: (mailboxes: object[], collections = whole.collections) =>
      rerender(<Mailboxes projectId="prj_1" status={{ ...whole, mailboxes, collections } as EmailStatus} />),
  })
}

describe('the mailboxes of an app', () => {
  test('each mailbox of an app links to the records of its collection', () => {
    renderMailboxes({})
    assert.ok(isShown('hello@shop.example'))
    assert.match(screen.getByRole('link', { name: 'letters' }).getAttribute('href') ?? '', /letters/)
    assert.ok(isShown('Mail arrives.'))
  })

  test('an app without a mail domain has no mailbox form and asks for a domain first', () => {
    renderMailboxes({ mailboxes: [], sending: { domain: null }, routing: 'none' })
    assert.ok(isShown('No mailbox yet'))
    assert.ok(isShown('Set up a domain first.'))
    assert.ok(screen.queryByRole('form') === null)
  })

  test('when mail to the mailboxes does not arrive, the mail page gives the advice to check the MX records', () => {
    renderMailboxes({ routing: 'misconfigured' })
    assert.match(screen.getByRole('status').textContent ?? '', /Mail does not arrive.*Check the MX records/)
  })

  test('a refused mailbox keeps the typed address and shows the reason', async () => {
    const sent = renderMailboxes({}, () => new Refusal(400, 'invalid_request', 'localPart: is taken'))
    write('Address', ' office ')
    write('Becomes a record of', 'orders')
    press('Add')
    await assertAlert(/taken/)
    assert.equal(field('Address').value, ' office ')
    const { address: _, ...hello } = HELLO
    assert.deepEqual(sent()?.[0], {
      mailboxes: [hello, { localPart: 'office', collection: 'orders', notify: false }],
    })
  })

  test('a typed mailbox address is kept when another member adds or removes a mailbox', () => {
    const { refetched } = renderMailboxes({})
    write('Address', 'office')
    refetched([])
    assert.equal(field('Address').value, 'office')
  })

  test('when a new version of the app lacks the chosen collection, the form of a new mailbox selects and sends another one', async () => {
    const sent = renderMailboxes({ mailboxes: [] })
    write('Address', 'office')
    write('Becomes a record of', 'orders')
    sent.refetched([], ['letters'])
    assert.equal(field('Becomes a record of').value, 'letters')
    press('Add')
    await waitFor(() =>
      assert.deepEqual(sent(), [
        { mailboxes: [{ localPart: 'office', collection: 'letters', notify: false }] },
      ]),
    )
  })

  test('adding a mailbox keeps a mailbox that another member added after the page was read', async () => {
    const sent = renderMailboxes({ mailboxes: [] })
    sent.stored.push(HELLO)
    write('Address', 'office')
    press('Add')
    const mailboxes = [
      { localPart: 'hello', collection: 'letters', notify: true },
      { localPart: 'office', collection: 'letters', notify: false },
    ]
    await waitFor(() => assert.deepEqual(sent(), [{ mailboxes }]))
  })

  test('removing a mailbox keeps a mailbox that another member added after the page was read', async () => {
    const sent = renderMailboxes({})
    sent.stored.push({ ...HELLO, localPart: 'office', address: 'office@shop.example', notify: false })
    press('Remove the mailbox hello@shop.example')
    pressInDialog('Remove')
    const mailboxes = [{ localPart: 'office', collection: 'letters', notify: false }]
    await waitFor(() => assert.deepEqual(sent(), [{ mailboxes }]))
    await waitFor(() => assert.ok(!isThere('dialog')))
  })

  test('the dialog that removes a mailbox does not show an earlier error about adding a mailbox', async () => {
    renderMailboxes({}, () => new Refusal(400, 'invalid_request', 'localPart: is taken'))
    write('Address', 'office')
    press('Add')
    await assertAlert(/taken/)
    press('Remove the mailbox hello@shop.example')
    assert.ok(inDialog().queryByRole('alert') === null)
  })

  test('the mailbox form is empty again after a mailbox was added', async () => {
    renderMailboxes({})
    write('Address', 'office')
    press('Add')
    await waitFor(() => assert.equal(field('Address').value, ''))
  })

  test('removing a mailbox asks for confirmation, and the dialog shows the reason when the removal is refused', async () => {
    const sent = renderMailboxes({}, () => new Refusal(409, 'conflict', 'The zone is locked.'))
    press('Remove the mailbox hello@shop.example')
    assert.ok(inDialog().getByRole('heading', { name: 'Remove hello@shop.example?' }))
    await untilSent()
    assert.deepEqual(sent(), [])
    pressInDialog('Remove')
    await assertAlert(/The zone is locked/)
    assert.deepEqual(sent(), [{ mailboxes: [] }])
    pressInDialog('Cancel')
    assert.ok(button('Remove the mailbox hello@shop.example'))
  })
})
