import { ApiError, invalid } from '../kernel/errors.ts'
import type { PayKey, PaySettings } from './settings.ts'
import { callStripe, idOf, listOf, StripeError, textOrNull } from './stripe.ts'
import type { Product } from './types.ts'
import { type UnvalidatedFields, fieldsOf } from '../kernel/fields.ts'

const PRODUCT_ID = /^[\w-]{1,100}$/
const PROMOTION_CODE = /^[\w-]{1,100}$/
/** How long products are cached: the app shows a changed price after this time at the latest. */
const CACHE_MS = 60_000
const PAGES_MAX = 10

/** A product with the id of its current price. */
export interface Offer extends Product {
  price: string
}

const cachedProducts = new Map<string, { untilMs: number; products: Product[] }>()

/** Returns the products sorted by name. Many projects may share a Stripe account, so its products are read page by page. */
export async function readProducts({ mode, key }: PayKey, project: string): Promise<Product[]> {
  const known = cachedProducts.get(`${mode} ${project}`)
  if (known !== undefined && known.untilMs > Date.now()) return known.products
  const found: UnvalidatedFields[] = []
  for (let after: string | null = '', pages = 0; after !== null && pages < PAGES_MAX; pages++) {
    const from: string = after === '' ? '' : `&starting_after=${encodeURIComponent(after)}`
    const page = await callStripe(key, `/products?active=true&limit=100&expand[]=data.default_price${from}`)
    found.push(...listOf(page))
    after = page['has_more'] === true ? idOf(listOf(page).at(-1)) : null
  }
  const products = found
    .flatMap((one) => offerOfProduct(one, project) ?? [])
    .map(({ price: _price, ...product }) => product)
    .toSorted((a, b) => a.name.localeCompare(b.name))
  cachedProducts.set(`${mode} ${project}`, { untilMs: Date.now() + CACHE_MS, products })
  return products
}

/** Returns a product with its current price. Throws for a product of another project, and for a product that is no longer sold. */
export async function readOffer({ key }: PayKey, project: string, id: unknown): Promise<Offer> {
  const unknown = () => invalid('productId', 'is not a product of this app')
  if (typeof id !== 'string' || !PRODUCT_ID.test(id)) throw unknown()
  try {
    const offer = offerOfProduct(await callStripe(key, `/products/${id}?expand[]=default_price`), project)
    if (offer !== null) return offer
  } catch (error) {
    if (!(error instanceof StripeError) || !error.isMissing) throw error
  }
  throw unknown()
}

function offerOfProduct(product: UnvalidatedFields, project: string): Offer | null {
  const price = fieldsOf(product['default_price'])
  const [id, priceId, amount] = [textOrNull(product['id']), textOrNull(price['id']), price['unit_amount']]
  const isOurs = fieldsOf(product['metadata'])['project'] === project && product['active'] === true
  if (!isOurs || id === null || priceId === null || typeof amount !== 'number') return null
  return {
    id,
    name: textOrNull(product['name']) ?? '',
    amount,
    currency: textOrNull(price['currency']) ?? '',
    interval: (textOrNull(fieldsOf(price['recurring'])['interval']) as Product['interval']) ?? null,
    price: priceId,
  }
}

/** Returns Stripe's id of this project's discount code. Throws for any other code. */
export async function readCode({ key }: PayKey, project: string, code: string): Promise<string> {
  const found = PROMOTION_CODE.test(code)
    ? listOf(await callStripe(key, `/promotion_codes?active=true&limit=10&code=${encodeURIComponent(code)}`))
    : []
  const ours = found.find((one) => fieldsOf(one['metadata'])['project'] === project)
  const id = textOrNull(ours?.['id'])
  if (id === null) throw invalid('code', 'is not a code of this app, or is used up')
  return id
}

/** Returns the Stripe key. Throws when the key or the project is missing. */
export function requireKey(key: PayKey | null, isPreview: boolean, { project }: PaySettings): PayKey {
  if (key === null)
    throw new ApiError(
      'not_enabled',
      isPreview
        ? 'The preview sells in test mode: give the capability pay the Stripe test key.'
        : 'Give the capability pay a Stripe key before the app sells.',
    )
  if (project === '')
    throw new ApiError('not_enabled', 'PAY_PROJECT is missing. Ship this app again, or set it by hand.')
  return key
}
