import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { WebhookEndpoint } from '@slipway/sdk/client/types.gen.ts'
import { signWebhook } from '@slipway/sdk/webhook.ts'
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
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
  showAt,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { SignatureChecker } from './signature-checker.tsx'
import { Webhooks } from './webhooks.tsx'

const LIST_WEBHOOKS = 'GET /webhooks'
const CREATE_WEBHOOK = 'POST /webhooks'
const DELETE_WEBHOOK = 'DELETE /webhooks/whk_1'
const CREATE_TICKET = 'POST /projects/prj_1/tickets'
const SECRET = 'whsec_only_shown_once'
const hook: WebhookEndpoint = {
  id: 'whk_1',
  url: 'https://example.test/hook',
  events: ['*'],
  lastDeliveryAt: null,
  createdAt: '2026-01-01T00:00:00Z',
}
const projects = { items: [{ id: 'prj_1', name: 'Plants' }], nextCursor: null }

async function renderWebhooks(webhooks: WebhookEndpoint[], answers: Record<string, () => unknown> = {}) {
  const calls = serve({
    [LIST_WEBHOOKS]: () => webhooks,
    [CREATE_WEBHOOK]: () => ({ ...hook, secret: SECRET }),
    'GET /projects': () => projects,
    ...answers,
  })
  await showAt('/app/settings/webhooks', Webhooks, '/settings/webhooks')
  await screen.findByRole('heading', { name: 'For your receiver' })
  return calls
}

describe('the list of webhooks', () => {
  test('without webhooks, their page explains what webhooks are for', async () => {
    await renderWebhooks([])
    assert.ok(isThere('heading', 'No webhooks yet'))
    assert.ok(isShown(/posts to it when a ticket is built/))
  })

  test('a webhook shows its events, and that nothing was delivered yet', async () => {
    await renderWebhooks([{ ...hook, events: ['ticket.created', 'project.deployed'] }])
    assert.ok(isThere('heading', hook.url))
    for (const words of ['nothing delivered yet', 'ticket.created', 'project.deployed', '1 of 100 webhooks'])
      assert.ok(screen.getAllByText(words).length > 0, words)
  })

  test('a webhook is deleted only after a confirmation that names its URL, and a refused deletion can be retried', async () => {
    const webhooks = [hook]
    const answers = [new Refusal(403, 'forbidden', 'You may not.'), null]
    const calls = await renderWebhooks(webhooks, {
      [DELETE_WEBHOOK]: () => {
        const answer = answers.shift()
        if (answer === null) webhooks.pop()
        return answer
      },
    })
    press('Delete https://example.test/hook')
    const dialog = await screen.findByRole('dialog', { name: 'Delete this webhook?' })
    assert.match(dialog.textContent ?? '', /example\.test\/hook gets no more events/)
    press('Delete webhook')
    await assertAlert(/You may not.*req_test/)
    press('Delete webhook')
    assert.ok(await screen.findByRole('heading', { name: 'No webhooks yet' }))
    assert.equal(calls[DELETE_WEBHOOK]?.length, 2)
  })
})

describe('the form of a new webhook', () => {
  const openForm = async (answers: Record<string, () => unknown> = {}) => {
    const calls = await renderWebhooks([], answers)
    press('Add webhook')
    const dialog = await screen.findByRole('dialog', { name: 'Add a webhook' })
    return { calls, send: () => fireEvent.submit(dialog.querySelector('form') as HTMLFormElement) }
  }

  test('a webhook for all events is created, and its secret is shown once to copy', async () => {
    const { calls, send } = await openForm()
    write('Address', ' https://example.test/hook ')
    send()
    await screen.findByText(`SLIPWAY_WEBHOOK_SECRET=${SECRET}`)
    assert.ok(button('Copy: Signing secret'))
    assert.deepEqual(sent(calls, CREATE_WEBHOOK)?.[0], { url: 'https://example.test/hook', events: ['*'] })
    fireEvent.keyDown(screen.getByRole('dialog'), { key: 'Escape' })
    assert.ok(isShown(SECRET))
    press('I have saved it')
    await waitFor(() => assert.ok(!isThere('dialog')))
  })

  test('a webhook can be created for chosen events, and each event has an example', async () => {
    const { calls, send } = await openForm()
    write('Address', 'https://example.test/hook')
    fireEvent.click(screen.getByRole('radio', { name: 'Choose events' }))
    fireEvent.click(screen.getByRole('checkbox', { name: /An app goes live/ }))
    fireEvent.click(screen.getByRole('checkbox', { name: /A ticket is opened/ }))
    press('Example of ticket.created')
    assert.match(screen.getByRole('region', { name: 'Example of ticket.created' }).textContent, /"ticketId"/)
    assert.equal(button('Example of ticket.created').getAttribute('aria-expanded'), 'true')
    send()
    await screen.findByText(SECRET)
    const body = calls[CREATE_WEBHOOK]?.[0]?.body
    assert.deepEqual(body, {
      url: 'https://example.test/hook',
      events: ['ticket.created', 'project.deployed'],
    })
  })

  test('a webhook with an invalid URL and no selected event shows an error for each, and is not sent', async () => {
    const { calls, send } = await openForm()
    write('Address', 'example.test')
    fireEvent.click(screen.getByRole('radio', { name: 'Choose events' }))
    send()
    await assertAlert(/Choose at least one event/)
    assert.ok(isShown('Enter an address, like https://example.com/slipway.'))
    assert.equal(field('Address').getAttribute('aria-invalid'), 'true')
    await untilSent()
    assert.deepEqual(calls[CREATE_WEBHOOK], [])
  })

  test('when the service refuses a private address as webhook URL, the reason is shown at the field and the input stays', async () => {
    const { send } = await openForm({
      [CREATE_WEBHOOK]: () => new Refusal(400, 'invalid_request', 'url: must be a public address'),
    })
    write('Address', 'http://10.0.0.1/hook')
    send()
    assert.ok(await screen.findByText('Must be a public address.'))
    assert.equal(field('Address').value, 'http://10.0.0.1/hook')
  })

  test('when the service refuses to create a webhook, an alert with the reason and the request id takes the focus', async () => {
    const { send } = await openForm({ [CREATE_WEBHOOK]: () => new Refusal(409, 'conflict', 'At most 100.') })
    write('Address', 'https://example.test/hook')
    send()
    await assertAlert(/not added.*At most 100.*req_test/)
    assert.equal(document.activeElement?.role, 'alert')
  })
})

