import { useEffect, useState } from 'react'
import { useUser } from '../../auth/ui/use-user.ts'
import { pay } from '../client.ts'
import type { Entitlement, Product } from '../types.ts'

/** Pause between two reads while the news of a payment are still on their way. */
const LOOK_EVERY_MS = 2000
/** A payment that has not arrived within a minute may take days, like a bank transfer. */
const LOOKS_MAX = 30

/** What the app sells, by name; undefined: not known yet. */
export function useProducts(): Product[] | undefined {
  const [products, setProducts] = useState<Product[]>()
  useEffect(() => {
    pay.products().then(setProducts, () => setProducts([]))
  }, [])
  return products
}

/** What the person of this page may use now; undefined: not known yet. */
export function useEntitlements(): Entitlement[] | undefined {
  const user = useUser()
  const [entitlements, setEntitlements] = useState<Entitlement[]>()
  const userId = user === undefined ? undefined : (user?.id ?? null)
  useEffect(() => {
    if (userId === undefined) return
    if (userId === null) return setEntitlements([])
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let looks = 0
    const look = async () => {
      looks += 1
      const found = await pay.entitlements().catch(() => [])
      if (isGone) return
      setEntitlements(found)
      // The browser came back from Stripe before the news of the payment.
      if (
        found.length === 0 &&
        looks < LOOKS_MAX &&
        new URLSearchParams(location.search).get('order') === 'open'
      )
        timer = setTimeout(() => void look(), LOOK_EVERY_MS)
    }
    void look()
    return () => {
      isGone = true
      clearTimeout(timer)
    }
  }, [userId])
  return entitlements
}

/** Whether the person of this page may use a product now; undefined: not known yet. */
export function useEntitled(productId: string): boolean | undefined {
  return useEntitlements()?.some((one) => one.productId === productId)
}
