import { randomBytes } from 'node:crypto'
import { sha256 } from '../../world/ids.ts'
import { type StripeAccount, accountKey, type Stripe, StripeFailure } from '../context.ts'

/** The resources for which a restricted key can get permissions. */
export const KEY_RESOURCES = [
  'product',
  'plan',
  'coupon',
  'promotion_code',
  'checkout_session',
  'customer',
  'subscription',
  'customer_portal',
  'webhook',
  'payment_intent',
  'charge',
  'invoice',
  'event',
] as const
export type KeyResource = (typeof KEY_RESOURCES)[number]
export type Permissions = Partial<Record<KeyResource, 'read' | 'write'>>

interface KeyRow {
  permissions: JsonText<Permissions> | null
  revoked_at: number | null
}

/** The owner of a key. `permissions` is null for a key that may do everything. */
export interface StripeCaller {
  account: StripeAccount
  permissions: Permissions | null
}

const KEY_FORMAT = /^(sk|rk)_(test|live)_local_([A-Za-z0-9]{1,40})(?:_[A-Za-z0-9]+)?$/

/** Every key of this stand-in contains this string. App requests with any other key go to the real Stripe. */
export const KEY_MARK = '_local_'

/**
 * Returns the owner of a key; throws the provider's error for an invalid key. A secret key contains its
 * account (`sk_test_local_<account>`) and is valid until it is revoked. A restricted key must have been
 * created on the page `/stripe/keys`.
 */
export function readCaller(stripe: Stripe, authorization: string | undefined): StripeCaller {
  const key = readKey(authorization ?? '')
  if (key === '')
    throw new StripeFailure(
      401,
      'You did not provide an API key. You need to provide your API key in the Authorization header.',
    )
  const [, kind, mode, name = ''] = KEY_FORMAT.exec(key) ?? []
  const sql = 'SELECT permissions, revoked_at FROM stripe_keys WHERE hash = ?'
  const row = stripe.store.get<KeyRow>(sql, sha256(key))
  const isUnknown = kind === undefined || (kind === 'rk' && row === undefined)
  if (isUnknown || (row !== undefined && row.revoked_at !== null))
    throw new StripeFailure(401, `Invalid API Key provided: ${redactKey(key)}`, { code: 'api_key_invalid' })
  const permissions = row?.permissions ?? null
  return {
    account: { name, isLive: mode === 'live' },
    permissions: permissions === null ? null : JSON.parse(permissions),
  }
}

/** Throws the provider's error when the key lacks a permission. Permission to write includes permission to read. */
export function requirePermission(
  { permissions }: StripeCaller,
  resource: KeyResource,
  need: 'read' | 'write',
  key: string | undefined,
): void {
  if (permissions === null) return
  const given = permissions[resource]
  if (given === 'write' || given === need) return
  throw new StripeFailure(
    403,
    `The provided key '${redactKey(readKey(key ?? ''))}' does not have the required permissions for this endpoint. Having the 'rak_${resource}_${need}' permission would allow this request to continue.`,
    { code: 'more_permissions_required' },
  )
}

/** Creates a restricted key and returns it. Only its digest is stored. */
export function createKey(stripe: Stripe, account: StripeAccount, permissions: Permissions): string {
  const ending = randomBytes(12).toString('hex')
  const key = `rk_${account.isLive ? 'live' : 'test'}${KEY_MARK}${account.name}_${ending}`
  const sql = 'INSERT INTO stripe_keys (hash, room, ending, permissions, created_at) VALUES (?, ?, ?, ?, ?)'
  const values = [
    sha256(key),
    accountKey(account),
    ending.slice(-4),
    JSON.stringify(permissions) satisfies KeyRow['permissions'],
    stripe.now(),
  ]
  stripe.store.run(sql, ...values)
  return key
}

/** Revokes a restricted or secret key. */
export function revokeKey(stripe: Stripe, key: string): void {
  const match = KEY_FORMAT.exec(key)
  if (match === null) return
  const [, , mode, name = ''] = match
  stripe.store.run(
    `INSERT INTO stripe_keys (hash, room, ending, permissions, revoked_at, created_at) VALUES (?, ?, ?, NULL, ?, ?)
     ON CONFLICT (hash) DO UPDATE SET revoked_at = excluded.revoked_at`,
    sha256(key),
    accountKey({ name, isLive: mode === 'live' }),
    key.slice(-4),
    stripe.now(),
    stripe.now(),
  )
}

/** Returns the key, which the provider accepts as a bearer token or as the user name of Basic authentication. */
function readKey(authorization: string): string {
  const [scheme = '', value = ''] = authorization.split(' ')
  if (/^bearer$/i.test(scheme)) return value
  if (!/^basic$/i.test(scheme)) return ''
  return Buffer.from(value, 'base64').toString().split(':')[0] ?? ''
}

const redactKey = (key: string): string => `${key.slice(0, 8)}${'*'.repeat(8)}${key.slice(-4)}`