describe('the event of a test ticket', () => {
  const ticket = { id: 'tkt_1', createdAt: '2026-02-01T00:00:00Z' }

  test('after a test ticket was created the webhook page shows that its event was delivered, and links to the ticket', async () => {
    const delivered = { ...hook, lastDeliveryAt: '2026-02-01T00:00:01Z' }
    const calls = await renderWebhooks([delivered], { [CREATE_TICKET]: () => ticket })
    await screen.findByText('Create test ticket')
    press('Create test ticket')
    assert.ok(await screen.findByText(`Delivered to ${hook.url}.`))
    assert.deepEqual(sent(calls, CREATE_TICKET)?.[0], { title: 'Webhook test', type: 'chore' })
    const link = screen.getByRole('link', { name: 'Open the ticket' })
    assert.match(link.getAttribute('href') ?? '', /prj_1.*ticket=tkt_1/)
  })

  test('until the event of the test ticket is delivered, the webhook page says that it is waiting', async () => {
    await renderWebhooks([hook], { [CREATE_TICKET]: () => ticket })
    await screen.findByText('Create test ticket')
    press('Create test ticket')
    assert.ok(await screen.findByText('Ticket created. Waiting for your receiver to respond with 2xx.'))
  })

  test('no test ticket is created when no webhook would receive its event', async () => {
    const calls = await renderWebhooks([{ ...hook, events: ['project.deleted'] }], {
      [CREATE_TICKET]: () => ticket,
    })
    await screen.findByText('Create test ticket')
    press('Create test ticket')
    assert.match(
      button('Create test ticket').getAttribute('aria-description') ?? '',
      /nothing would be deliv/,
    )
    await untilSent()
    assert.deepEqual(calls[CREATE_TICKET], [])
  })

  test('the webhook page says that there is no project yet only after the projects have been loaded', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    await renderWebhooks([hook], { 'GET /projects': () => promise })
    assert.ok(!isShown(/There is no project yet/))
    resolve({ items: [], nextCursor: null })
    assert.ok(await screen.findByText(/There is no project yet/))
    assert.ok(isThere('link', 'Go to your projects'))
  })

  test('when the projects cannot be loaded, the webhook page shows the request id, and not “no project yet”', async () => {
    await renderWebhooks([hook], { 'GET /projects': () => new Refusal(403, 'forbidden', 'You may not.') })
    await assertAlert(/You may not.*req_test/)
    assert.ok(!isShown(/There is no project yet/))
  })
})

describe('the check of a signature', () => {
  const body = '{"id":"evt_1"}'

  test('a webhook signature is valid only with the secret that signed it, and screen readers announce the result', async () => {
    show(<SignatureChecker />)
    write('Signing secret', ' whsec_a ')
    write('Service-Signature', await signWebhook({ payload: body, secret: 'whsec_a' }))
    write('Raw body', body)
    press('Check signature')
    await waitFor(() => assert.match(screen.getByRole('status').textContent, /^The signature is right/))
    write('Signing secret', 'whsec_b')
    assert.equal(screen.getByRole('status').textContent, '', 'a verdict does not outlive what it was about')
    press('Check signature')
    await waitFor(() => assert.match(screen.getByRole('status').textContent, /^Wrong secret/))
  })

  test('checking a webhook signature without its secret, header or body says what is missing', async () => {
    show(<SignatureChecker />)
    press('Check signature')
    assert.ok(await screen.findByText('Paste the secret, the header and the body.'))
  })

  test('the form of a webhook that was not created has its address and events again after a reload, until Cancel', async () => {
    const open = async () => {
      await renderWebhooks([])
      fireEvent.click(screen.getAllByRole('button', { name: 'Add webhook' })[0] as HTMLElement)
      await screen.findByRole('dialog')
    }
    await open()
    write('Address', 'https://example.test/slipway')
    fireEvent.click(field('Choose events'))
    fireEvent.click(field(/^A ticket is opened/))
    cleanup()
    await open()
    assert.ok(isShown('Your unsent text is back.'))
    assert.equal(field('Address').value, 'https://example.test/slipway')
    assert.ok(field(/^A ticket is opened/).checked)
    press('Cancel')
    await waitFor(() => assert.equal(localStorage.length, 0))
  })
})
