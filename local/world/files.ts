import { mkdirSync, readFileSync, renameSync, writeFileSync, chmodSync, lstatSync, rmSync } from 'node:fs'
import { randomUUID, createHash } from 'node:crypto'
import { join } from 'node:path'
import * as z from 'zod'

/** The content of world.json, which tells other processes that and where a local world of this data directory runs. */
const WorldFile = z.object({
  pid: z.number(),
  /** The id of the service process that started the local world; null when a person started the local world. */
  ownerPid: z.number().nullable(),
  restUrl: z.string(),
  appsPort: z.number(),
})
export type WorldFile = z.output<typeof WorldFile>

/** Creates folders that only their owner can read. */
export function createFolders(dir: string): void {
  for (const name of ['cloud', 'run', 'tmp', 'home'])
    mkdirSync(join(dir, name), { recursive: true, mode: 0o700 })
}

/** Writes a file so that readers see either the old or the new content. */
export function writeAtomically(path: string, text: string): void {
  const part = `${path}.${randomUUID()}`
  writeFileSync(part, text, { mode: 0o600 })
  renameSync(part, path)
}

export function readIfExists(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function readWorldFile(dir: string): WorldFile | null {
  const text = readIfExists(join(dir, 'world.json'))
  return text === null ? null : WorldFile.parse(JSON.parse(text))
}

// The maximum length of the path. A socket path has at most 103 bytes (macOS); the subfolder and the socket's name take 26 of them.
const FOLDER_BYTES_MAX = 77

/**
 * Creates the empty folder for the sockets of apps, in /tmp when the path of the data directory is too long.
 * The apps listen on sockets and not on ports, because web pages and other user accounts could connect to a
 * port. Throws when the folder belongs to another account.
 */
export function makeSocketFolder(dir: string): string {
  const near = join(dir, 'sockets')
  const isShort = Buffer.byteLength(near) <= FOLDER_BYTES_MAX
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  const folder = isShort ? near : join('/tmp', `slipway-${hash}`)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const found = lstatSync(folder)
  // Every account can write in /tmp, so another account may have created this folder.
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${folder} belongs to another account; the local cloud does not listen there.`)
  rmSync(folder, { recursive: true })
  mkdirSync(folder, { mode: 0o711 })
  chmodSync(folder, 0o711)
  return folder
}
