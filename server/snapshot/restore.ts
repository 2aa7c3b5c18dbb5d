import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Client } from 'pg'
import type { Logger } from 'pino'
import { AdminError } from '../admin/admin-error.ts'
import { findUnreadable } from '../admin/sealed-values.ts'
import { makeKeyring, verifyKeyring } from '../crypto/keyring.ts'
import { readExistingSecrets, type Secrets } from '../crypto/secrets.ts'
import { openDatabase } from '../db/database.ts'
import { startEmbedded } from '../db/embedded.ts'
import { migrate, readMigrations } from '../db/migrate.ts'
import { copyFolder } from './local-files.ts'
import { resolveInside, type SnapshotManifest, readBackupManifest, verifyFiles } from './manifest.ts'
import { markUnfinishedRestore } from './restore-mark.ts'
import { loadTables, openSession } from './tables.ts'

interface RestoreOptions {
  folder: string
  dataDir: string
  /** Null creates a new embedded Postgres in the data directory. */
  databaseUrl: string | null
  log: Logger
  now: Date
  onStep?: (what: string) => void
}

/**
 * Restores a backup into an empty or missing data directory, and into a new embedded Postgres there or an
 * empty database. Checks everything before it creates anything. A service refuses to start on an unfinished
 * restore.
 */
export async function restore(options: RestoreOptions): Promise<SnapshotManifest> {
  const { folder, dataDir, onStep = () => {} } = options
  await requireEmptyDataFolder(dataDir)
  const manifest = readBackupManifest(folder)
  await refuseNewer(manifest)
  await verifyFiles(folder, manifest)
  const secrets = readExistingSecrets({ text: null, file: resolveInside(folder, 'secrets.json') })
  onStep(`The backup of ${manifest.createdAt} is whole: ${manifest.files.length} files`)
  await mkdir(dataDir, { recursive: true, mode: 0o711 })
  const finish = markUnfinishedRestore(dataDir)
  if (manifest.hasLocalWorld) {
    await copyFolder(join(folder, 'local'), join(dataDir, 'local'))
    onStep('The local world is back')
  }
  await restoreDatabase(options, manifest, secrets)
  onStep(`Postgres is back: ${manifest.tables.length} tables, every sealed value opens`)
  // Writes a new file instead of copying the permissions: the backup may have been readable by every account, and other accounts may reach
  // this folder.
  await writeFile(join(dataDir, 'secrets.json'), await readFile(join(folder, 'secrets.json')), {
    mode: 0o600,
  })
  finish()
  return manifest
}

async function requireEmptyDataFolder(dataDir: string): Promise<void> {
  const names = existsSync(dataDir) ? await readdir(dataDir) : []
  if (names.length === 0) return
  throw new AdminError(
    `${dataDir} is not empty. Set SLIPWAY_DATA_DIR to a folder that is empty or does not exist; nothing is overwritten.`,
  )
}

/** Throws for a backup of a newer release. A backup of an older release is accepted, because the service migrates it at its start. */
async function refuseNewer({ migrations, slipway }: SnapshotManifest): Promise<void> {
  const ours = await readMigrations()
  for (const { number, name, sha256 } of migrations) {
    const known = ours[number - 1]
    if (known?.name === name && known.sha256 === sha256) continue
    const why = known === undefined ? 'is unknown to this release' : 'is another one in this release'
    throw new AdminError(
      `The backup was written by Slipway ${slipway}: its migration ${number}_${name} ${why}. Restore it with the release that wrote it, or a newer one.`,
    )
  }
}

async function restoreDatabase(
  options: RestoreOptions,
  manifest: SnapshotManifest,
  secrets: Secrets,
): Promise<void> {
  const { dataDir, databaseUrl, log } = options
  if (databaseUrl !== null) return fillDatabase({ ...options, url: databaseUrl }, manifest, secrets)
  const embedded = await startEmbedded({ dataDir, log })
  try {
    await fillDatabase({ ...options, url: embedded.url }, manifest, secrets)
  } finally {
    await embedded.stop()
  }
}

async function fillDatabase(
  { url, log, folder, now }: RestoreOptions & { url: string },
  manifest: SnapshotManifest,
  secrets: Secrets,
): Promise<void> {
  const client = await openSession(url)
  try {
    await requireEmptyDatabase(client)
    await migrate({ url, log, through: manifest.migrations.length })
    await requireJobSchema(client, manifest)
    await client.query('begin')
    await loadTables(client, manifest, ({ file }) => resolveInside(folder, file))
    await client.query('commit')
  } finally {
    await client.end()
  }
  const database = openDatabase({ url, log })
  try {
    await verifyKeyring(database.db, makeKeyring(secrets), now)
    const unreadable = await findUnreadable(database.db, makeKeyring(secrets))
    if (unreadable.length > 0)
      throw new AdminError(
        `The backup is damaged: ${unreadable.length} sealed values do not open with its secrets, first ${unreadable[0]}.`,
      )
  } finally {
    await database.close()
  }
}

async function requireEmptyDatabase(client: Client): Promise<void> {
  const { rowCount } = await client.query(
    `select from pg_class c join pg_namespace n on n.oid = c.relnamespace
     where c.relkind in ('r', 'p') and n.nspname in ('public', 'pgboss') limit 1`,
  )
  if (rowCount === 0) return
  throw new AdminError(
    'The database of DATABASE_URL is not empty. Create an empty one; nothing is overwritten.',
  )
}

async function requireJobSchema(client: Client, { jobSchema, slipway }: SnapshotManifest): Promise<void> {
  const { rows } = await client.query<{ version: number }>('select version from pgboss.version')
  if (rows[0]?.version === jobSchema) return
  throw new AdminError(
    `The backup was written by Slipway ${slipway} with another version of the job library (${jobSchema}, here ${rows[0]?.version}). Restore it with that release, start it once, and upgrade then.`,
  )
}
