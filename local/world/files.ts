import { mkdirSync, readFileSync, renameSync, writeFileSync, chmodSync, lstatSync, rmSync } from 'node:fs'
import { randomUUID, createHash } from 'node:crypto'
import { join } from 'node:path'

/** What a running world tells other processes of the same data directory. */
export interface WorldFile {
  pid: number
  /** The service process that owns the world; null when it was started by hand. */
  ownerPid: number | null
  restUrl: string
  appsPort: number
}

/** Creates the folders of a world, readable by their owner only. */
export function createFolders(dir: string): void {
  for (const name of ['cloud', 'run', 'tmp', 'home'])
    mkdirSync(join(dir, name), { recursive: true, mode: 0o700 })
}

/** Replaces a small file as a whole, so that a reader never sees half of it. */
export function writeWhole(path: string, text: string): void {
  const part = `${path}.${randomUUID()}`
  writeFileSync(part, text, { mode: 0o600 })
  renameSync(part, path)
}

/** The text of a file, or null when there is none. */
export function readIfThere(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null
    throw error
  }
}

export function readWorldFile(dir: string): WorldFile | null {
  const text = readIfThere(join(dir, 'world.json'))
  return text === null ? null : (JSON.parse(text) as WorldFile)
}

// A socket path holds 103 bytes at most (macOS); folder and name of a socket take 26 of them.
const FOLDER_BYTES_MAX = 77

/**
 * Makes the empty folder in which the processes of apps listen. No web page and no other account of this machine
 * reaches a socket in it, as they would a port. A data directory with a long path has it in /tmp.
 */
export function makeSocketFolder(dir: string): string {
  const near = join(dir, 'sockets')
  const isShort = Buffer.byteLength(near) <= FOLDER_BYTES_MAX
  const hash = createHash('sha256').update(dir).digest('hex').slice(0, 16)
  const folder = isShort ? near : join('/tmp', `slipway-${hash}`)
  mkdirSync(folder, { recursive: true, mode: 0o711 })
  const found = lstatSync(folder)
  // Everyone may write in /tmp: another account may have made this name first.
  if (!found.isDirectory() || found.uid !== process.getuid?.())
    throw new Error(`${folder} belongs to another account; the local cloud does not listen there.`)
  rmSync(folder, { recursive: true })
  mkdirSync(folder, { mode: 0o711 })
  chmodSync(folder, 0o711)
  return folder
}
