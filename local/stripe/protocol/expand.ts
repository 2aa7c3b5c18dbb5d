import { invalid, type Room, type Stripe } from '../context.ts'
import { findAny } from '../objects.ts'
import type { FormValue } from './form.ts'

/** Replaces ids by their objects, at paths such as `default_price` or `data.default_price`. */
export function expandAll(stripe: Stripe, room: Room, body: object, paths: FormValue | undefined): object {
  const copy = structuredClone(body)
  for (const path of Array.isArray(paths) ? paths : []) {
    if (typeof path === 'string') expandPath(stripe, room, copy, path.split('.'), path)
  }
  return copy
}

function expandPath(stripe: Stripe, room: Room, target: unknown, parts: string[], whole: string): void {
  if (Array.isArray(target)) {
    for (const item of target) expandPath(stripe, room, item, parts, whole)
    return
  }
  const [field, ...rest] = parts
  if (field === undefined || typeof target !== 'object' || target === null) return
  const record = target as Record<string, unknown>
  if (!Object.hasOwn(record, field))
    throw invalid(`This property cannot be expanded (${whole}).`, 'expand', 'property_cannot_be_expanded')
  const value = record[field]
  if (typeof value === 'string') record[field] = findAny(stripe, room, value) ?? value
  expandPath(stripe, room, record[field], rest, whole)
}
