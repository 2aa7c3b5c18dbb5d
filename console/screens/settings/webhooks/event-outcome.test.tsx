import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import type { WebhookEndpoint } from '@slipway/sdk/client/types.gen.ts'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { queryClient } from '../../../api/request/query-client.ts'
import { isShown, Refusal, serve, show, untilSent } from '../../../testing/console.tsx'
import { untilIdle } from '../../../testing/held.ts'
import { EventOutcome } from './event-outcome.tsx'

const LIST_WEBHOOKS = 'GET /webhooks'
const CREATED_AT = '2026-02-01T00:00:00.000Z'
const WAITING = 'Ticket created. Waiting for your receiver to respond with 2xx.'

const webhookOf = (part: Partial<WebhookEndpoint> = {}): WebhookEndpoint => ({
  id: 'whk_1',
  url: 'https://example.test/hook',
  events: ['*'],
  lastDeliveryAt: null,
  createdAt: '2026-01-01T00:00:00Z',
  ...part,
})
const deliveredAt = (lastDeliveryAt: string | null, part: Partial<WebhookEndpoint> = {}) =>
  webhookOf({ lastDeliveryAt, ...part })

async function renderOutcome(read: () => unknown) {
  const calls = serve({ [LIST_WEBHOOKS]: read })
  show(<EventOutcome projectId="prj_1" ticketId="tkt_1" createdAt={CREATED_AT} />)
  await waitFor(() => assert.equal(calls[LIST_WEBHOOKS]?.length, 1))
}
const status = () => screen.getByRole('status').textContent

/** Replaces the timers. Returns a function that advances the time, which also delivers the responses that wait for a timer. */
function holdTimers(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout', 'setInterval'] })
  return async (ms: number) => {
    await act(async () => t.mock.timers.tick(ms))
    await untilSent()
    await act(async () => t.mock.timers.tick(1))
  }
}

describe('the delivery of the event of a test ticket', () => {
  test("a delivery of the test ticket's event is recognized by its time, and the webhook that accepted it is named", async () => {
    for (const at of [CREATED_AT, '2026-02-01T00:00:00.001Z']) {
      await renderOutcome(() => [
        deliveredAt(null),
        deliveredAt(at, { id: 'whk_2', url: 'https://two.example' }),
      ])
      await screen.findByText('Delivered to https://two.example.')
      cleanup()
      queryClient.clear()
    }
  })

  test('a webhook delivery from before the test ticket does not count as the delivery of its event', async () => {
    await renderOutcome(() => [deliveredAt('2026-01-31T23:59:59.999Z')])
    await untilIdle()
    assert.equal(status(), WAITING)
  })

  test('a delivery to a webhook that does not get ticket.created does not count for the test ticket', async () => {
    await renderOutcome(() => [
      deliveredAt('2026-02-01T00:00:01Z', { events: ['project.deployed'], url: 'https://other.example' }),
      webhookOf({ id: 'whk_2', events: ['ticket.created'] }),
    ])
    await untilIdle()
    assert.equal(status(), WAITING)
  })

  test('after a test ticket, the webhooks are read again until one has accepted the event, and not after that', async (t) => {
    const pass = holdTimers(t)
    let webhook = deliveredAt(null)
    const calls = serve({ [LIST_WEBHOOKS]: () => [webhook] })
    show(<EventOutcome projectId="prj_1" ticketId="tkt_1" createdAt={CREATED_AT} />)
    await pass(1)
    assert.equal(status(), WAITING)
    webhook = deliveredAt('2026-02-01T00:00:05Z')
    await pass(1500)
    assert.equal(status(), 'Delivered to https://example.test/hook.')
    const reads = calls[LIST_WEBHOOKS]?.length
    for (let n = 0; n < 10; n++) await pass(1500)
    assert.equal(calls[LIST_WEBHOOKS]?.length, reads)
  })

  test('after 30 seconds without a delivery of the test event the page says that it is retried, and stops polling', async (t) => {
    const pass = holdTimers(t)
    const calls = serve({ [LIST_WEBHOOKS]: () => [deliveredAt(null)] })
    show(<EventOutcome projectId="prj_1" ticketId="tkt_1" createdAt={CREATED_AT} />)
    for (let n = 0; n < 19; n++) await pass(1500)
    assert.equal(status(), WAITING)
    await pass(1500)
    assert.match(status(), /^Not delivered within 30 seconds\. Slipway keeps trying/)
    const reads = calls[LIST_WEBHOOKS]?.length
    await pass(10_000)
    assert.equal(calls[LIST_WEBHOOKS]?.length, reads)
  })

  test('while the webhooks cannot be read, the test event is still shown as waiting, and its ticket can be opened', async () => {
    await renderOutcome(() => new Refusal(403, 'forbidden', 'You may not.'))
    await untilIdle()
    assert.ok(isShown(WAITING))
    const link = screen.getByRole('link', { name: 'Open the ticket' }).getAttribute('href') ?? ''
    assert.match(link, /^\/projects\/prj_1.*ticket=tkt_1/)
  })
})
