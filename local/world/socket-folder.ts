import { createHash } from 'node:crypto'
import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

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
