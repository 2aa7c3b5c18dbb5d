import {
  invalidParameterError,
  StripeFailure,
  type StripeAccount,
  secondsNow,
  type Stripe,
} from '../context.ts'
import { listObjects, insertObject, loadObject, newStripeId } from '../objects.ts'
import * as z from 'zod'
import { listPage, Paging } from '../protocol/list.ts'
import { type StripeCall, type Operation, operation } from '../protocol/operation.ts'
import { Flag, NewMetadata, Quantity, Text, Url } from '../protocol/params.ts'
import type { PortalConfiguration, PortalFeatures, PortalFlow, PortalSession } from '../types.ts'

const RESOURCE_TYPE = 'customer_portal' as const

/** The parameters of a portal page that only confirms the change of a subscription to another price. */
const Flow = z.strictObject({
  type: z.literal('subscription_update_confirm'),
  subscription_update_confirm: z.strictObject({
    subscription: Text,
    items: z.tuple([z.strictObject({ id: Text, price: Text, quantity: Quantity.optional() })]),
  }),
  after_completion: z
    .strictObject({ type: z.literal('redirect'), redirect: z.strictObject({ return_url: Url }) })
    .optional(),
})

const Features = z.strictObject({
  customer_update: z.strictObject({ enabled: Flag, allowed_updates: z.array(Text).optional() }).optional(),
  invoice_history: z.strictObject({ enabled: Flag }).optional(),
  payment_method_update: z.strictObject({ enabled: Flag }).optional(),
  subscription_update: z
    .strictObject({
      enabled: Flag,
      default_allowed_updates: z.array(z.enum(['price', 'quantity', 'promotion_code'])).optional(),
      products: z
        .array(z.strictObject({ product: Text, prices: z.array(Text).min(1) }))
        .max(10)
        .optional(),
      proration_behavior: z.enum(['none', 'create_prorations', 'always_invoice']).optional(),
    })
    .optional(),
  subscription_cancel: z
    .strictObject({ enabled: Flag, mode: z.enum(['at_period_end', 'immediately']).optional() })
    .optional(),
})

/** Creates portal pages, on which customers manage their subscriptions. */
export const portalOperations: Operation[] = [
  operation({
    route: 'GET /billing_portal/configurations',
    resource: RESOURCE_TYPE,
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
    resource: RESOURCE_TYPE,
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
      metadata: NewMetadata.optional(),
    },
    act: ({ stripe, account, params }) =>
      createConfiguration(stripe, account, { isDefault: false, ...params }),
  }),
  operation({
    route: 'GET /billing_portal/configurations/:id',
    resource: RESOURCE_TYPE,
    act: ({ stripe, account, id }) => loadObject(stripe, account, 'billing_portal.configuration', id),
  }),
  operation({
    route: 'POST /billing_portal/sessions',
    resource: RESOURCE_TYPE,
    params: {
      configuration: Text.optional(),
      customer: Text,
      flow_data: Flow.optional(),
      return_url: Url.optional(),
    },
    act: (call) => {
      const { stripe, account, params } = call
      loadObject(stripe, account, 'customer', params.customer, 'customer')
      const configuration =
        params.configuration === undefined
          ? defaultConfiguration(stripe, account)
          : loadObject(stripe, account, 'billing_portal.configuration', params.configuration, 'configuration')
      const flow =
        params.flow_data === undefined
          ? null
          : portalFlow(call, params.customer, configuration, params.flow_data)
      const id = newStripeId('bps')
      const session: PortalSession = {
        id,
        object: 'billing_portal.session',
        configuration: configuration.id,
        created: secondsNow(stripe),
        customer: params.customer,
        livemode: account.isLive,
        metadata: {},
        return_url: params.return_url ?? null,
        url: `${stripe.pagesUrl()}/portal/${id}`,
      }
      return insertObject<'billing_portal.session'>(stripe, account, session, { flow })
    },
  }),
]

/**
 * Validates the requested flow of a portal session: the change of one subscription to another price. Throws
 * the provider's error for a change that the configuration does not allow.
 */
function portalFlow(
  { stripe, account }: Pick<StripeCall<unknown>, 'stripe' | 'account'>,
  customer: string,
  configuration: PortalConfiguration,
  given: z.output<typeof Flow>,
): PortalFlow {
  const { subscription: id, items } = given.subscription_update_confirm
  const [{ id: itemId, price, quantity }] = items
  const at = 'flow_data[subscription_update_confirm]'
  const subscription = loadObject(stripe, account, 'subscription', id, `${at}[subscription]`)
  const item = subscription.items.data.find((one) => one.id === itemId)
  if (subscription.customer !== customer || subscription.status === 'canceled' || item === undefined)
    throw invalidParameterError('The subscription cannot be updated by this customer.', `${at}[subscription]`)
  const { subscription_update: update } = configuration.features
  if (update?.enabled !== true)
    throw invalidParameterError(
      'The portal configuration allows no change of subscriptions.',
      `${at}[items][0][price]`,
    )
  if (update.products?.some(({ prices }) => prices.includes(price)) !== true)
    throw invalidParameterError(
      'The price is not part of the portal configuration.',
      `${at}[items][0][price]`,
    )
  if (item.price.id === price && (quantity ?? item.quantity) === item.quantity)
    throw invalidParameterError('The subscription has this price already.', `${at}[items][0][price]`)
  return {
    subscription: id,
    price: loadObject(stripe, account, 'price', price, `${at}[items][0][price]`).id,
    quantity,
    returnUrl: given.after_completion?.redirect.return_url ?? null,
  }
}

interface NewConfiguration {
  isDefault: boolean
  business_profile?: object | undefined
  features: PortalFeatures
  metadata?: Record<string, string> | null | undefined
}

function createConfiguration(
  stripe: Stripe,
  account: StripeAccount,
  given: NewConfiguration,
): PortalConfiguration {
  return insertObject<'billing_portal.configuration'>(stripe, account, {
    id: newStripeId('bpc'),
    object: 'billing_portal.configuration',
    active: true,
    business_profile: given.business_profile ?? {},
    created: secondsNow(stripe),
    features: given.features,
    is_default: given.isDefault,
    livemode: account.isLive,
    metadata: given.metadata ?? {},
  })
}

/**
 * Returns the default configuration of the portal. As at the provider, throws until a person has saved the portal settings in the
 * dashboard.
 */
function defaultConfiguration(stripe: Stripe, account: StripeAccount): PortalConfiguration {
  const found = listObjects(stripe, account, 'billing_portal.configuration').find(({ is_default: is }) => is)
  if (found !== undefined) return found
  throw new StripeFailure(
    400,
    `No configuration provided and your ${account.isLive ? 'live' : 'test'} mode default configuration has not been created. Provide a configuration or create your default by saving your customer portal settings.`,
  )
}
