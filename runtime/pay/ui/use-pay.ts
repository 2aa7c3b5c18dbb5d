import { useEffect, useState } from 'react'
import { useUser } from '../../auth/ui/use-user.ts'
import { pay } from '../client.ts'
import type { Entitlement, Product } from '../types.ts'

/** The pause between two reads while the event of a payment has not arrived. */
const POLL_MS = 2000
/** Stop after a minute: a payment that takes longer, such as a bank transfer, may take days. */
const POLLS_MAX = 30

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
    if (userId === undefined) return
    if (userId === null) return setEntitlements([])
    let timer: ReturnType<typeof setTimeout> | undefined
    let isGone = false
    let looks = 0
    const readEntitlements = async () => {
      looks += 1
      const found = await pay.entitlements().catch(() => [])
      if (isGone) return
      setEntitlements(found)
      // The browser has returned from Stripe, but the event of the payment has not arrived yet.
      if (
        found.length === 0 &&
        looks < POLLS_MAX &&
        new URLSearchParams(location.search).get('order') === 'open'
      )
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
