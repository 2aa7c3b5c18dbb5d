import { createHash, type Hash } from 'node:crypto'
import { createReadStream, existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { pipeline } from 'node:stream/promises'
import * as z from 'zod'
import { AdminError } from '../admin/admin-error.ts'

/** Increased when the previous release cannot read a backup of this release. */
const SNAPSHOT_FORMAT = 1
export const MANIFEST_FILE = 'manifest.json'

const BackupFile = z.object({ path: z.string(), bytes: z.int().min(0), sha256: z.string() })
export type BackupFile = z.infer<typeof BackupFile>

const Table = z.object({
  schema: z.enum(['public', 'pgboss']),
  name: z.string(),
  columns: z.array(z.string()).min(1),
  rows: z.int().min(0),
  file: z.string(),
})

const SnapshotManifest = z.object({
  format: z.int(),
  slipway: z.string(),
  createdAt: z.iso.datetime(),
  installId: z.string(),
  migrations: z.array(z.object({ number: z.int(), name: z.string(), sha256: z.string() })).min(1),
  /** The version of the job library's schema: a backup can only be loaded into a database with the same version. */
  jobSchema: z.int(),
  tables: z.array(Table),
  sequences: z.array(z.object({ name: z.string(), value: z.string(), isCalled: z.boolean() })),
  hasLocalWorld: z.boolean(),
  /** Every file in the folder except the manifest. */
  files: z.array(BackupFile),
})
export type SnapshotManifest = z.infer<typeof SnapshotManifest>
export type StoredTable = SnapshotManifest['tables'][number]

export const newManifest = (content: Omit<SnapshotManifest, 'format'>): SnapshotManifest => ({
  format: SNAPSHOT_FORMAT,
  ...content,
})

/** Reads a backup's manifest; throws when it is missing or invalid. */
export function readBackupManifest(folder: string): SnapshotManifest {
  const path = join(folder, MANIFEST_FILE)
  if (!existsSync(path))
    throw new AdminError(
      `${folder} is not a complete backup: it has no ${MANIFEST_FILE}, which is written last.`,
    )
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new AdminError(`The backup is damaged: ${MANIFEST_FILE} is not JSON.`, { cause })
  }
  const { format } = z.looseObject({ format: z.unknown() }).catch({ format: null }).parse(json)
  if (typeof format === 'number' && format > SNAPSHOT_FORMAT)
    throw new AdminError(
      `The backup has format ${format} and this release reads ${SNAPSHOT_FORMAT}: restore it with the release that wrote it.`,
    )
  const read = SnapshotManifest.safeParse(json)
  if (read.success) return read.data
  const wrong = read.error.issues[0]?.path.join('.')
  throw new AdminError(`The backup is damaged: ${MANIFEST_FILE} has no usable ${wrong || 'content'}.`)
}

/** Compares every file with its length and SHA-256; throws naming the first that differs. */
export async function verifyFiles(folder: string, { files }: SnapshotManifest): Promise<void> {
  for (const file of files) {
    const path = resolveInside(folder, file.path)
    if (!existsSync(path)) throw new AdminError(`The backup is damaged: ${file.path} is missing.`)
    const { size } = statSync(path)
    if (size !== file.bytes)
      throw new AdminError(
        `The backup is damaged: ${file.path} has ${size} bytes and should have ${file.bytes}.`,
      )
    if ((await sha256Of(path)) !== file.sha256)
      throw new AdminError(`The backup is damaged: ${file.path} has changed since it was written.`)
  }
}

/** Resolves a path of the manifest. Throws when the path leads out of the folder, because a manifest may come from anywhere. */
export function resolveInside(folder: string, path: string): string {
  const root = resolve(folder)
  const target = resolve(root, path)
  if (!target.startsWith(root + sep))
    throw new AdminError(`The backup is damaged: ${path} leads out of the backup.`)
  return target
}

/** Reads a file that was just written again from disk, and returns its size and checksum. */
export async function describeBackupFile(folder: string, path: string): Promise<BackupFile> {
  const target = join(folder, path)
  return { path, bytes: statSync(target).size, sha256: await sha256Of(target) }
}

async function sha256Of(path: string): Promise<string> {
  const hash: Hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}
