import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

const Path = z
  .string()
  .max(200)
  // Browsers read a backslash as a slash, and drop tabs and line breaks.
  .regex(/^\/(?!\/)[^\\\p{Cc}]*$/u, 'must be a path of the app, like /thanks')
const stripeKey = (mode: 'live' | 'test') =>
  z.string().regex(new RegExp(`^(sk|rk)_${mode}_\\w{8,250}$`), `must be a ${mode} key of Stripe`)

export const Currency = z.string().regex(/^[a-z]{3}$/, 'must be a currency code like usd')

export const PaySettings = z.object({
  currency: Currency.default('usd').meta({
    title: 'Currency',
    examples: ['eur'],
    description: 'For new products without a currency.',
  }),
  successPath: Path.default('/').meta({
    title: 'Page after a payment',
    examples: ['/thanks'],
    description: 'A path of the app.',
  }),
  cancelPath: Path.default('/').meta({
    title: 'Page after a cancelled payment',
    description: 'A path of the app.',
  }),
  portal: z.boolean().default(true).meta({
    title: 'People manage their subscriptions',
    description: "On Stripe's own pages.",
  }),
  trialDays: z.int().min(0).max(90).default(0).meta({
    title: 'Days of trial',
    description: 'For new subscriptions.',
  }),
})

/** The names of the secrets that verify Stripe's events, by Stripe mode. */
export const ENDPOINT_SECRETS = { live: 'webhookSecret', test: 'testWebhookSecret' } as const

const endpointSecret = (binding: string, mode: string) => ({
  binding,
  description: `the signing secret of the ${mode} endpoint at Stripe (\`whsec_...\`)`,
  // Stripe generates the secret when the endpoint is created.
  make: null,
})

export const pay = capability({
  key: 'pay',
  title: 'Payments',
  about: 'The app sells products and subscriptions with Stripe.',
  cost: 'By payment. Stripe deducts its fee from each payment',
  erasure: 'in part.ts',
  settings: PaySettings,
  secrets: () => ({
    stripeKey: {
      schema: stripeKey('live'),
      title: 'Stripe key',
      description: 'For the live app. Until there is one, the live app sells in test mode.',
      binding: 'STRIPE_KEY',
    },
    stripeTestKey: {
      schema: stripeKey('test'),
      title: 'Stripe test key',
      description: 'For the preview.',
      binding: 'STRIPE_TEST_KEY',
    },
  }),
  generated: {
    [ENDPOINT_SECRETS.live]: endpointSecret('STRIPE_WEBHOOK_SECRET', 'live'),
    [ENDPOINT_SECRETS.test]: endpointSecret('STRIPE_TEST_WEBHOOK_SECRET', 'test'),
  },
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  callsApp: () => true,
  variables: ({ successPath, cancelPath, portal, trialDays }, projectId) => ({
    PAY_PROJECT: projectId,
    PAY_SUCCESS_PATH: successPath,
    PAY_CANCEL_PATH: cancelPath,
    PAY_PORTAL: String(portal),
    PAY_TRIAL_DAYS: String(trialDays),
  }),
  byHand:
    'Payments need `STRIPE_KEY`, or `STRIPE_TEST_KEY` to take test cards only, and a webhook endpoint at Stripe that ' +
    'sends the events of checkouts, subscriptions, invoices and refunds to `/_app/pay/webhook` of the app. Its signing ' +
    'secret is `STRIPE_WEBHOOK_SECRET`, with a test key `STRIPE_TEST_WEBHOOK_SECRET`. Products and codes belong to the ' +
    'app when their metadata `project` is `PAY_PROJECT`.',
  dependsOn: () => ['auth'],
})
