import { cpSync, existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { readIfExists, writeAtomically } from './files.ts'

const require = createRequire(import.meta.url)

export function findWorkerd(): { path: string; version: string } {
  // Resolve workerd from miniflare, which requires exactly this version.
  const fromMiniflare = createRequire(require.resolve('miniflare'))
  const { version } = fromMiniflare('workerd/package.json') as { version: string }
  return { path: (fromMiniflare('workerd') as { default: string }).default, version }
}

/**
 * Compares the installed version of workerd with the version that wrote the data. Copies the data when the installed version is newer,
 * unless a copy for the old version exists. Throws when the installed version is older and so could not read the data.
 */
export function checkVersionStamp(dir: string, version: string): void {
  const path = join(dir, 'workerd-version')
  const before = readIfExists(path)?.trim() ?? null
  if (before === version) return
  if (before !== null) {
    if (compareVersions(version, before) < 0) {
      throw new Error(
        `The data of the local cloud was written by workerd ${before}; the installed ${version} is older and cannot read it. Install the newer one.`,
      )
    }
    backUpStates(join(dir, 'cloud'), before)
  }
  writeAtomically(path, `${version}\n`)
}

function backUpStates(cloudDir: string, before: string): void {
  for (const account of foldersIn(cloudDir)) {
    for (const group of foldersIn(join(cloudDir, account))) {
      const state = join(cloudDir, account, group, 'state')
      const copy = `${state}.bak-${before}`
      if (!existsSync(state) || existsSync(copy)) continue
      // Rename the copy last: an incomplete copy after a crash must not count as the backup at the next start.
      const part = `${copy}.part`
      rmSync(part, { recursive: true, force: true })
      cpSync(state, part, { recursive: true })
      renameSync(part, copy)
    }
  }
}

/** Lists folders only. A file manager may have left a file, for example `.DS_Store`. */
const foldersIn = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

function compareVersions(a: string, b: string): number {
  const [left, right] = [a.split('.').map(Number), b.split('.').map(Number)]
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = (left[i] ?? 0) - (right[i] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
