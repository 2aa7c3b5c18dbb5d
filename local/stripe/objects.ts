import { randomBytes } from 'node:crypto'
import { noSuchObjectError, type StripeAccount, accountKey, type Stripe } from './context.ts'
import type { HiddenFields, ObjectKind, Objects } from './types.ts'

interface ObjectRow<K extends ObjectKind> {
  body: JsonText<Objects[K]>
}

/** Returns an id in the provider's format, such as `prod_Ab12...`. */
export function newStripeId(prefix: string): string {
  return `${prefix}_${randomBytes(18).toString('base64url').replaceAll(/[-_]/g, 'x')}`
}

export function insertObject<K extends ObjectKind>(
  stripe: Stripe,
  account: StripeAccount,
  object: Objects[K],
  hidden: object = {},
) {
  const values = [
    accountKey(account),
    object.id,
    object.object,
    JSON.stringify(object),
    JSON.stringify(hidden),
  ]
  stripe.store.run(
    'INSERT INTO stripe_objects (room, id, object, body, hidden) VALUES (?, ?, ?, ?, ?)',
    ...values,
  )
  return object
}

/** Returns an object; null when the account and mode have no such object. */
export function findObject<K extends ObjectKind>(
  stripe: Stripe,
  account: StripeAccount,
  kind: K,
  id: string,
): Objects[K] | null {
  const sql = 'SELECT body FROM stripe_objects WHERE room = ? AND id = ? AND object = ?'
  const row = stripe.store.get<ObjectRow<K>>(sql, accountKey(account), id, kind)
  return row === undefined ? null : JSON.parse(row.body)
}

/** Returns an object. Throws the provider's error when there is no such object. */
export function loadObject<K extends ObjectKind>(
  stripe: Stripe,
  account: StripeAccount,
  kind: K,
  id: string,
  param?: string,
) {
  const found = findObject(stripe, account, kind, id)
  if (found === null) throw noSuchObjectError(kind.replaceAll(/[._]/g, ' '), id, param)
  return found
}

/** Returns values that are stored with an object, such as its card, and never appear in API responses. */
export function hiddenFieldsOf<K extends keyof HiddenFields>(
  stripe: Stripe,
  account: StripeAccount,
  kind: K,
  id: string,
): HiddenFields[K] {
  const sql = 'SELECT hidden FROM stripe_objects WHERE room = ? AND id = ? AND object = ?'
  const row = stripe.store.get<{ hidden: JsonText<HiddenFields[K]> }>(sql, accountKey(account), id, kind)
  if (row === undefined) throw noSuchObjectError(kind, id)
  return JSON.parse(row.hidden)
}

export function storeHiddenFields<K extends keyof HiddenFields>(
  stripe: Stripe,
  account: StripeAccount,
  { kind, id, hidden }: { kind: K; id: string; hidden: HiddenFields[K] },
): void {
  const sql = 'UPDATE stripe_objects SET hidden = ? WHERE room = ? AND object = ? AND id = ?'
  stripe.store.run(sql, JSON.stringify(hidden), accountKey(account), kind, id)
}

export function saveObject<K extends ObjectKind>(
  stripe: Stripe,
  account: StripeAccount,
  object: Objects[K],
): Objects[K] {
  const sql = 'UPDATE stripe_objects SET body = ? WHERE room = ? AND object = ? AND id = ?'
  stripe.store.run(sql, JSON.stringify(object), accountKey(account), object.object, object.id)
  return object
}

export function deleteObject(stripe: Stripe, account: StripeAccount, kind: ObjectKind, id: string): void {
  const sql = 'DELETE FROM stripe_objects WHERE room = ? AND object = ? AND id = ?'
  stripe.store.run(sql, accountKey(account), kind, id)
}

/**
 * Replaces an object by what the provider still returns after its deletion. Used for kinds of objects that the provider returns as deleted.
 */
export function markDeleted(stripe: Stripe, account: StripeAccount, kind: ObjectKind, id: string): object {
  const remains = { id, object: kind, deleted: true }
  const sql = 'UPDATE stripe_objects SET object = ?, body = ? WHERE room = ? AND object = ? AND id = ?'
  stripe.store.run(sql, `deleted.${kind}`, JSON.stringify(remains), accountKey(account), kind, id)
  return remains
}

/** Returns what remains of a deleted object; null when there is none. */
export function findDeleted(
  stripe: Stripe,
  account: StripeAccount,
  kind: ObjectKind,
  id: string,
): object | null {
  const sql = 'SELECT body FROM stripe_objects WHERE room = ? AND id = ? AND object = ?'
  const row = stripe.store.get<{ body: JsonText<object> }>(sql, accountKey(account), id, `deleted.${kind}`)
  return row === undefined ? null : JSON.parse(row.body)
}

/** Lists all objects of a kind, newest first. */
export function listObjects<K extends ObjectKind>(
  stripe: Stripe,
  account: StripeAccount,
  kind: K,
): Objects[K][] {
  const sql = 'SELECT body FROM stripe_objects WHERE room = ? AND object = ? ORDER BY seq DESC'
  return stripe.store.all<ObjectRow<K>>(sql, accountKey(account), kind).map(({ body }) => JSON.parse(body))
}

/** Returns an object of any kind, for `expand`; null when there is none. */
export function findObjectOfAnyKind(stripe: Stripe, account: StripeAccount, id: string): object | null {
  const sql = 'SELECT body FROM stripe_objects WHERE room = ? AND id = ?'
  const row = stripe.store.get<ObjectRow<ObjectKind>>(sql, accountKey(account), id)
  return row === undefined ? null : JSON.parse(row.body)
}

/**
 * Finds the object of a hosted page in any account and mode, because the URL of the page contains only the id
 * of the object.
 */
export function findPageObject<K extends ObjectKind>(
  stripe: Stripe,
  kind: K,
  id: string,
): { account: StripeAccount; object: Objects[K] } | null {
  const sql = 'SELECT room, body FROM stripe_objects WHERE id = ? AND object = ?'
  const row = stripe.store.get<ObjectRow<K> & { room: string }>(sql, id, kind)
  return row === undefined ? null : { account: accountOfKey(row.room), object: JSON.parse(row.body) }
}

/**
 * Returns the accounts, each in one mode, that have objects of this kind. Used by timers, which run without an
 * authenticated account.
 */
export function accountsWith(stripe: Stripe, kind: ObjectKind): StripeAccount[] {
  const sql = 'SELECT DISTINCT room FROM stripe_objects WHERE object = ? ORDER BY room'
  return stripe.store.all<{ room: string }>(sql, kind).map(({ room }) => accountOfKey(room))
}

/** The inverse of `accountKey`. */
export function accountOfKey(key: string): StripeAccount {
  const at = key.lastIndexOf('/')
  return { name: key.slice(0, at), isLive: key.slice(at + 1) === 'live' }
}
