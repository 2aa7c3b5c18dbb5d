import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  button,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { MailSetup } from './live-tab.tsx'

const EMAIL_PATH = '/projects/prj_1/email'
const LIST_MAILS = 'GET /projects/prj_1/capabilities/email/mails'
const ZONES = [
  { id: 'z1', name: 'shop.example', status: 'active' },
  { id: 'z2', name: 'new.example', status: 'pending' },
]
const NO_SENDING = { zoneId: null, domain: null, state: 'none', localPart: null, from: null, dns: [] }
const dnsRecord = (name: string, present: boolean) => ({
  type: 'TXT',
  name,
  value: `value of ${name}`,
  present,
})
const PENDING_SENDING = {
  ...NO_SENDING,
  zoneId: 'z1',
  domain: 'shop.example',
  state: 'pending',
  localPart: 'hello',
}
const HELLO = { localPart: 'hello', collection: 'letters', notify: true }

function renderMailSetup(status: object, answers: Record<string, () => unknown> = {}) {
  const whole = {
    zones: ZONES,
    sending: NO_SENDING,
    mailboxes: [],
    routing: 'none',
    collections: [],
    ...status,
  }
  const calls = serve({ [`GET ${EMAIL_PATH}/status`]: () => whole, [LIST_MAILS]: () => [], ...answers })
  show(<MailSetup projectId="prj_1" />)
  return (call: string) => calls[call]?.map(({ body }) => body)
}

describe('the mail of an app', () => {
  test('the mail page of an app without a mail domain lists domains, and “Set up” sends the chosen domain with the sender', async () => {
    const sent = renderMailSetup(
      {},
      {
        [`POST ${EMAIL_PATH}/onboard`]: () => ({
          zones: ZONES,
          sending: PENDING_SENDING,
          mailboxes: [],
          routing: 'none',
          collections: [],
        }),
      },
    )
    await waitFor(() => assert.ok(isShown('Choose a domain to send from')))
    assert.ok(isShown('new.example (not active yet)'))
    assert.ok(isShown('Set up a domain first.'))
    write('Sender', ' office ')
    press('Set up')
    await waitFor(() =>
      assert.deepEqual(sent(`POST ${EMAIL_PATH}/onboard`), [{ zoneId: 'z1', localPart: 'office' }]),
    )
    await waitFor(() => assert.ok(isShown('DNS records are missing')))
  })

  test('“Set up” on the mail page names the empty sender field and sends nothing', async () => {
    const sent = renderMailSetup({}, { [`POST ${EMAIL_PATH}/onboard`]: () => ({}) })
    await waitFor(() => assert.ok(isShown('Choose a domain to send from')))
    write('Sender', ' ')
    assert.equal(button('Set up').getAttribute('aria-description'), 'Fill in “Sender” first.')
    press('Set up')
    await untilSent()
    assert.deepEqual(sent(`POST ${EMAIL_PATH}/onboard`), [])
  })

  test('a refused mail domain keeps the typed sender and shows the reason', async () => {
    renderMailSetup(
      {},
      {
        [`POST ${EMAIL_PATH}/onboard`]: () => new Refusal(409, 'conflict', 'new.example is not active yet.'),
      },
    )
    await waitFor(() => assert.ok(isShown('Choose a domain to send from')))
    write('Sender', 'office')
    press('Set up')
    await assertAlert(/not active yet/)
    assert.equal(document.querySelector<HTMLInputElement>('form input')?.value, 'office')
  })

  test('the mail page shows how to add a domain when the Cloudflare account has none', async () => {
    renderMailSetup({ zones: [] })
    await waitFor(() => assert.ok(isShown(/has no domain\. Add one there first/)))
  })

  test('missing DNS records of a mail domain are listed first and with their values to copy', async () => {
    const dns = [dnsRecord('a.shop.example', true), dnsRecord('b.shop.example', false)]
    const sent = renderMailSetup(
      { sending: { ...PENDING_SENDING, dns } },
      { [`POST ${EMAIL_PATH}/verify`]: () => ({ verified: false, dns }) },
    )
    await waitFor(() => assert.ok(isShown('DNS records are missing')))
    const names = [...document.querySelectorAll('li code')].map(({ textContent }) => textContent)
    assert.deepEqual(names, ['b.shop.example', 'value of b.shop.example', 'a.shop.example'])
    assert.ok(button('Copy the value of the TXT record b.shop.example'))
    press('Check again')
    await waitFor(() => assert.ok(isShown('Not verified yet. Try again in a few minutes.')))
    assert.equal(sent(`POST ${EMAIL_PATH}/verify`)?.length, 1)
  })

  test('a verified mail domain shows the sender instead of the DNS records', async () => {
    const sending = {
      ...PENDING_SENDING,
      state: 'verified',
      from: 'hello@shop.example',
      dns: [dnsRecord('a', true)],
    }
    renderMailSetup({ sending })
    await waitFor(() => assert.ok(isShown('hello@shop.example')))
    assert.equal(isShown('DNS records'), true, 'as a step')
    assert.equal(document.querySelectorAll('li code').length, 0)
    press('Use another domain or sender')
    await waitFor(() => assert.ok(button('Set up')))
  })

  test('adding or removing a mailbox sends the whole list of mailboxes', async () => {
    const mailboxes = [{ ...HELLO, address: 'hello@shop.example' }]
    const status = {
      sending: PENDING_SENDING,
      mailboxes,
      routing: 'misconfigured',
      collections: ['letters', 'calls'],
    }
    const sent = renderMailSetup(status, {
      [`PUT ${EMAIL_PATH}/mailboxes`]: () => ({ mailboxes, routing: 'ready' }),
    })
    await waitFor(() => assert.ok(isShown(/Mail does not arrive/)))
    const link = screen.getByRole<HTMLAnchorElement>('link', { name: 'letters' })
    assert.equal(link.pathname, '/projects/prj_1/capabilities/data/letters')
    write('Address', 'sales')
    write('Becomes a record of', 'calls')
    press('Add')
    const sales = { localPart: 'sales', collection: 'calls', notify: false }
    await waitFor(() =>
      assert.deepEqual(sent(`PUT ${EMAIL_PATH}/mailboxes`), [{ mailboxes: [HELLO, sales] }]),
    )
    await waitFor(() => assert.ok(!button('Remove the mailbox hello@shop.example').hasAttribute('disabled')))
    press('Remove the mailbox hello@shop.example')
    assert.ok(isShown(/no longer reaches the app/))
    press('Remove')
    await waitFor(() => assert.deepEqual(sent(`PUT ${EMAIL_PATH}/mailboxes`)?.[1], { mailboxes: [] }))
  })

  test('the mail page says when the app declares no data collection for incoming mail', async () => {
    renderMailSetup({ sending: PENDING_SENDING })
    await waitFor(() => assert.ok(isShown(/declares no collection for mail/)))
  })
})
