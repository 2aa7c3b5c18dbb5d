import * as z from 'zod'
import { capability } from '../capability.ts'

const Path = z
  .string()
  .max(200)
  .regex(/^\/(?!\/)/, 'must be a path of the app, like /thanks')
const stripeKey = (mode: 'live' | 'test') =>
  z.string().regex(new RegExp(`^(sk|rk)_${mode}_\\w{8,250}$`), `must be a ${mode} key of Stripe`)

/** Products, checkout and what people bought. */
export const pay = capability({
  key: 'pay',
  title: 'Payments',
  about: 'The app sells products and subscriptions with Stripe.',
  cost: "Stripe's fees per payment",
  settings: z.object({
    currency: z
      .string()
      .regex(/^[a-z]{3}$/, 'must be a currency code like usd')
      .default('usd')
      .meta({
        title: 'Currency',
        description: 'Of new products, where none is named.',
      }),
    successPath: Path.default('/').meta({
      title: 'Page after a payment',
      description: 'A path of the app.',
    }),
    cancelPath: Path.default('/').meta({
      title: 'Page after a payment was broken off',
      description: 'A path of the app.',
    }),
    portal: z.boolean().default(true).meta({
      title: 'People manage their subscription',
      description: "On Stripe's own pages.",
    }),
    trialDays: z.int().min(0).max(90).default(0).meta({
      title: 'Days of trial',
      description: 'Of new subscriptions.',
    }),
  }),
  secrets: () => ({
    stripeKey: {
      schema: stripeKey('live'),
      title: 'Stripe key',
      description: 'For the live app.',
      binding: 'STRIPE_KEY',
    },
    stripeTestKey: {
      schema: stripeKey('test'),
      title: 'Stripe test key',
      description: 'For the preview.',
      binding: 'STRIPE_TEST_KEY',
    },
  }),
  dependsOn: () => ['auth'],
})
