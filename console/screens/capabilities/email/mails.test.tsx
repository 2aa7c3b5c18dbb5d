import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { assertAlert, isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { Mails } from './mails.tsx'

const AT = 'GET /projects/prj_1/capabilities/email/mails'
const SENT = {
  id: 'mail_1',
  kind: 'app',
  to: ['ann@example.com', 'bob@example.com'],
  subject: 'Your order',
  state: 'sent',
  attempts: 1,
  error: null,
  createdAt: '2026-11-23T03:00:00.000Z',
  sentAt: '2026-11-24T03:00:00.000Z',
}
const WAITING = { ...SENT, id: 'mail_2', subject: 'Waiting', state: 'waiting', attempts: 0, sentAt: null }

async function open(mails: object[]): Promise<HTMLElement[]> {
  serve({ [AT]: () => mails })
  show(<Mails projectId="prj_1" />)
  await waitFor(() => assert.equal(document.querySelectorAll('li').length, mails.length))
  return [...document.querySelectorAll('li')]
}

describe('the mail of the live app', () => {
  test('each mail shows its subject, recipients, state and time', async () => {
    const [sent, waiting] = await open([SENT, WAITING])
    assert.match(sent?.textContent ?? '', /^Your orderann@example\.com, bob@example\.comsent /)
    assert.equal(sent?.querySelector('time')?.dateTime, SENT.sentAt)
    assert.match(waiting?.textContent ?? '', /waits · written /)
    assert.equal(waiting?.querySelector('time')?.dateTime, SENT.createdAt)
  })

  test('a mail that failed shows why, how often it was tried, and whether it is tried again', async () => {
    const error = 'The mailbox is full.'
    const [again, failed, kept] = await open([
      { ...WAITING, attempts: 2, error },
      { ...WAITING, id: 'mail_3', state: 'failed', attempts: 7, error },
      { ...WAITING, id: 'mail_4', state: 'kept' },
    ])
    assert.match(again?.textContent ?? '', /The mailbox is full\.is tried again · written .* · 2 attempts$/)
    assert.match(failed?.textContent ?? '', /The mailbox is full\.given up · written .* · 7 attempts$/)
    assert.match(kept?.textContent ?? '', /not sent: email was off/)
  })

  test('a mail whose first send is under way is not shown as one that failed', async () => {
    const [mail] = await open([{ ...WAITING, attempts: 1 }])
    assert.match(mail?.textContent ?? '', /waits · written /)
  })

  test('a message of sign-in is named without its subject, which would hold the code', async () => {
    await open([{ ...SENT, kind: 'auth', subject: null }])
    assert.ok(isShown('Code or link to sign in'))
  })

  test('a full list says that older mail is not shown', async () => {
    await open(Array.from({ length: 100 }, (_, n) => ({ ...SENT, id: `mail_${n}` })))
    assert.ok(isShown('The newest 100'))
  })

  test('without mail the list says how an app comes to send some', async () => {
    await open([])
    await waitFor(() => assert.ok(isShown('The live app has not sent mail')))
    assert.ok(isShown(/Describe in a ticket what the app should send/))
  })

  test('an app that was never shipped says that it has to be', async () => {
    serve({ [AT]: () => new Refusal(404, 'not_enabled', 'Email is on, but not deployed yet.') })
    show(<Mails projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })

  test('a list that cannot be read says why', async () => {
    serve({ [AT]: () => new Refusal(502, 'upstream_error', 'The deployed app could not be reached.') })
    show(<Mails projectId="prj_1" />)
    await assertAlert(/could not be reached/)
  })
})
