import { sha256 } from '../../world/ids.ts'
import { type StripeAccount, accountKey, type Stripe, StripeFailure } from '../context.ts'

const KEY_CHARS_MAX = 255
const RETENTION_MS = 24 * 3_600_000

interface StoredResponse {
  digest: string
  response: JsonText<object>
}

interface IdempotentRequest {
  key: string
  method: string
  path: string
  text: string
}

/**
 * Returns the earlier response for an idempotency key; null when there is none. Throws when the key was used with another request, or is
 * too long.
 */
export function findReplay(stripe: Stripe, account: StripeAccount, asked: IdempotentRequest): object | null {
  if (asked.key.length > KEY_CHARS_MAX)
    throw new StripeFailure(400, `Idempotency keys are at most ${KEY_CHARS_MAX} characters long.`, {
      type: 'idempotency_error',
    })
  stripe.store.run('DELETE FROM stripe_idempotency WHERE created_at < ?', stripe.now() - RETENTION_MS)
  const sql = 'SELECT digest, response FROM stripe_idempotency WHERE room = ? AND key = ?'
  const row = stripe.store.get<StoredResponse>(sql, accountKey(account), asked.key)
  if (row === undefined) return null
  if (row.digest === requestDigest(asked)) return JSON.parse(row.response)
  throw new StripeFailure(
    400,
    `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${asked.key}' if you meant to execute a different request.`,
    { type: 'idempotency_error' },
  )
}

/** Stores a response under its idempotency key. Call it in the transaction that makes the response's change. */
export function keepReplay(
  stripe: Stripe,
  account: StripeAccount,
  asked: IdempotentRequest,
  response: object,
): void {
  const sql =
    'INSERT INTO stripe_idempotency (room, key, digest, response, created_at) VALUES (?, ?, ?, ?, ?)'
  stripe.store.run(
    sql,
    accountKey(account),
    asked.key,
    requestDigest(asked),
    JSON.stringify(response) satisfies StoredResponse['response'],
    stripe.now(),
  )
}

const requestDigest = ({ method, path, text }: IdempotentRequest): string =>
  sha256(`${method} ${path}\n${text}`)
