import { createHash, randomUUID } from 'node:crypto'
import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync, statSync } from 'node:fs'
import { link, mkdir, readdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packagesFolder } from '../source/locked-runtime.ts'
import type { BaseLock } from './resolve.ts'
import type { LockedPackage, PackagesFile } from './file.ts'
import type { PackageFile } from './tarball.ts'

/** Longer than any fetch: a folder that is older belongs to a process that was killed. */
const STALE_MS = 60 * 60_000

/**
 * The packages of all apps on disk: `store/` holds each package once, by its checksum; `trees/` holds for each lock a
 * `node_modules` of hard links into it. A folder appears under its name only when it is complete.
 */
export class PackageStore {
  readonly #folder: string
  readonly #working = new Map<string, Promise<string>>()

  constructor(dataDir: string) {
    this.#folder = join(dataDir, 'packages')
    for (const name of ['store', 'trees', 'work'])
      mkdirSync(join(this.#folder, name), { recursive: true, mode: 0o755 })
    // Checks run as another account when the service is root; the folders beside this one have their own rights.
    if (process.getuid?.() === 0) chmodSync(dataDir, 0o711)
    for (const name of readdirSync(join(this.#folder, 'work'))) {
      const path = join(this.#folder, 'work', name)
      if (Date.now() - statSync(path).mtimeMs > STALE_MS) rmSync(path, { recursive: true, force: true })
    }
  }

  /** The folder of a package; `fetch` is called when it is not there yet. */
  package(entry: LockedPackage, fetch: () => Promise<PackageFile[]>): Promise<string> {
    const id = createHash('sha256').update(entry.integrity).digest('hex').slice(0, 40)
    return this.#once(join(this.#folder, 'store', id), async (work) => {
      for (const { path, bytes } of await fetch()) {
        const file = join(work, path)
        await mkdir(dirname(file), { recursive: true, mode: 0o755 })
        await writeFile(file, bytes, { mode: 0o644 })
      }
    })
  }

  /** A folder whose `node_modules` holds the packages of an app and those that every app has. */
  tree({ lock }: PackagesFile, base: BaseLock, folderOf: (path: string) => Promise<string>): Promise<string> {
    const shared = Object.keys(base).filter((path) => isShared(path, base) && lock[path] === undefined)
    const hash = createHash('sha256').update(packagesFolder)
    for (const path of shared) hash.update(`\0${path}@${base[path]?.version}`)
    for (const path of Object.keys(lock).sort()) hash.update(`\0${path}\0${lock[path]?.integrity}`)
    const target = join(this.#folder, 'trees', hash.digest('hex').slice(0, 40))
    return this.#once(target, async (work) => {
      for (const path of Object.keys(lock).sort()) await linkAll(await folderOf(path), join(work, path))
      for (const path of shared) await linkShared(path, join(work, path))
    })
  }

  /** Makes a folder once: in `work/` first, then moved to its place whole. */
  #once(target: string, make: (work: string) => Promise<void>): Promise<string> {
    if (existsSync(target)) return Promise.resolve(target)
    const known = this.#working.get(target)
    if (known !== undefined) return known
    const making = this.#make(target, make).finally(() => this.#working.delete(target))
    this.#working.set(target, making)
    return making
  }

  async #make(target: string, make: (work: string) => Promise<void>): Promise<string> {
    const work = join(this.#folder, 'work', randomUUID())
    await mkdir(work, { mode: 0o755 })
    try {
      await make(work)
      await rename(work, target)
    } catch (error) {
      await rm(work, { recursive: true, force: true })
      // Another process made the same folder meanwhile; its contents are the same.
      if (!existsSync(target)) throw error
    }
    return target
  }
}

/** The size in bytes of the files in a folder. */
export async function sizeOf(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  const sizes = await Promise.all(files.map(({ parentPath, name }) => stat(join(parentPath, name))))
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

/** What apps have without asking. The build tools of an exported repository are not among it. */
const isShared = (path: string, base: BaseLock): boolean =>
  path.startsWith('node_modules/') &&
  (base[path]?.dev !== true || path.startsWith('node_modules/@types/') || path === 'node_modules/csstype')

async function linkAll(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o755 })
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name)
    const place = join(to, file.slice(from.length + 1))
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
