import { callRoute } from '../web/api.ts'
import type { PersonPay } from './server.ts'
import type { Entitlement, Product } from './types.ts'

const BASE = '/_app/pay'

/** Payments of the person who is signed in on this page. */
export interface BrowserPay extends PersonPay {
  /** Returns what the app sells, sorted by name. */
  products(): Promise<Product[]>
}

const readEntitlements = (): Promise<Entitlement[]> => callRoute('GET', `${BASE}/entitlements`)

export const pay: BrowserPay = {
  checkout: (productId, { code } = {}) =>
    callRoute('POST', `${BASE}/checkout`, { productId, code: code ?? null }),
  portal: () => callRoute('POST', `${BASE}/portal`),
  entitlements: readEntitlements,
  entitled: async (productId) => (await readEntitlements()).some((one) => one.productId === productId),
  products: () => callRoute('GET', `${BASE}/products`),
}
