import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto'
import { sql, type QueryExecutorProvider } from 'kysely'
import type { SealedPlace } from './sealed-columns.ts'
import { readSecrets, SecretsError, type Secrets } from './secrets.ts'

export type { SealedPlace } from './sealed-columns.ts'

/**
 * Encrypts values and derives bytes with the keys of this installation
 * (docs/decisions/0034-backups-are-logical-and-keys-rotate-while-stopped.md). A value that was encrypted with an
 * older key can be decrypted as long as the secrets contain that key.
 */
export interface Keyring {
  /** The id of this installation; not secret. */
  installId: string
  /** The secrets that sign session cookies, newest first, in the form that the auth library expects. */
  authSecrets: { version: number; value: string }[]
  /** Encrypts with the newest key. Returns `k1.<iv>.<ciphertext and tag>` in base64url. */
  seal(text: string, place: SealedPlace): string
  /**
   * Decrypts. Throws `UnreadableError` when the value is damaged, when it was encrypted for another row or column,
   * or when its key is not in the secrets.
   */
  open(sealed: string, place: SealedPlace): string
  /** Derives 32 bytes from `text` that only this installation can derive, with the newest key or the key `kid`. */
  derive(purpose: string, text: string, kid?: string): { kid: string; bytes: Buffer }
  /**
   * Returns one check value per key, to compare with the check values in the database. A check value reveals nothing
   * else about its key.
   */
  checkValues(): { kid: string; value: string }[]
}

/**
 * Thrown when an encrypted value cannot be decrypted. The message names its table, column and row, and never contains
 * the value.
 */
export class UnreadableError extends Error {}

const IV_BYTES = 12
const TAG_BYTES = 16

/** Reads the secrets, or creates the secrets file at the first start. Throws `SecretsError` when the secrets are damaged. */
export function loadKeyring(options: { secrets: string | null; file: string }): Keyring {
  return makeKeyring(readSecrets({ text: options.secrets, file: options.file }))
}

/**
 * Returns the keyring of these secrets. The first key encrypts; the others only decrypt. Throws
 * `SecretsError` when there is no key.
 */
export function makeKeyring(secrets: Secrets): Keyring {
  const keys = secrets.ring.map((entry) => {
    const root = Buffer.from(entry.key, 'base64')
    const [seal, check, derive] = [
      deriveSubkey(root, 'seal'),
      deriveSubkey(root, 'check'),
      deriveSubkey(root, 'derive'),
    ]
    return { kid: entry.id, seal, check, derive }
  })
  const newest = keys[0]
  if (!newest) throw new SecretsError('The secrets hold no encryption key.')

  return {
    installId: secrets.installId,
    authSecrets: secrets.auth,
    seal(text, place) {
      const iv = randomBytes(IV_BYTES)
      const cipher = createCipheriv('aes-256-gcm', newest.seal, iv).setAAD(associatedData(place))
      const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
      return `${newest.kid}.${iv.toString('base64url')}.${sealed.toString('base64url')}`
    },
    open(sealed, place) {
      const [kid, iv, body, ...rest] = sealed.split('.')
      const key = keys.find((entry) => entry.kid === kid)
      if (!iv || !body || rest.length > 0) throw unreadableError(place, 'it is not a sealed value')
      if (!key) throw unreadableError(place, `its key ${kid} is not among the secrets`)
      const bytes = Buffer.from(body, 'base64url')
      try {
        const decipher = createDecipheriv('aes-256-gcm', key.seal, Buffer.from(iv, 'base64url'), {
          authTagLength: TAG_BYTES,
        })
        decipher.setAAD(associatedData(place)).setAuthTag(bytes.subarray(-TAG_BYTES))
        return decipher.update(bytes.subarray(0, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
      } catch (cause) {
        throw unreadableError(place, 'it was changed or belongs elsewhere', cause)
      }
    },
    derive(purpose, text, kid = newest.kid) {
      const key = keys.find((entry) => entry.kid === kid)
      if (!key)
        throw new UnreadableError(
          `A value of ${purpose} needs the key ${kid}, which is not among the secrets.`,
        )
      return { kid, bytes: createHmac('sha256', key.derive).update(`${purpose}|${text}`).digest() }
    },
    checkValues: () =>
      keys.map(({ kid, check }) => ({
        kid,
        value: createHmac('sha256', check).update(kid).digest('base64url'),
      })),
  }
}

/**
 * Compares the keys with those that the database records, and records the newest key. Throws when they do not match.
 * Stored credentials could then not be decrypted, which would otherwise be noticed only at their next use. Older keys
 * are not recorded, because a key rotation may be removing them at this moment.
 */
export async function verifyKeyring(db: QueryExecutorProvider, keyring: Keyring, now: Date): Promise<void> {
  // The keys are compared again after the insert, because two services that start for the first time at once may record different keys.
  await compareCheckValues(db, keyring)
  const [newest] = keyring.checkValues()
  await sql`
    insert into encryption_keys (kid, check_value, created_at) values (${newest?.kid}, ${newest?.value}, ${now})
    on conflict (kid) do nothing`.execute(db)
  await compareCheckValues(db, keyring)
}

/** Deletes the records of all keys except `keyId`. Returns whether any record was deleted. */
export async function deleteOtherKeys(db: QueryExecutorProvider, keyId: string): Promise<boolean> {
  const { numAffectedRows = 0n } = await sql`delete from encryption_keys where kid <> ${keyId}`.execute(db)
  return numAffectedRows > 0n
}

async function compareCheckValues(db: QueryExecutorProvider, keyring: Keyring): Promise<void> {
  const held = new Map(keyring.checkValues().map(({ kid, value }) => [kid, value]))
  const { rows } = await sql<{
    kid: string
    check_value: string
  }>`select kid, check_value from encryption_keys`.execute(db)
  for (const row of rows) {
    const value = held.get(row.kid)
    if (value !== undefined && equalInConstantTime(value, row.check_value)) continue
    throw new SecretsError(
      `This database was encrypted with another key ${row.kid}: start with the secrets.json it was created with, or set SLIPWAY_SECRETS_FILE to it.`,
    )
  }
}

// Derives one key per purpose, so that a key that becomes known reveals nothing about the others (RFC 5869, "info").
function deriveSubkey(root: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, Buffer.alloc(0), `slipway ${purpose}`, 32))
}

function associatedData(place: SealedPlace): Buffer {
  return Buffer.from([place.table, place.id, place.column, place.organizationId].join('|'))
}

function unreadableError(place: SealedPlace, why: string, cause?: unknown): UnreadableError {
  return new UnreadableError(`${place.table}.${place.column} of ${place.id} cannot be read: ${why}.`, {
    cause,
  })
}

function equalInConstantTime(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))
}
