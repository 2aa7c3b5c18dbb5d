import { randomBytes } from 'node:crypto'
import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { applyFaults, InjectedFailure } from '../faults/apply-faults.ts'
import { sha256 } from '../world/ids.ts'
import { customerOperations } from './buying/customers.ts'
import { invoiceOperations } from './buying/invoices.ts'
import { paymentOperations } from './buying/payments.ts'
import { portalOperations } from './buying/portal.ts'
import { sessionOperations } from './buying/sessions.ts'
import { subscriptionOperations } from './buying/subscriptions.ts'
import { couponOperations, promotionCodeOperations } from './catalog/codes.ts'
import { priceOperations } from './catalog/prices.ts'
import { productOperations } from './catalog/products.ts'
import { accountKey, type Stripe, StripeFailure } from './context.ts'
import { endpointOperations, eventOperations } from './events/endpoints.ts'
import { API_VERSION } from './events/emit.ts'
import { expandAll } from './protocol/expand.ts'
import { decodeForm } from './protocol/form.ts'
import { findReplay, keepReplay } from './protocol/idempotency.ts'
import { type StripeCaller, readCaller, requirePermission } from './protocol/keys.ts'
import type { Operation } from './protocol/operation.ts'

const STRIPE_OPERATIONS: Operation[] = [
  ...productOperations,
  ...priceOperations,
  ...couponOperations,
  ...promotionCodeOperations,
  ...customerOperations,
  ...sessionOperations,
  ...paymentOperations,
  ...subscriptionOperations,
  ...invoiceOperations,
  ...portalOperations,
  ...endpointOperations,
  ...eventOperations,
]

interface StripeEnv {
  Variables: {
    requestId: string
    caller: StripeCaller
    body: string
    fault: string
    isUnimplemented: boolean
  }
}

/** Mounted at /v1, because Stripe's own client calls no other path. */
export function stripeRoutes(stripe: Stripe): Hono<StripeEnv> {
  const app = new Hono<StripeEnv>()
    .use(async (c, next) => {
      c.set('requestId', `req_${randomBytes(7).toString('hex')}`)
      c.set('body', c.req.method === 'POST' ? await c.req.text() : '')
      await next()
      c.res.headers.set('Request-Id', c.get('requestId'))
      c.res.headers.set('Stripe-Version', c.req.header('stripe-version') ?? API_VERSION)
    })
    .use(writeJournal(stripe))
    .use(async (c, next) => {
      c.set('caller', readCaller(stripe, c.req.header('authorization')))
      await next()
    })
    .use(injectFaults(stripe))
  for (const operation of STRIPE_OPERATIONS) {
    app.on(operation.method, operation.path, (c) => {
      const caller = c.get('caller')
      const need = operation.method === 'GET' ? 'read' : 'write'
      requirePermission(caller, operation.resource, need, c.req.header('authorization'))
      const query = new URL(c.req.url).search.slice(1)
      const text = [query, c.get('body')].filter((part) => part !== '').join('&')
      const key = operation.method === 'POST' ? (c.req.header('idempotency-key') ?? null) : null
      const asked = key === null ? null : { key, method: operation.method, path: c.req.path, text }
      const { account } = caller
      const params = decodeForm(text)
      const answer = stripe.store.transact(() => {
        const replay = asked === null ? null : findReplay(stripe, account, asked)
        if (replay !== null) return { body: replay, isReplay: true }
        const request = { id: c.get('requestId'), idempotencyKey: key }
        const made = operation.run({ stripe, account, params, id: c.req.param('id') ?? '', request })
        const body = expandAll(stripe, account, made, params['expand'])
        if (asked !== null) keepReplay(stripe, account, asked, body)
        return { body, isReplay: false }
      })
      stripe.deliveries.check()
      return c.json(answer.body, 200, answer.isReplay ? { 'Idempotent-Replayed': 'true' } : {})
    })
  }
  app.all('*', (c) => {
    c.set('isUnimplemented', true)
    const said = `Unrecognized request URL (${c.req.method}: ${c.req.path}).`
    return c.json(new StripeFailure(404, said).body, 404)
  })
  app.onError((error, c) => {
    const failure = error instanceof InjectedFailure ? asStripeFailure(error) : error
    if (failure instanceof StripeFailure)
      return c.json(failure.body, failure.status as 400, failure.more.headers ?? {})
    stripe.log.warn('a call to the local payment provider failed', {
      path: c.req.path,
      error: error.stack ?? String(error),
    })
    return c.json({ error: { type: 'api_error', message: 'An unexpected error occurred.' } }, 500)
  })
  return app
}

const accountKeyOfCaller = (c: { var: Partial<StripeEnv['Variables']> }): string | null =>
  c.var.caller === undefined ? null : accountKey(c.var.caller.account)

function writeJournal(stripe: Stripe) {
  return createMiddleware<StripeEnv>(async (c, next) => {
    await next()
    const body = c.get('body')
    stripe.journal.add({
      at: stripe.now(),
      provider: 'stripe',
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      accountId: accountKeyOfCaller(c),
      bodyDigest: body === '' ? null : sha256(body),
      fault: c.get('fault') ?? null,
      isUnimplemented: c.get('isUnimplemented') ?? false,
    })
  })
}

/**
 * Injects the faults that a test has requested. A request also gets a fault when the name of its product or the
 * host of its webhook endpoint contains a fault token such as `fail-500`.
 */
function injectFaults({ faults }: Stripe) {
  if (faults === null) return createMiddleware<StripeEnv>((_c, next) => next())
  return applyFaults({
    faults,
    provider: 'stripe',
    accountOf: (c) => accountKeyOfCaller(c),
    namesOf: async (c) => {
      const form = new URLSearchParams(c.get('body') as string)
      const url = form.get('url') ?? ''
      return [form.get('name') ?? '', URL.canParse(url) ? new URL(url).hostname : '']
    },
  })
}

/** The fault injector returns errors in the format of Cloudflare, so convert them to the format of Stripe. */
function asStripeFailure({ status, message, headers }: InjectedFailure): StripeFailure {
  if (status === 429) return new StripeFailure(429, message, { code: 'rate_limit', headers })
  if (status === 403) return new StripeFailure(403, message, { code: 'more_permissions_required', headers })
  return new StripeFailure(status, message, {
    type: status >= 500 ? 'api_error' : 'invalid_request_error',
    headers,
  })
}
