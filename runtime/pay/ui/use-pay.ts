import { useEffect, useState } from 'react'
import { useUser } from '../../auth/ui/use-user.ts'
import { ApiError } from '../../kernel/errors.ts'
import { pay } from '../client.ts'
import type { Entitlement, Product } from '../types.ts'

/** The pause between two reads while the event of a payment has not arrived. */
const POLL_MS = 2000
/** Stop after a minute: a payment that takes longer, such as a bank transfer, may take days. */
const POLLS_MAX = 30

/** Returns whether a request may succeed when it is repeated. */
const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && ['unavailable', 'server_error', 'rate_limited'].includes(error.code)

/** Returns what the app sells, sorted by name; undefined while loading. */
export function useProducts(): Product[] | undefined {
  const [products, setProducts] = useState<Product[]>()
  useEffect(() => {
    pay.products().then(setProducts, () => setProducts([]))
  }, [])
  return products
}

/** Returns what the signed-in person may use now; undefined while loading. */
export function useEntitlements(): Entitlement[] | undefined {
  const user = useUser()
  const [entitlements, setEntitlements] = useState<Entitlement[]>()
  const userId = user === undefined ? undefined : (user?.id ?? null)
  useEffect(() => {
    setEntitlements(userId === null ? [] : undefined)
    if (userId === undefined || userId === null) return
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let looks = 0
    let first: string | undefined
    const readEntitlements = async () => {
      looks += 1
      // A failed read is repeated, because a person who has paid must not be shown as one who has bought nothing.
      const found = await pay.entitlements().catch((error: unknown) => (isPassing(error) ? null : []))
      if (isGone) return
      if (found !== null) setEntitlements(found)
      const text = found === null ? undefined : JSON.stringify(found)
      first ??= text
      // The browser has returned from Stripe, but the event of the payment has not arrived yet.
      const isOpen = new URLSearchParams(location.search).get('order') === 'open'
      if (found === null || (isOpen && text === first && looks < POLLS_MAX))
        timer = setTimeout(() => void readEntitlements(), POLL_MS)
    }
    void readEntitlements()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [userId])
  return entitlements
}

/** Returns whether the signed-in person may use a product now; undefined while loading. */
export function useEntitled(productId: string): boolean | undefined {
  return useEntitlements()?.some((one) => one.productId === productId)
}
