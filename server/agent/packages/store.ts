import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, realpathSync } from 'node:fs'
import { link, mkdir, open, readdir, rename, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { hasCode } from '../../db/embedded/system-error.ts'
import { packagesFolder } from '../source/locked-runtime.ts'
import type { BaseLock } from './resolve.ts'
import type { LockedPackage, PackagesFile } from '../source/packages-file.ts'
import type { PackageFile } from './tarball.ts'
import { DAY_MS, HOUR_MS } from '@slipway/runtime/kernel/durations.ts'

/** Longer than any fetch takes: an older folder belongs to a process that was killed. */
const STALE_MS = HOUR_MS
/** Far longer than a check or a deployment uses a tree. */
const UNUSED_FOLDER_MS = 14 * DAY_MS
/** Flushing files to disk in parallel is much faster than in sequence. */
const FILES_AT_ONCE = 16

/**
 * The packages of all apps on disk. `store/` contains each package once, named by its checksum; `trees/` contains, for each lock
 * file of an app, a `node_modules` of hard links into `store/`. A folder gets its final name only when it is complete and flushed
 * to disk. The modification time of a folder is the time of its last use.
 */
export class PackageStore {
  readonly #folder: string
  readonly #now: () => number
  readonly #working = new Map<string, Promise<string>>()

  constructor(dataDir: string, now: () => number) {
    this.#folder = join(dataDir, 'packages')
    this.#now = now
    for (const name of ['store', 'trees', 'work'])
      mkdirSync(join(this.#folder, name), { recursive: true, mode: 0o755 })
    // When the service runs as root, checks run as another user, who must be able to reach the packages through the data folder
    // (mode 711). The other folders in the data folder have their own permissions.
    if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
  }

  /** Returns the folder of a package. Calls `fetch` when it is not there yet. */
  package(entry: LockedPackage, fetch: () => Promise<PackageFile[]>): Promise<string> {
    const id = createHash('sha256').update(entry.integrity).digest('hex').slice(0, 40)
    return this.#makeOnce(join(this.#folder, 'store', id), async (work) => {
      const files = await fetch()
      for (const folder of new Set(files.map(({ path }) => dirname(join(work, path)))))
        await mkdir(folder, { recursive: true, mode: 0o755 })
      const write = ({ path, bytes }: PackageFile) =>
        writeFile(join(work, path), bytes, { mode: 0o644, flush: true })
      for (let at = 0; at < files.length; at += FILES_AT_ONCE)
        await Promise.all(files.slice(at, at + FILES_AT_ONCE).map(write))
    })
  }

  /** Returns a folder whose `node_modules` contains the packages of an app and the built-in packages. */
  tree({ lock }: PackagesFile, base: BaseLock, folderOf: (path: string) => Promise<string>): Promise<string> {
    const shared = Object.keys(base).filter((path) => isShared(path, base) && lock[path] === undefined)
    const hash = createHash('sha256').update(packagesFolder)
    for (const path of shared) hash.update(`\0${path}@${base[path]?.version}`)
    for (const path of Object.keys(lock).sort()) hash.update(`\0${path}\0${lock[path]?.integrity}`)
    const target = join(this.#folder, 'trees', hash.digest('hex').slice(0, 40))
    return this.#makeOnce(target, async (work) => {
      for (const path of Object.keys(lock).sort()) await linkAll(await folderOf(path), join(work, path))
      for (const path of shared) await linkShared(path, join(work, path))
    })
  }

  /** Deletes trees that were not used for two weeks, then packages that no tree contains, then remains of killed processes. */
  async tidy(): Promise<void> {
    for (const name of await readdir(join(this.#folder, 'trees')))
      await this.#discard(join(this.#folder, 'trees', name))
    for (const name of await readdir(join(this.#folder, 'store'))) {
      const folder = join(this.#folder, 'store', name)
      const { nlink } = await stat(join(folder, 'package.json'))
      if (nlink === 1) await this.#discard(folder)
    }
    for (const name of await readdir(join(this.#folder, 'work'))) {
      const path = join(this.#folder, 'work', name)
      if (await this.#isOlder(path, STALE_MS)) await rm(path, { recursive: true, force: true })
    }
  }

  /**
   * Deletes a folder that was not used for two weeks. Renames the folder first, so that no process finds a half-deleted folder under
   * its name.
   */
  async #discard(folder: string): Promise<void> {
    if (!(await this.#isOlder(folder, UNUSED_FOLDER_MS))) return
    const work = join(this.#folder, 'work', randomUUID())
    await rename(folder, work)
    const isTaken = !(await this.#isOlder(work, UNUSED_FOLDER_MS))
    // A process may have begun to use the folder just before the move. Move it back, unless a process has created it again in the meantime.
    if (
      isTaken &&
      (await rename(work, folder).then(
        () => true,
        () => false,
      ))
    )
      return
    await rm(work, { recursive: true, force: true })
  }

  async #isOlder(path: string, ms: number): Promise<boolean> {
    try {
      return this.#now() - (await stat(path)).mtimeMs > ms
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    }
  }

  /**
   * Creates a folder if it does not exist. The folder is filled below `work/` and then renamed to `target`. Concurrent
   * calls share one attempt.
   */
  #makeOnce(target: string, make: (work: string) => Promise<void>): Promise<string> {
    const known = this.#working.get(target)
    if (known !== undefined) return known
    const making = this.#touch(target)
      .then((isThere) => (isThere ? target : this.#fillAndMove(target, make)))
      .finally(() => this.#working.delete(target))
    this.#working.set(target, making)
    return making
  }

  /** Sets the time of a folder's last use. Returns false when there is no such folder. */
  async #touch(folder: string): Promise<boolean> {
    const at = new Date(this.#now())
    try {
      await utimes(folder, at, at)
      return true
    } catch (error) {
      if (hasCode(error, 'ENOENT')) return false
      throw error
    }
  }

  async #fillAndMove(target: string, make: (work: string) => Promise<void>): Promise<string> {
    const work = join(this.#folder, 'work', randomUUID())
    await mkdir(work, { mode: 0o755 })
    try {
      await make(work)
      await this.#touch(work)
      await flushFolders(work)
      await rename(work, target)
      await flushFolder(dirname(target))
    } catch (error) {
      await rm(work, { recursive: true, force: true })
      // Ignore the error when another process has created the folder meanwhile, because the contents are the same.
      if (!existsSync(target)) throw error
    }
    return target
  }
}

/** Flushes the directory entries of a folder and its subfolders to disk. The contents of files have to be flushed separately. */
async function flushFolders(folder: string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries) if (entry.isDirectory()) await flushFolder(join(entry.parentPath, entry.name))
  await flushFolder(folder)
}

async function flushFolder(path: string): Promise<void> {
  const folder = await open(path)
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

export async function folderSizeBytes(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/**
 * Returns whether every app needs this package to be bundled or type-checked. The build tools are needed only in an
 * exported repository.
 */
const isShared = (path: string, base: BaseLock): boolean =>
  path.startsWith('node_modules/') &&
  (base[path]?.dev !== true || path.startsWith('node_modules/@types/') || path === 'node_modules/csstype')

/** Links the files of a package, without dependencies bundled in the archive, because the lock file determines the dependencies. */
async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 })
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name)
    const path = file.slice(from.length + 1)
    if (/^node_modules(?:\/|$)/.test(path)) continue
    const place = join(to, path)
    if (entry.isDirectory()) await mkdir(place, { recursive: true, mode: 0o755 })
    else await link(file, place)
  }
}

async function linkShared(path: string, place: string): Promise<void> {
  const name = path.slice('node_modules/'.length)
  const places = createRequire(join(packagesFolder, 'package.json')).resolve.paths('react') ?? []
  const target = places.map((one) => join(one, name)).find((one) => existsSync(one))
  if (target === undefined) return
  await mkdir(dirname(place), { recursive: true, mode: 0o755 })
  await symlink(realpathSync(target), place, 'dir')
}
