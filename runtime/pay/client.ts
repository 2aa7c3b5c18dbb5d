import { callRoute } from '../web/api.ts'
import type { PersonPay } from './server.ts'
import type { Entitlement, Product } from './types.ts'

export { formatPrice } from './price.ts'
export type { Entitlement, Product } from './types.ts'

const PAY_PATH = '/_app/pay'

/** Payments of the person who is signed in on this page. */
export interface BrowserPay extends PersonPay {
  /** Returns what the app sells, sorted by name. */
  products(): Promise<Product[]>
}

const readEntitlements = (): Promise<Entitlement[]> => callRoute('GET', `${PAY_PATH}/entitlements`)

export const pay: BrowserPay = {
  checkout: (productId, { code } = {}) =>
    callRoute('POST', `${PAY_PATH}/checkout`, { productId, code: code ?? null }),
  portal: () => callRoute('POST', `${PAY_PATH}/portal`),
  entitlements: readEntitlements,
  entitled: async (productId) => (await readEntitlements()).some((one) => one.productId === productId),
  products: () => callRoute('GET', `${PAY_PATH}/products`),
}
