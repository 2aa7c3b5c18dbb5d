import { existsSync } from 'node:fs'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { constants } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { AdminError } from '../admin/admin-error.ts'
import { hasCode } from '../db/embedded/system-error.ts'

/**
 * Files that are not copied, because they belong to a running process or can be created again: locks, temporary files, unpacked assets,
 * caches.
 */
const EXCLUDED_PATHS = [
  /^(run|tmp|home|chrome)(\/|$)/,
  /^world\.(json|lock)/,
  /^cloud\/[^/]+\/assets(\/|$)/,
  /^cloud\/[^/]+\/[^/]+\/state\/cache(\/|$)/,
  /\.git\/incoming(\/|$)/,
  /\.(db|sqlite)-(wal|shm|journal)$/,
]

/** Content-addressed files. They are copied last, so that every file that an earlier copy references is included. */
const NAMED_BY_OTHERS = /(^|\/)(objects|blobs)(\/|$)/

const COPY_ATTEMPTS = 5
/** Copies all pages in one step, because a write between two steps would make SQLite restart the copy. */
const ALL_DATABASE_PAGES = 2 ** 31 - 1

/**
 * Copies the data of the local emulators while they run. Each database is copied from a separate snapshot, because the databases of the
 * real providers are independent too. Files with large values, to which a database refers, are copied too. Returns the copied paths.
 */
export async function copyLocalWorld(from: string, to: string): Promise<string[]> {
  const isDatabase = (path: string) => /\.(db|sqlite)$/.test(path)
  // `world.db` lists the other databases and is copied first. At their first start the restored emulators delete every database that is not
  // in the list, such as one that was created during the copy.
  await copyDatabase(from, to, 'world.db')
  const databases = (await listFiles(from)).filter((path) => isDatabase(path) && path !== 'world.db')
  for (const path of databases) await copyDatabase(from, to, path)
  const copyPlain = async () => {
    const plain = (await listFiles(from)).filter((path) => !isDatabase(path))
    for (const isLast of [false, true])
      for (const path of plain.filter((path) => NAMED_BY_OTHERS.test(path) === isLast))
        await copyPlainFile(join(from, path), join(to, path))
  }
  await copyPlain()
  // A value can be replaced, and its file removed, after its database was copied and before the files are copied.
  for (let tries = 1; ; tries++) {
    const torn = await findTorn(to, databases)
    if (torn.length === 0) break
    if (tries === COPY_ATTEMPTS)
      throw new AdminError(
        `The local world changes too quickly: ${torn.join(', ')} was rewritten during each of ${COPY_ATTEMPTS} copies. Back up again when it is quieter.`,
      )
    for (const path of torn) await copyDatabase(from, to, path)
    await copyPlain()
  }
  return listFiles(to)
}

/** Copies a folder to which no running process writes. */
export async function copyFolder(from: string, to: string): Promise<void> {
  for (const path of await listFiles(from)) await copyPlainFile(join(from, path), join(to, path))
}

async function listFiles(root: string): Promise<string[]> {
  const found: string[] = []
  const visitFolder = async (folder: string): Promise<void> => {
    for (const entry of await readdir(folder, { withFileTypes: true }).catch(emptyIfMissing)) {
      const path = join(folder, entry.name)
      const name = relative(root, path).split(sep).join('/')
      if (EXCLUDED_PATHS.some((pattern) => pattern.test(name))) continue
      if (entry.isDirectory()) await visitFolder(path)
      else if (entry.isFile()) found.push(name)
    }
  }
  await visitFolder(root)
  return found.sort()
}

/**
 * Copies a database in one read transaction of SQLite, which does not block its writers. Skips a database
 * that was deleted meanwhile.
 */
async function copyDatabase(from: string, to: string, path: string): Promise<void> {
  const target = join(to, path)
  await mkdir(dirname(target), { recursive: true, mode: 0o700 })
  await rm(target, { force: true })
  if (!existsSync(join(from, path))) return
  // Open the source read-only, because the last writer to close would merge the log into a file that workerd has open.
  const source = new DatabaseSync(join(from, path), { readOnly: true, timeout: 10_000 })
  try {
    await backup(source, target, { rate: ALL_DATABASE_PAGES })
  } finally {
    source.close()
  }
}

async function copyPlainFile(from: string, to: string): Promise<void> {
  if (existsSync(to)) await rm(to)
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await copyFile(from, to, constants.COPYFILE_FICLONE).catch(emptyIfMissing)
}

/** Returns copied databases that name a value (`blob_id`) whose file is not in the copy. */
async function findTorn(to: string, databases: string[]): Promise<string[]> {
  const files = new Set((await listFiles(to)).map((path) => basename(path)))
  return databases.filter((path) => {
    if (!existsSync(join(to, path))) return false
    const copy = new DatabaseSync(join(to, path))
    try {
      return valuesNamed(copy).some((id) => !files.has(id))
    } finally {
      copy.close()
    }
  })
}

function valuesNamed(copy: DatabaseSync): string[] {
  const tables = copy
    .prepare(
      `select m.name from sqlite_master m join pragma_table_info(m.name) c
       where m.type = 'table' and m.name like '\\_mf\\_%' escape '\\' and c.name = 'blob_id'`,
    )
    .all() as { name: string }[]
  return tables.flatMap(({ name }) =>
    copy
      .prepare(`select blob_id as id from "${name}" where blob_id is not null`)
      .all()
      .map(({ id }) => String(id)),
  )
}

function emptyIfMissing(error: unknown): [] {
  if (hasCode(error, 'ENOENT')) return []
  throw error
}
