import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Billing } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** A plan that can be bought: neither Free nor a plan that the operator assigns. */
export type SoldPlan = Billing['plans'][number]['plan']

const POLL_MS = 2000
/** With the interval above, polling ends after a minute. The payment provider reports a payment within seconds. */
const POLLS_MAX = 30

/**
 * Pass the plan that was just paid for as `awaited`: the query then polls until the provider has reported the payment, for a minute at
 * most.
 */
export const billingQuery = (awaited?: SoldPlan) =>
  queryOptions({
    queryKey: queryKeys.billing,
    queryFn: ({ signal }) => call(api.getBilling({ signal })),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      awaited === undefined || data?.subscription?.plan === awaited || dataUpdateCount > POLLS_MAX
        ? false
        : POLL_MS,
  })

/** Returns the URL of the page on which the plan is paid for. */
export const startCheckout = (plan: SoldPlan) => call(api.startCheckout({ body: { plan } }))

/** Returns the URL of the payment provider's portal. Throws `conflict` for an organization that has never paid. */
export const openPortal = () => call(api.openPortal())
