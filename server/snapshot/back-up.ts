import { existsSync } from 'node:fs'
import { mkdir, open, readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { AdminError } from '../admin/admin-error.ts'
import { makeKeyring } from '../crypto/keyring.ts'
import { readExistingSecrets } from '../crypto/secrets.ts'
import { readAppliedMigrations } from '../db/migrate.ts'
import { VERSION } from '../version.ts'
import { copyLocalWorld } from './local-files.ts'
import {
  describeBackupFile,
  type SnapshotManifest,
  MANIFEST_FILE,
  newManifest,
  type BackupFile,
} from './manifest.ts'
import { beginSnapshot, listTables, openSession, readSequences, writeTable } from './tables.ts'

export interface BackupSummary {
  folder: string
  rows: number
  bytes: number
  files: number
  hasLocalWorld: boolean
}

/**
 * Writes one backup of the service's own data into an empty folder while the service runs: a snapshot of Postgres, the secrets, and then
 * the data of the local emulators. The manifest is written last, so a folder without a manifest is an incomplete backup.
 */
export async function backUp(options: {
  url: string
  dataDir: string
  secrets: { text: string | null; file: string }
  folder: string
  now: Date
  onStep?: (what: string) => void
}): Promise<BackupSummary> {
  const { dataDir, folder, onStep = () => {} } = options
  await requireEmpty(folder)
  await mkdir(join(folder, 'postgres'), { recursive: true, mode: 0o700 })
  const secrets = readExistingSecrets(options.secrets)
  const stored = await writeDatabase(options, secrets.ring)
  onStep(`Postgres: ${stored.tables.length} tables`)
  await writeNewFile(join(folder, 'secrets.json'), JSON.stringify(secrets, null, 2))
  const world = join(dataDir, 'local')
  const hasLocalWorld = existsSync(join(world, 'world.db'))
  const copied = hasLocalWorld ? await copyLocalWorld(world, join(folder, 'local')) : []
  if (hasLocalWorld) onStep(`Local world: ${copied.length} files`)
  const paths = [
    'secrets.json',
    ...stored.tables.map(({ file }) => file),
    ...copied.map((path) => `local/${path}`),
  ]
  const files: BackupFile[] = []
  for (const path of paths) files.push(await describeBackupFile(folder, path))
  const manifest = newManifest({
    slipway: VERSION,
    createdAt: options.now.toISOString(),
    installId: secrets.installId,
    ...stored,
    hasLocalWorld,
    files,
  })
  await writeNewFile(join(folder, MANIFEST_FILE), JSON.stringify(manifest, null, 1))
  return {
    folder,
    rows: stored.tables.reduce((sum, { rows }) => sum + rows, 0),
    bytes: files.reduce((sum, { bytes }) => sum + bytes, 0),
    files: files.length,
    hasLocalWorld,
  }
}

async function requireEmpty(folder: string): Promise<void> {
  const names = existsSync(folder) ? await readdir(folder) : []
  if (names.length > 0)
    throw new AdminError(`${folder} is not empty. Name a folder that is empty or does not exist.`)
}

type StoredDatabase = Pick<SnapshotManifest, 'migrations' | 'jobSchema' | 'tables' | 'sequences'>

async function writeDatabase(
  {
    url,
    folder,
    secrets: secretsSource,
  }: { url: string; folder: string; secrets: { text: string | null; file: string } },
  ring: { id: string }[],
): Promise<StoredDatabase> {
  const client = await openSession(url)
  try {
    const sourceTables = await listTables(client)
    if (!sourceTables.some(({ name }) => name === 'organization'))
      throw new AdminError(
        'This database has no tables of Slipway: start the service once before you back it up.',
      )
    await beginSnapshot(client, sourceTables)
    const migrations = await readAppliedMigrations(client)
    const { rows: jobs } = await client.query<{ version: number }>('select version from pgboss.version')
    const tables: SnapshotManifest['tables'] = []
    for (const table of sourceTables) {
      const file = `postgres/${table.schema}.${table.name}.copy.gz`
      tables.push({ ...table, rows: await writeTable(client, table, join(folder, file)), file })
    }
    await requireMatchingSecrets(client, ring, secretsSource)
    const sequences = await readSequences(client)
    await client.query('commit')
    return { migrations, jobSchema: jobs[0]?.version ?? 0, tables, sequences }
  } finally {
    await client.end()
  }
}

/**
 * Throws when the secrets do not decrypt the snapshot. The secrets were read outside of the snapshot, so a key rotation
 * between the two reads would make the backup unreadable.
 */
async function requireMatchingSecrets(
  client: Awaited<ReturnType<typeof openSession>>,
  ring: { id: string }[],
  secretsSource: { text: string | null; file: string },
): Promise<void> {
  const { rows } = await client.query<{ kid: string; check_value: string }>(
    'select kid, check_value from encryption_keys',
  )
  const currentKeys = makeKeyring(readExistingSecrets(secretsSource)).checkValues()
  const decryptsAll = rows.every((row) =>
    currentKeys.some(({ kid, value }) => kid === row.kid && value === row.check_value),
  )
  const isUnrotated = currentKeys.map(({ kid }) => kid).join() === ring.map(({ id }) => id).join()
  if (!decryptsAll || !isUnrotated)
    throw new AdminError(
      'The secrets do not match this database, or its keys are being rotated. Use the secrets the service runs with, and back up again after the rotation.',
    )
}

/** Writes a file that only its owner can read. Resolves when it is flushed to disk. */
async function writeNewFile(path: string, text: string): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
}
