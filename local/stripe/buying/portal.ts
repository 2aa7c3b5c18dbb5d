import { StripeFailure, type Room, secondsNow, type Stripe } from '../context.ts'
import { all, insert, load, newId } from '../objects.ts'
import * as z from 'zod'
import { listPage, Paging } from '../protocol/list.ts'
import { type Operation, operation } from '../protocol/operation.ts'
import { Flag, MetadataIn, Text, Url } from '../protocol/params.ts'
import type { PortalConfiguration } from '../types.ts'

const resource = 'customer_portal' as const

const Features = z.strictObject({
  customer_update: z.strictObject({ enabled: Flag, allowed_updates: z.array(Text).optional() }).optional(),
  invoice_history: z.strictObject({ enabled: Flag }).optional(),
  payment_method_update: z.strictObject({ enabled: Flag }).optional(),
  subscription_cancel: z
    .strictObject({ enabled: Flag, mode: z.enum(['at_period_end', 'immediately']).optional() })
    .optional(),
})

/** Pages where customers manage their subscriptions. */
export const portalOperations: Operation[] = [
  operation({
    route: 'GET /billing_portal/configurations',
    resource,
    params: { ...Paging, active: Flag.optional(), is_default: Flag.optional() },
    act: (call) =>
      listPage(
        call,
        'billing_portal.configuration',
        '/v1/billing_portal/configurations',
        ({ active, is_default: isDefault }) =>
          (call.params.active === undefined || active === call.params.active) &&
          (call.params.is_default === undefined || isDefault === call.params.is_default),
      ),
  }),
  operation({
    route: 'POST /billing_portal/configurations',
    resource,
    params: {
      business_profile: z
        .strictObject({
          headline: Text.optional(),
          privacy_policy_url: Text.optional(),
          terms_of_service_url: Text.optional(),
        })
        .optional(),
      default_return_url: Url.optional(),
      features: Features,
      metadata: MetadataIn.optional(),
    },
    act: ({ stripe, room, params }) => createConfiguration(stripe, room, { isDefault: false, ...params }),
  }),
  operation({
    route: 'GET /billing_portal/configurations/:id',
    resource,
    act: ({ stripe, room, id }) => load(stripe, room, 'billing_portal.configuration', id),
  }),
  operation({
    route: 'POST /billing_portal/sessions',
    resource,
    params: { configuration: Text.optional(), customer: Text, return_url: Url.optional() },
    act: ({ stripe, room, params }) => {
      load(stripe, room, 'customer', params.customer, 'customer')
      const configuration =
        params.configuration === undefined
          ? defaultConfiguration(stripe, room)
          : load(stripe, room, 'billing_portal.configuration', params.configuration, 'configuration')
      const id = newId('bps')
      return insert<'billing_portal.session'>(stripe, room, {
        id,
        object: 'billing_portal.session',
        configuration: configuration.id,
        created: secondsNow(stripe),
        customer: params.customer,
        livemode: room.isLive,
        metadata: {},
        return_url: params.return_url ?? null,
        url: `${stripe.pagesUrl()}/portal/${id}`,
      })
    },
  }),
]

interface NewConfiguration {
  isDefault: boolean
  business_profile?: object | undefined
  features: object
  metadata?: Record<string, string> | undefined
}

function createConfiguration(stripe: Stripe, room: Room, given: NewConfiguration): PortalConfiguration {
  return insert<'billing_portal.configuration'>(stripe, room, {
    id: newId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    business_profile: given.business_profile ?? {},
    created: secondsNow(stripe),
    features: given.features,
    is_default: given.isDefault,
    livemode: room.isLive,
    metadata: given.metadata ?? {},
  })
}

/** The provider makes the default one when a person saves its settings in the dashboard; until then it refuses. */
function defaultConfiguration(stripe: Stripe, room: Room): PortalConfiguration {
  const found = all(stripe, room, 'billing_portal.configuration').find(({ is_default: is }) => is)
  if (found !== undefined) return found
  throw new StripeFailure(
    400,
    `No configuration provided and your ${room.isLive ? 'live' : 'test'} mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings.`,
  )
}
