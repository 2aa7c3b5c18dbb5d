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
import { packagesFolder, readPackages } from '../source/locked-runtime.ts'

/**
 * Links the packages that any generated app may import into the folder of a check process, in the versions that the service uses. Jobs in
 * subfolders resolve only these packages and the packages that their app added.
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

export interface TreeChanges {
  created: string[]
  changed: string[]
  deleted: string[]
  /** The folder with the packages that the app added; null without added packages. */
  packages: string | null
  hasOtherPackages: boolean
}

/**
 * A folder with the tree written last. A write touches only changed files. Most files belong to the platform and are the same for
 * every app, so a warm compiler need not parse them again. No other code may write to the folder. A write that throws leaves the
 * folder unusable.
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
    // Delete before writing, because a file may become a folder and a folder a file.
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

  /** Links the packages that the app added. Node prefers them to the packages in the parent folder, which every app has. */
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

export const makeFolder = (parent: string): string => mkdtempSync(join(parent, 'job-'))

export async function removeFolder(path: string): Promise<void> {
  await rm(path, { recursive: true, force: true })
}
