import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
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
