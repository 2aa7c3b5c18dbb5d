import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { describeBilling, startCheckout, startPortal } from './billing.ts'
import { PLANS, SOLD_PLANS } from '../billing-plans.ts'
import { receiveEvent } from './receive-event.ts'

const Used = z.object({
  used: z.int(),
  limit: z.int().nullable().describe('Null: no limit.'),
})

const BillingState = z
  .object({
    plan: z.enum(PLANS),
    managed: z.boolean().describe('Whether plans are sold here. False: the operator sets them.'),
    projects: Used.describe('Archived projects count.'),
    liveProjects: Used.describe('More used than allowed, after a change of plan: all keep running.'),
    builds: Used.describe('Builds that were started in the last hour.'),
    plans: z
      .array(
        z.object({
          plan: z.enum(SOLD_PLANS),
          projects: z.int(),
          liveProjects: z.int(),
          buildsPerHour: z.int(),
        }),
      )
      .describe('What can be bought, the smallest first; empty where plans are not sold.'),
    buildsPerHour: z.int().nullable().describe('The same as `builds.limit`.'),
    renewsAt: z.iso.datetime().nullable(),
    subscription: z
      .object({
        plan: z.enum(SOLD_PLANS).describe('What is paid for.'),
        endsAt: z.iso.datetime().nullable().describe('When it ends, once it was cancelled.'),
        overdue: z
          .object({ keptUntil: z.iso.datetime().describe('When the plan falls back unless it is paid.') })
          .nullable()
          .describe('Set after a failed payment.'),
      })
      .nullable(),
  })
  .meta({ id: 'Billing' })

const Page = z.object({ url: z.string().describe('Send the browser there.') })

export const billingRoutes = group('Billing', {
  getBilling: endpoint({
    route: 'GET /billing',
    scope: 'session',
    needs: ['config'],
    summary: 'Read the plan, and what is used of it',
    returns: BillingState,
    handle: ({ ctx }) => describeBilling(ctx, ctx.caller.organizationId, ctx.caller.plan),
  }),
  startCheckout: endpoint({
    route: 'POST /billing/checkout',
    scope: 'session',
    role: 'admin',
    needs: ['config'],
    summary: 'Open the page where a plan is paid for',
    description:
      'The plan changes once the payment provider confirms the payment, so returning from the page alone changes nothing. With a subscription the page confirms its change instead.',
    body: z.object({ plan: z.enum(SOLD_PLANS) }),
    returns: Page,
    fails: ['not_enabled', 'conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx, body }) => startCheckout(ctx, body.plan),
  }),
  openPortal: endpoint({
    route: 'POST /billing/portal',
    scope: 'session',
    role: 'admin',
    needs: ['config'],
    summary: 'Open the billing portal: invoices, card, cancellation',
    returns: Page,
    fails: ['not_enabled', 'conflict', 'upstream_error', 'unavailable'],
    handle: ({ ctx }) => startPortal(ctx),
  }),
  receiveBillingEvent: endpoint({
    kind: 'status',
    route: 'POST /billing/webhook',
    scope: 'public',
    needs: ['config', 'jobs'],
    summary: 'Where the payment provider sends its events to',
    description:
      'An event makes the service read the subscription from the provider, so repeated events and their order do not matter.',
    refusesKeys: true,
    signedBy: 'Stripe-Signature',
    statuses: {
      200: 'Stored; the plan follows.',
      204: 'About no organization of this installation: ignored.',
      413: 'The body is larger than 1 MiB.',
    },
    fails: ['unauthorized', 'not_enabled'],
    handle: ({ ctx, request }) => receiveEvent(ctx, request),
  }),
})
