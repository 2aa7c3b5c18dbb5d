import * as z from 'zod'
import { endpoint, group } from '../../endpoint.ts'
import { PRICE_INTERVALS } from '../../stripe/catalog.ts'
import { addCode, archiveCode, readCodes } from './codes.ts'
import { Currency } from './declaration.ts'
import { KeyCheck } from '../capability-actions.ts'
import { recheckKey } from './key-check.ts'
import { addProduct, archiveProduct, readProducts, setPrice } from './products.ts'

const Amount = z
  .int()
  .min(1)
  .max(99_999_999)
  .describe('In the smallest unit of the currency: 1200 is 12 dollars, and 1200 yen.')
const Interval = z.enum(PRICE_INTERVALS)

const Product = z
  .object({
    id: z.string(),
    name: z.string(),
    amount: z.int(),
    currency: z.string(),
    interval: Interval.nullable(),
    priceId: z.string().nullable(),
    active: z.boolean(),
    createdAt: z.string(),
  })
  .meta({ id: 'PaymentProduct' })

const Code = z
  .object({
    id: z.string(),
    code: z.string(),
    percentOff: z.number().nullable(),
    amountOff: z.int().nullable(),
    currency: z.string().nullable(),
    duration: z.enum(['once', 'forever']),
    maxRedemptions: z.int().nullable(),
    redeemed: z.int(),
    active: z.boolean(),
  })
  .meta({ id: 'DiscountCode' })

const NewCode = z.object({
  code: z
    .string()
    .regex(/^[A-Za-z0-9-]{3,50}$/, 'must be 3 to 50 letters, digits and dashes')
    .optional()
    .describe('What customers type in. Without it one is made.'),
  percentOff: z.number().min(0.01).max(100).multipleOf(0.01).optional(),
  amountOff: Amount.optional(),
  currency: Currency.optional(),
  maxRedemptions: z.int().min(1).max(1_000_000).optional(),
  duration: z.enum(['once', 'forever']).optional().describe('Of subscriptions. Without it once.'),
})

const OPERATOR_ERRORS = ['not_enabled', 'conflict', 'upstream_error'] as const

/**
 * The routes for keys, products and codes. The routes for orders and entitlements are in `pay.routes.ts`, because the
 * live app stores orders and entitlements.
 */
export const paymentRoutes = group('Payments', {
  checkPaymentKey: endpoint({
    route: 'POST /projects/:projectId/pay/key/check',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Check what the stored Stripe keys may do',
    description:
      'Tries every permission that payments need, without creating anything, and stores the result as `keyCheck` of the capability. The same happens when a key is saved.',
    returns: KeyCheck,
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params }) => recheckKey(ctx, params.projectId),
  }),
  listPaymentProducts: endpoint({
    route: 'GET /projects/:projectId/pay/products',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the products, newest first',
    description: 'The products that Stripe sells to people of the live app, with archived ones.',
    returns: z.array(Product),
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params }) => readProducts(ctx, params.projectId),
  }),
  createPaymentProduct: endpoint({
    route: 'POST /projects/:projectId/pay/products',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Create a product with its price',
    description:
      'With `interval` it is a subscription. It has the same id in test mode and in live mode, where a key is stored for both, so the preview sells it too.',
    body: z.object({
      name: z.string().trim().min(1).max(250).optional(),
      amount: Amount,
      currency: Currency.optional().describe('Without it that of the settings.'),
      interval: Interval.optional(),
    }),
    returns: Product,
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params, body }) => addProduct(ctx, params.projectId, body),
  }),
  setPaymentPrice: endpoint({
    route: 'POST /projects/:projectId/pay/products/:productId/price',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Sell a product at a new price',
    description:
      'Creates a new price for the product; the old price is no longer sold. Existing subscribers keep their price.',
    body: z.object({ amount: Amount, currency: Currency.optional(), interval: Interval.optional() }),
    returns: Product,
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params, body }) => setPrice(ctx, params.projectId, params.productId, body),
  }),
  archivePaymentProduct: endpoint({
    route: 'POST /projects/:projectId/pay/products/:productId/archive',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Stop selling a product',
    description: 'Purchases stay valid, and subscriptions keep billing until they are cancelled.',
    returns: Product,
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params }) => archiveProduct(ctx, params.projectId, params.productId),
  }),
  listDiscountCodes: endpoint({
    route: 'GET /projects/:projectId/pay/codes',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'List the active discount codes, and how often each was redeemed',
    returns: z.array(Code),
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params }) => readCodes(ctx, params.projectId),
  }),
  createDiscountCode: endpoint({
    route: 'POST /projects/:projectId/pay/codes',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Create a discount code',
    description: 'The discount is a percentage, or an amount in one currency.',
    body: NewCode,
    returns: Code,
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params, body }) => addCode(ctx, params.projectId, body),
  }),
  archiveDiscountCode: endpoint({
    route: 'POST /projects/:projectId/pay/codes/:codeId/archive',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'End a discount code',
    description: 'It can no longer be redeemed; those who redeemed it keep the discount.',
    returns: Code,
    fails: [...OPERATOR_ERRORS],
    handle: ({ ctx, params }) => archiveCode(ctx, params.projectId, params.codeId),
  }),
})
