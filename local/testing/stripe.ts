import { Hono } from 'hono'
import { Stripe } from 'stripe'
import { Faults } from '../faults/faults.ts'
import { stripePages } from '../stripe/pages/routes.ts'
import { stripeRoutes } from '../stripe/routes.ts'
import { openStripe } from '../stripe/stripe.ts'
import { Journal } from '../world/journal.ts'
import { silentLog } from '../world/log.ts'
import { openStore } from '../schema.ts'
import { press, readForm } from './forms.ts'
import { HeldClock } from './held-clock.ts'

export interface TestStripe {
  /** Returns Stripe's own client with a key. The client does not retry. */
  client(key?: string): Stripe
  /** Sends a request to the API without a client. */
  request(path: string, init?: RequestInit): Promise<Response>
  clock: HeldClock
  /** Opens a hosted page. */
  show(url: string): Promise<string>
  /** Presses a button of a hosted page, with these fields changed. */
  submit(url: string, button: [string, string], fields?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export const TEST_KEY = 'sk_test_local_shop'

/** Creates the payment provider over a store, by default in memory. Clients and pages reach it without a socket. */
export function testStripe(clock = new HeldClock(), path = ':memory:'): TestStripe {
  const store = openStore(path)
  const journal = new Journal(store)
  const pagesUrl = () => 'http://stripe.test/stripe'
  const faults = new Faults(0)
  const stripe = openStripe({ store, journal, faults, log: silentLog, pagesUrl, clock, timeScale: 0 })
  stripe.start()
  const app = new Hono().route('/v1', stripeRoutes(stripe)).route('/stripe', stripePages(stripe))
  const request = async (path: string, init?: RequestInit) => app.request(path, init)
  const show = async (url: string) => (await request(url)).text()
  const toApp: typeof fetch = async (input, init) => app.request(new Request(input, init))
  return {
    clock,
    request,
    show,
    client: (key = TEST_KEY) =>
      new Stripe(key, { httpClient: Stripe.createFetchHttpClient(toApp), maxNetworkRetries: 0 }),
    submit: async (url, [name, value], fields = {}) => {
      const form = press(readForm(await show(url)), name, value)
      for (const [field, text] of Object.entries(fields)) form.set(field, text)
      return request(url, { method: 'POST', body: form })
    },
    close: async () => {
      await stripe.close()
      journal.flush()
      store.close()
    },
  }
}
