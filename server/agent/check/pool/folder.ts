import { existsSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs'
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

/** Writes a tree below `folder` and returns its path; the caller removes it with `removeTree`. */
export function writeTree(folder: string, tree: ReadonlyMap<string, string>): string {
  const target = mkdtempSync(join(folder, 'job-'))
  const made = new Set<string>()
  for (const [path, text] of tree) {
    const file = join(target, path)
    const parent = dirname(file)
    if (!made.has(parent)) {
      mkdirSync(parent, { recursive: true })
      made.add(parent)
    }
    writeFileSync(file, text)
  }
  return target
}

/** Removes a written tree; a leftover goes with the root folder. */
export async function removeTree(target: string): Promise<void> {
  await rm(target, { recursive: true, force: true })
}
