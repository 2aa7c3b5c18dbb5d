import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, lstat, mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { canReach, type SystemAccount } from './account.ts'

export interface DatabaseFolders {
  /** `<data dir>/postgres` with the service's own files: owner lock, connection.json, pointer file. */
  home: string
  /** The folder with the database cluster: `home`, or a folder below the fallback folder. */
  root: string
  cluster: string
  socketDir: string
  log: string
}

/** The major version of Postgres. It is part of the path of the cluster, so that no other major version opens the cluster's files. */
export const POSTGRES_MAJOR = '18'

// Below the maximum for the path of a Unix socket: 107 bytes on Linux, 103 on macOS.
const SOCKET_PATH_BYTES_MAX = 100

/**
 * Chooses and creates the folder of the database cluster. It is in `fallbackDir` when the account of Postgres cannot
 * access the data directory, for example because the data directory is in a private home folder.
 */
export async function prepareFolders(
  dataDir: string,
  account: SystemAccount | null,
  fallbackDir: string,
): Promise<DatabaseFolders> {
  const dir = resolve(dataDir)
  const home = join(dir, 'postgres')
  // The parents are created in a separate call. The second call gives every folder that it creates the mode 0700,
  // and Postgres's account could not pass through such a parent.
  await mkdir(dirname(dir), { recursive: true })
  await mkdir(home, { recursive: true, mode: 0o700 })
  const pointer = join(home, 'location')
  const pointed = await readFile(pointer, 'utf8').catch(() => null)
  if (account !== null) {
    // With 0711 the account can pass through the folder but not list it. Files with secrets in this folder have the mode 0600.
    await chmod(dir, 0o711)
    await chmod(home, 0o711)
  }
  const told = pointed?.trim() ?? ''
  // The pointer of an older release may be empty after a power failure. The pointer exists only when the cluster is in the fallback folder.
  const chosen = pointed === null && passesThrough(account, dir) ? home : join(fallbackDir, folderHash(dir))
  const root = told === '' ? chosen : told
  const cluster = join(root, POSTGRES_MAJOR)
  if (pointed !== null && !existsSync(cluster)) {
    throw new Error(
      `${pointer} says that the database lies in ${root}, but it is gone; restore it or remove that file.`,
    )
  }
  if (root !== home) {
    await mkdir(root, { recursive: true })
    for (const path of [fallbackDir, root]) await chmod(path, 0o711)
  }
  const socketDir = await prepareSocketDir(root, account)
  return { home, root, cluster, socketDir, log: join(root, 'log') }
}

/** When the cluster is outside the data directory, writes its path into a file there. Call it only once the cluster exists. */
export async function writePointer(folders: DatabaseFolders): Promise<void> {
  if (folders.root === folders.home) return
  const pointer = join(folders.home, 'location')
  await writeFile(`${pointer}.new`, `${folders.root}\n`)
  await rename(`${pointer}.new`, pointer)
}

function passesThrough(account: SystemAccount | null, dir: string): boolean {
  return account === null || canReach(account, dirname(dir), 0o1)
}

async function prepareSocketDir(root: string, account: SystemAccount | null): Promise<string> {
  const near = join(root, 'run')
  const isShort = Buffer.byteLength(join(near, '.s.PGSQL.5432')) <= SOCKET_PATH_BYTES_MAX
  const dir = isShort ? near : join(tmpdir(), `slipway-${folderHash(root)}`)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const found = await lstat(dir)
  const uid = account?.uid ?? process.getuid?.()
  // The temp directory is shared: another user may have created this folder first and could then read the socket's traffic.
  if (!found.isDirectory() || (found.uid !== process.getuid?.() && found.uid !== uid)) {
    throw new Error(`${dir} belongs to another user; the embedded database will not put its socket there.`)
  }
  if (account !== null) await chown(dir, account.uid, account.gid)
  await chmod(dir, 0o700)
  return dir
}

function folderHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
