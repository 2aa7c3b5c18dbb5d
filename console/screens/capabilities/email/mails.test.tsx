import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { assertAlert, isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { Mails } from './mails.tsx'

const LIST_MAILS = 'GET /projects/prj_1/capabilities/email/mails'
const SENT_MAIL = {
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
const WAITING_MAIL = {
  ...SENT_MAIL,
  id: 'mail_2',
  subject: 'Waiting',
  state: 'waiting',
  attempts: 0,
  sentAt: null,
}

async function renderMails(mails: object[]): Promise<HTMLElement[]> {
  serve({ [LIST_MAILS]: () => mails })
  show(<Mails projectId="prj_1" />)
  await waitFor(() => assert.equal(document.querySelectorAll('li').length, mails.length))
  return [...document.querySelectorAll('li')]
}

describe('the mail of the live app', () => {
  test('each mail of the live app shows its subject, recipients, state and time', async () => {
    const [sent, waiting] = await renderMails([SENT_MAIL, WAITING_MAIL])
    assert.match(sent?.textContent ?? '', /^Your orderann@example\.com, bob@example\.comsent /)
    assert.equal(sent?.querySelector('time')?.dateTime, SENT_MAIL.sentAt)
    assert.match(waiting?.textContent ?? '', /waits · written /)
    assert.equal(waiting?.querySelector('time')?.dateTime, SENT_MAIL.createdAt)
  })

  test('a failed mail shows the reason, the number of attempts and whether it is retried', async () => {
    const error = 'The mailbox is full.'
    const [again, failed, kept] = await renderMails([
      { ...WAITING_MAIL, attempts: 2, error },
      { ...WAITING_MAIL, id: 'mail_3', state: 'failed', attempts: 7, error },
      { ...WAITING_MAIL, id: 'mail_4', state: 'kept' },
    ])
    assert.match(again?.textContent ?? '', /The mailbox is full\.is retried · written .* · 2 attempts$/)
    assert.match(failed?.textContent ?? '', /The mailbox is full\.failed · written .* · 7 attempts$/)
    assert.match(kept?.textContent ?? '', /not sent: email was off/)
  })

  test('a mail during its first attempt is shown as waiting, not as failed', async () => {
    const [mail] = await renderMails([{ ...WAITING_MAIL, attempts: 1 }])
    assert.match(mail?.textContent ?? '', /waits · written /)
  })

  test('a sign-in mail is listed without its subject, because the subject contains the code', async () => {
    await renderMails([{ ...SENT_MAIL, kind: 'auth', subject: null }])
    assert.ok(isShown('Code or link to sign in'))
  })

  test('a list of 100 mails shows that only the newest are listed', async () => {
    await renderMails(Array.from({ length: 100 }, (_, n) => ({ ...SENT_MAIL, id: `mail_${n}` })))
    assert.ok(isShown('The newest 100'))
  })

  test('an empty list of mails suggests writing a ticket about what mail the app should send', async () => {
    await renderMails([])
    await waitFor(() => assert.ok(isShown('The live app has not sent mail')))
    assert.ok(isShown(/Describe in a ticket what the app should send/))
  })

  test('the list of mails of an app that was never shipped asks the person to ship it', async () => {
    serve({ [LIST_MAILS]: () => new Refusal(404, 'not_enabled', 'Email is on, but not deployed yet.') })
    show(<Mails projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })

  test('a list of mails that failed to load shows the reason', async () => {
    serve({
      [LIST_MAILS]: () => new Refusal(502, 'upstream_error', 'The deployed app could not be reached.'),
    })
    show(<Mails projectId="prj_1" />)
    await assertAlert(/could not be reached/)
  })
})
