import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { readPackages } from '../server/agent/source/locked-runtime.ts'
import { APP_NAME, appDependencies } from '../server/agent/source/locked-config.ts'
import { ROOT } from './lib.ts'

interface Entry {
  version: string
  dev?: boolean
  optional?: boolean
  devOptional?: boolean
  peer?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  peerDependencies?: Record<string, string>
  peerDependenciesMeta?: Record<string, { optional?: boolean }>
}

type Packages = Record<string, Entry>

/**
 * Returns the lock file of every app's repository. The file is the part of this repository's lock file that an app needs, so that an app
 * installs exactly the packages with which the service bundled and checked it.
 */
export function appLock(): string {
  const { packages } = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as {
    packages: Packages
  }
  const { dependencies, devDependencies } = appDependencies(readPackages())
  for (const [name, version] of Object.entries({ ...dependencies, ...devDependencies })) {
    const locked = packages[`node_modules/${name}`]?.version
    if (locked !== version)
      throw new Error(`an app asks for ${name} ${version}, and ${locked} is locked here`)
  }
  const prod = findReached(packages, Object.keys(dependencies))
  const dev = findReached(packages, Object.keys(devDependencies))
  const paths = [...new Set([...prod.all, ...dev.all])].sort()
  const entries = paths.map((path) => {
    const {
      dev: _dev,
      optional: _optional,
      devOptional: _devOptional,
      peer: _peer,
      ...entry
    } = lockedEntry(packages, path)
    return [path, { ...entry, ...flagsOf(path, prod, dev) }]
  })
  const root = { name: APP_NAME, dependencies, devDependencies }
  const lock = {
    name: APP_NAME,
    lockfileVersion: 3,
    requires: true,
    packages: { '': root, ...Object.fromEntries(entries) },
  }
  return `${JSON.stringify(lock, null, 2)}\n`
}

function lockedEntry(packages: Packages, path: string): Entry {
  const entry = packages[path]
  if (entry === undefined) throw new Error(`package-lock.json has no ${path}`)
  return entry
}

interface ReachedPackages {
  /** The packages that are needed even when no optional dependency is installed. */
  required: Set<string>
  all: Set<string>
}

function findReached(packages: Packages, names: string[]): ReachedPackages {
  const reach = (isOptionalToo: boolean) => {
    const seen = new Set<string>()
    const waiting = names.map((name) => `node_modules/${name}`)
    for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
      if (seen.has(path)) continue
      seen.add(path)
      const from = path
      const wanted = dependencyNames(lockedEntry(packages, path), isOptionalToo)
      waiting.push(
        ...wanted.map((name) => resolvePackage(packages, from, name)).filter((one) => one !== null),
      )
    }
    return seen
  }
  return { required: reach(false), all: reach(true) }
}

function dependencyNames(entry: Entry, isOptionalToo: boolean): string[] {
  const peers = Object.keys(entry.peerDependencies ?? {}).filter(
    (name) => entry.peerDependenciesMeta?.[name]?.optional !== true,
  )
  const optional = isOptionalToo ? Object.keys(entry.optionalDependencies ?? {}) : []
  return [...Object.keys(entry.dependencies ?? {}), ...peers, ...optional]
}

/** Finds a package as Node does: in the nearest `node_modules` folder upwards. */
function resolvePackage(packages: Packages, from: string, name: string): string | null {
  for (let place = from; ; place = place.slice(0, Math.max(place.lastIndexOf('/node_modules/'), 0))) {
    const path = place === '' ? `node_modules/${name}` : `${place}/node_modules/${name}`
    if (path in packages) return path
    // A lock file may lack the optional packages for other operating systems.
    if (place === '') return null
  }
}

function flagsOf(path: string, prod: ReachedPackages, dev: ReachedPackages): Partial<Entry> {
  if (prod.required.has(path)) return {}
  if (prod.all.has(path)) return dev.required.has(path) ? { devOptional: true } : { optional: true }
  return dev.required.has(path) ? { dev: true } : { dev: true, optional: true }
}
