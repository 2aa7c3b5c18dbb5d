import { Client } from 'pg'
import { listAllOrganizations } from '../auth/people.ts'
import { deleteOtherKeys, makeKeyring, verifyKeyring } from '../crypto/keyring.ts'
import { readExistingSecrets, replaceSecrets, type Secrets, withNewKey } from '../crypto/secrets.ts'
import { connectionOptions, type Database, transact } from '../db/database.ts'
import { deleteGrantsOfOtherKeys } from '../device/purge-grants.ts'
import { recordActivity } from '../activity/log.ts'
import { AdminError } from '../admin/admin-error.ts'
import { OPERATOR_ACTOR } from '../admin/admin-context.ts'
import { findUnreadable, reencryptSealedValues } from '../admin/sealed-values.ts'
import { blockNewProcesses } from '../jobs/presence.ts'

export interface KeyRotation {
  key: string
  forgotten: string[]
  values: number
}

interface RotateOptions {
  database: Pick<Database, 'db' | 'url'>
  /** Null when the secrets come from an environment variable, which this process cannot change. */
  secretsFile: string | null
  now: Date
  onStep?: (what: string) => void
}

/**
 * Gives the installation a new encryption key: adds it to the secrets file, encrypts every value again and
 * removes the old keys once no value needs them. Can be killed at any point: the file always holds every key
 * that some value needs, and the next call continues. Throws while a process of the service is running,
 * because that process would keep encrypting with the old key.
 */
export async function rotateKeys(options: RotateOptions): Promise<KeyRotation> {
  const { database, secretsFile, onStep = () => {} } = options
  if (secretsFile === null)
    throw new AdminError(
      'The secrets are set in SLIPWAY_SECRETS. Put them into a file, set SLIPWAY_SECRETS_FILE to that file instead, and rotate again.',
    )
  const release = await keepServiceOut(database.url)
  try {
    const secrets = await addKey(secretsFile, options)
    const keyring = makeKeyring(secrets)
    const [newest] = secrets.ring
    if (newest === undefined) throw new AdminError(`${secretsFile} contains no key.`)
    await verifyKeyring(database.db, keyring, options.now)
    onStep(`${newest.id} is stored in the database`)
    const { values, unreadable } = await reencryptSealedValues(database.db, keyring, newest.id, (done) =>
      onStep(`${done} values encrypted again`),
    )
    refuseUnreadable(unreadable)
    const alone: Secrets = { ...secrets, ring: [newest] }
    refuseUnreadable(await findUnreadable(database.db, makeKeyring(alone)))
    onStep(`every value opens with ${newest.id} alone`)
    const forgotten = secrets.ring.slice(1).map(({ id }) => id)
    await forgetInDatabase(options, newest.id, forgotten)
    onStep(`removed ${forgotten.join(', ')} from the database`)
    replaceSecrets(secretsFile, alone)
    onStep(`removed ${forgotten.join(', ')} from ${secretsFile}`)
    return { key: newest.id, forgotten, values }
  } finally {
    await release()
  }
}

/**
 * Adds a new key to the secrets file, unless the file has several keys. Several keys mean that a rotation is
 * unfinished; it continues.
 */
async function addKey(file: string, { database, now, onStep = () => {} }: RotateOptions): Promise<Secrets> {
  const secrets = readExistingSecrets({ text: null, file })
  await verifyKeyring(database.db, makeKeyring(secrets), now)
  if (secrets.ring.length > 1) return secrets
  const more = withNewKey(secrets, now)
  replaceSecrets(file, more)
  onStep(`${more.ring[0]?.id} is in ${file}`)
  return more
}

/** Takes the lock under which service processes register, so that no process can start. Throws when a process is running. */
async function keepServiceOut(url: string): Promise<() => Promise<void>> {
  const client = new Client({ ...connectionOptions(url), application_name: 'slipway rotate-keys' })
  client.on('error', () => {})
  await client.connect()
  try {
    const living = await blockNewProcesses(client)
    if (living.length > 0)
      throw new AdminError(
        `Slipway is running (${living.map(({ role, host }) => `${role} on ${host}`).join(', ')}). Stop every process of it, rotate, and start it again: a running process keeps encrypting with the old key.`,
      )
    return () => client.end()
  } catch (error) {
    await client.end()
    throw error
  }
}

function refuseUnreadable(places: string[]): void {
  if (places.length === 0) return
  const shown = places.slice(0, 5).join(', ')
  const more = places.length > 5 ? ` and ${places.length - 5} more` : ''
  throw new AdminError(
    `${places.length} sealed values open with none of the keys: ${shown}${more}. The old keys stay in place. Set these values again or delete their rows, then rotate again.`,
  )
}

async function forgetInDatabase(
  { database, now }: RotateOptions,
  newest: string,
  old: string[],
): Promise<void> {
  await transact(database.db, async (trx) => {
    // Pending device sign-ins are deleted instead of encrypted again: they last ten minutes, and the device can start again.
    await deleteGrantsOfOtherKeys(trx, newest)
    if (!(await deleteOtherKeys(trx, newest))) return
    for (const { id, name } of await listAllOrganizations(trx))
      await recordActivity(trx, {
        orgId: id,
        at: now,
        provider: 'slipway',
        actor: OPERATOR_ACTOR,
        action: 'encryption_key.rotated',
        target: name,
        status: 'ok',
        detail: `${old.join(', ')} to ${newest}`,
      })
  })
}
