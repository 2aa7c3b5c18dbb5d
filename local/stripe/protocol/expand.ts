import { invalidParameterError, type StripeAccount, type Stripe } from '../context.ts'
import { findObjectOfAnyKind } from '../objects.ts'
import type { FormValue } from './form.ts'

/** Replaces ids by their objects, at paths such as `default_price` or `data.default_price`. */
export function expandAll(
  stripe: Stripe,
  account: StripeAccount,
  body: object,
  paths: FormValue | undefined,
): object {
  const copy = structuredClone(body)
  for (const path of Array.isArray(paths) ? paths : []) {
    if (typeof path === 'string') expandPath(stripe, account, copy, path.split('.'), path)
  }
  return copy
}

function expandPath(
  stripe: Stripe,
  account: StripeAccount,
  target: unknown,
  parts: string[],
  whole: string,
): void {
  if (Array.isArray(target)) {
    for (const item of target) expandPath(stripe, account, item, parts, whole)
    return
  }
  const [field, ...rest] = parts
  if (field === undefined || typeof target !== 'object' || target === null) return
  const record = target as Record<string, unknown>
  if (!Object.hasOwn(record, field))
    throw invalidParameterError(
      `This property cannot be expanded (${whole}).`,
      'expand',
      'property_cannot_be_expanded',
    )
  const value = record[field]
  if (typeof value === 'string') record[field] = findObjectOfAnyKind(stripe, account, value) ?? value
  expandPath(stripe, account, record[field], rest, whole)
}
