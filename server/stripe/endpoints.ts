import * as z from 'zod'
import { callStripe, findStripe, listStripe, STRIPE_VERSION, type StripeAccess } from './client.ts'

const StripeEndpoint = z.object({
  id: z.string(),
  url: z.string(),
  status: z.string(),
  metadata: z.record(z.string(), z.string()),
  enabled_events: z.array(z.string()),
})
export type StripeEndpoint = z.output<typeof StripeEndpoint>

/** The events that tell an app about payments, refunds, disputes and the state of subscriptions. */
const WEBHOOK_EVENTS = [
  'checkout.session.completed',
  'checkout.session.async_payment_succeeded',
  'checkout.session.async_payment_failed',
  'checkout.session.expired',
  'customer.subscription.created',
  'customer.subscription.updated',
  'customer.subscription.deleted',
  'invoice.paid',
  'invoice.payment_failed',
  'charge.refunded',
  'charge.dispute.closed',
]

/** Returns whether Stripe sends all events to an endpoint. An earlier version may have created it for fewer. */
export const hasAllEvents = ({ enabled_events: events }: StripeEndpoint): boolean =>
  WEBHOOK_EVENTS.every((event) => events.includes(event))

const ENDPOINTS_PATH = '/webhook_endpoints'

/** Returns the project's endpoints. They are found by their metadata, because endpoints have no names at Stripe. */
export async function listEndpoints(access: StripeAccess, projectId: string): Promise<StripeEndpoint[]> {
  const doing = 'list webhook endpoints'
  const all = await listStripe(access, { path: ENDPOINTS_PATH, item: StripeEndpoint, doing })
  return all.filter(({ metadata }) => metadata['project'] === projectId)
}

export const findEndpoint = (access: StripeAccess, id: string): Promise<StripeEndpoint | null> =>
  findStripe(access, {
    method: 'GET',
    path: `${ENDPOINTS_PATH}/${encodeURIComponent(id)}`,
    result: StripeEndpoint,
    doing: 'read a webhook endpoint',
  })

/** Creates an endpoint. Only this response contains its secret. */
export const createEndpoint = (
  access: StripeAccess,
  wish: { url: string; projectId: string; projectName: string },
): Promise<StripeEndpoint & { secret: string }> =>
  callStripe(access, {
    method: 'POST',
    path: ENDPOINTS_PATH,
    form: {
      url: wish.url,
      enabled_events: WEBHOOK_EVENTS,
      api_version: STRIPE_VERSION,
      description: `Slipway: ${wish.projectName}`,
      metadata: { project: wish.projectId },
    },
    result: StripeEndpoint.extend({ secret: z.string() }),
    doing: 'create webhook endpoints',
    write: { action: 'webhook_endpoint.created', target: wish.url },
  })

/** Changes the address of an endpoint, and whether Stripe sends events to it. */
export const changeEndpoint = (
  access: StripeAccess,
  id: string,
  wish: { url: string; disabled: boolean },
): Promise<StripeEndpoint> =>
  callStripe(access, {
    method: 'POST',
    path: `${ENDPOINTS_PATH}/${encodeURIComponent(id)}`,
    form: { ...wish, enabled_events: WEBHOOK_EVENTS },
    result: StripeEndpoint,
    doing: 'change webhook endpoints',
    write: {
      action: wish.disabled ? 'webhook_endpoint.disabled' : 'webhook_endpoint.enabled',
      target: wish.url,
    },
  })

/** Deletes an endpoint. Succeeds even when Stripe no longer has the endpoint. */
export async function removeEndpoint(access: StripeAccess, { id, url }: StripeEndpoint): Promise<void> {
  await findStripe(access, {
    method: 'DELETE',
    path: `${ENDPOINTS_PATH}/${encodeURIComponent(id)}`,
    result: z.object({ id: z.string() }),
    doing: 'remove webhook endpoints',
    write: { action: 'webhook_endpoint.removed', target: url },
  })
}
