import { sessionOf } from '../kernel/access/session.ts'
import { callPay } from './rpc-client.ts'
import type { Entitlement, Product } from './types.ts'

export type { Entitlement, PaidEvent, Product } from './types.ts'

/** Payments of one person. */
export interface PersonPay {
  /** Returns the address of the Stripe page where the person pays. Throws `conflict` for a product that the person already has. */
  checkout(productId: string, options?: { code?: string }): Promise<{ url: string }>
  /** Returns the address of the Stripe page where the person changes and cancels subscriptions. */
  portal(): Promise<{ url: string }>
  entitlements(): Promise<Entitlement[]>
  entitled(productId: string): Promise<boolean>
}

/** Payments for server code. */
export interface ServerPay {
  as(request: Request): PersonPay
  /** Returns whether a person may use a product now. Checks no access rules. */
  entitled(userId: string, productId: string): Promise<boolean>
  /** Returns what the app sells, sorted by name. */
  products(): Promise<Product[]>
}

export const pay: ServerPay = {
  as(request) {
    const session = sessionOf(request) ?? ''
    const { origin } = new URL(request.url)
    const entitlements = () => callPay('entitlements', { session })
    return {
      checkout: (productId, { code } = {}) =>
        callPay('checkout', { session, productId, code: code ?? null, origin }),
      portal: () => callPay('portal', { session, origin }),
      entitlements,
      entitled: async (productId) => (await entitlements()).some((one) => one.productId === productId),
    }
  },
  entitled: (userId, productId) => callPay('entitled', { userId, productId }),
  products: () => callPay('products', null),
}
