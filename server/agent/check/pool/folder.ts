import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { packagesFolder, readPackages } from '../../source/locked-runtime.ts'

/**
 * Prepares a checker's own folder: jobs below it find the packages of generated code by walking up, at the
 * service's own versions, and no others.
 */
export function prepareFolder(folder: string): void {
  const places = createRequire(join(packagesFolder, 'package.json')).resolve.paths('react') ?? []
  for (const name of Object.keys(readPackages())) {
    const target = places.map((place) => join(place, name)).find((place) => existsSync(place))
    if (target === undefined) throw new Error(`the package ${name} is not installed`)
    const link = join(folder, 'node_modules', name)
    mkdirSync(dirname(link), { recursive: true })
    symlinkSync(target, link, 'dir')
  }
}

/** Files that a write created, changed and deleted, as absolute paths. */
export interface TreeChanges {
  created: string[]
  changed: string[]
  deleted: string[]
  /** The folder with the packages that the app added, and whether it is another one than before. */
  packages: string | null
  hasOtherPackages: boolean
}

/**
 * A folder that holds the tree written last. A write touches only files that differ: most are the platform's, the same
 * for every app, and a compiler that stays warm need not parse them again. Nothing else may write there, and a write
 * that fails leaves the folder unusable.
 */
export class TreeFolder {
  readonly path: string
  #written: ReadonlyMap<string, string> = new Map()
  #packages: string | null = null

  constructor(parent: string) {
    this.path = join(parent, 'tree')
  }

  write(tree: ReadonlyMap<string, string>, packages: string | null = null): TreeChanges {
    const hasOtherPackages = packages !== this.#packages
    const changes: TreeChanges = { created: [], changed: [], deleted: [], packages, hasOtherPackages }
    if (hasOtherPackages) this.#link(packages)
    const before = this.#written
    // Deleted first: a file may become a folder, and a folder a file.
    for (const path of before.keys()) if (!tree.has(path)) changes.deleted.push(this.#remove(path))
    for (const [path, text] of tree) {
      const known = before.get(path)
      if (known === text) continue
      const file = join(this.path, path)
      if (known === undefined) mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
      changes[known === undefined ? 'created' : 'changed'].push(file)
    }
    this.#written = new Map(tree)
    return changes
  }

  /** A package of the app is found here before those of every app in the folder above. */
  #link(packages: string | null): void {
    const place = join(this.path, 'node_modules')
    rmSync(place, { force: true })
    mkdirSync(this.path, { recursive: true })
    if (packages !== null) symlinkSync(join(packages, 'node_modules'), place, 'dir')
    this.#packages = packages
  }

  #remove(path: string): string {
    const file = join(this.path, path)
    rmSync(file)
    for (let parent = dirname(file); parent !== this.path && isEmpty(parent); parent = dirname(parent))
      rmdirSync(parent)
    return file
  }
}

const isEmpty = (folder: string): boolean => readdirSync(folder).length === 0

/** Makes an empty folder for one job and returns its path; the caller removes it with `removeFolder`. */
export const makeFolder = (parent: string): string => mkdtempSync(join(parent, 'job-'))

/** Removes a folder; a leftover goes with the checker's own. */
export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}
