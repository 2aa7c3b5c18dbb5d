import { callStripe, listOf, StripeError, textOrNull } from './stripe.ts'
import { fieldsOf } from '../kernel/fields.ts'

interface PortalRequest {
  key: string
  project: string
  customer: string
  returnUrl: string
}

const PORTAL_PATH = '/billing_portal'

/** Returns the address of Stripe's customer portal, where a person manages subscriptions. */
export async function openPortal(portal: PortalRequest): Promise<string> {
  try {
    return await openPortalWith(portal, null)
  } catch (error) {
    // Status 400 without `param` in the error means that the account has no saved portal settings, so create them below.
    if (!(error instanceof StripeError) || error.status !== 400 || error.param !== null) throw error
  }
  return openPortalWith(portal, await portalConfigurationId(portal))
}

async function openPortalWith(
  { key, customer, returnUrl }: PortalRequest,
  configuration: string | null,
): Promise<string> {
  const form = new URLSearchParams({ customer, return_url: returnUrl })
  if (configuration !== null) form.set('configuration', configuration)
  const made = await callStripe(key, `${PORTAL_PATH}/sessions`, { method: 'POST', form: form.toString() })
  const url = textOrNull(made['url'])
  if (url === null) throw new Error('Stripe returned a portal without a URL')
  return url
}

/** Returns this project's portal settings, which are created once. */
async function portalConfigurationId({ key, project }: PortalRequest): Promise<string | null> {
  const all = listOf(await callStripe(key, `${PORTAL_PATH}/configurations?active=true&limit=100`))
  const known = all.find((one) => fieldsOf(one['metadata'])['project'] === project)
  if (known !== undefined) return textOrNull(known['id'])
  const form = new URLSearchParams({
    'features[subscription_cancel][enabled]': 'true',
    'features[payment_method_update][enabled]': 'true',
    'features[invoice_history][enabled]': 'true',
    'metadata[project]': project,
  }).toString()
  const once = `${project} portal`
  return textOrNull(
    (await callStripe(key, `${PORTAL_PATH}/configurations`, { method: 'POST', form, once }))['id'],
  )
}
