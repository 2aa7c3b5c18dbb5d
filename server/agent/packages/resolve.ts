import { satisfies, validRange } from 'semver'
import { type LockedPackage, packageNameAt, type PackagesFile } from '../source/packages-file.ts'

/** Thrown when a package cannot be used. The message is one sentence that says what to do instead. */
export class PackageRefusal extends Error {}

/** Returns the version of a package for a range. Throws `PackageRefusal` when no version may be used. */
export type PickPackage = (name: string, range: string) => Promise<LockedPackage>

/** An app's lock file before packages are added: path → package. */
export type BaseLock = Record<string, { version: string; dev?: boolean }>

/** The maximum number of packages of one app, and the maximum of their unpacked bytes (docs/limits.md#packages). */
export const APP_LIMITS = { packages: 150, unpackedBytes: 150_000_000 }

interface WantedVersion {
  name: string
  range: string
  /** The path of the folder from which the package is resolved; '' is the app itself. */
  from: string
  by: string
  isPeer: boolean
}

/**
 * Adds a package and its dependencies to the lock file, at the paths that npm would choose: in the top `node_modules`, or, when that
 * folder already has another version of the package, in the `node_modules` of the dependent package. A locked package keeps its version.
 */
export async function addPackage(
  file: PackagesFile,
  asked: { name: string; range: string },
  { base, pick, limits = APP_LIMITS }: { base: BaseLock; pick: PickPackage; limits?: typeof APP_LIMITS },
): Promise<PackagesFile> {
  const lock = { ...file.lock }
  const at = (path: string) => lock[path] ?? base[path]
  const waiting: WantedVersion[] = [{ ...asked, from: '', by: 'the app', isPeer: false }]
  for (let want = waiting.shift(); want !== undefined; want = waiting.shift()) {
    const { name, range, from, by } = want
    if (validRange(range) === null)
      throw new PackageRefusal(
        `${by} asks for ${name} by ${range.slice(0, 60)}, which is not a version of a registry; choose another package.`,
      )
    const found = lookUp(at, from, name)
    const known = found === null ? undefined : at(found)
    const fits = known !== undefined && satisfies(known.version, range)
    if (fits && found !== null && (found in lock || base[found]?.dev !== true)) continue
    if (!fits && known !== undefined && (want.isPeer || from === ''))
      throw new PackageRefusal(
        `${by} needs ${name} ${range}, and the app has ${known.version}; ask for another version of one of them.`,
      )
    // A package that only the build tools used becomes a package of the app, in the same version.
    const path = fits && found !== null ? found : installPath(at, from, name)
    const picked = await pick(name, fits ? known.version : range)
    lock[path] = picked
    requireWithinLimits(lock, limits)
    waiting.push(...wantsOf(path, picked))
  }
  requireResolvable(lock, at)
  const version = at(`node_modules/${asked.name}`)?.version ?? ''
  return { packages: { ...file.packages, [asked.name]: version }, lock }
}

/** Removes a package, its types, and every package that only these two needed. */
export function removePackage(file: PackagesFile, name: string, base: BaseLock): PackagesFile {
  const { [name]: _package, [typesOf(name)]: _types, ...packages } = file.packages
  const at = (path: string) => file.lock[path] ?? base[path]
  const kept = new Set<string>()
  const waiting = Object.keys(packages).map((one) => `node_modules/${one}`)
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const entry = file.lock[path]
    if (entry === undefined || kept.has(path)) continue
    kept.add(path)
    for (const { from, name: needed } of wantsOf(path, entry)) {
      const found = lookUp(at, from, needed)
      if (found !== null) waiting.push(found)
    }
  }
  return { packages, lock: Object.fromEntries(Object.entries(file.lock).filter(([path]) => kept.has(path))) }
}

/** Returns the name of the package that has the types of a package: `@types/a` for `a`, `@types/a__b` for `@a/b`. */
export const typesOf = (name: string): string => `@types/${name.replace(/^@/, '').replace('/', '__')}`

function wantsOf(path: string, entry: LockedPackage): WantedVersion[] {
  const by = `${packageNameAt(path)} ${entry.version}`
  const wants = (ranges: Record<string, string> = {}, from: string, isPeer: boolean) =>
    Object.entries(ranges).map(([name, range]) => ({ name, range, from, by, isPeer }))
  const peers = Object.entries(entry.peerDependencies ?? {}).filter(
    ([name]) => entry.peerDependenciesMeta?.[name] === undefined,
  )
  return [
    ...wants(Object.fromEntries(peers), parentOf(path), true),
    ...wants(entry.dependencies, path, false),
  ]
}

/** Returns the folder in whose `node_modules` a package is. */
const parentOf = (path: string): string => path.slice(0, Math.max(path.lastIndexOf('/node_modules/'), 0))

const pathInside = (folder: string, name: string): string =>
  folder === '' ? `node_modules/${name}` : `${folder}/node_modules/${name}`

/** Returns the path at which Node finds a package from a folder: the nearest `node_modules` upwards. */
function lookUp(at: (path: string) => unknown, from: string, name: string): string | null {
  for (let folder = from; ; folder = parentOf(folder)) {
    const path = pathInside(folder, name)
    if (at(path) !== undefined) return path
    if (folder === '') return null
  }
}

const installPath = (at: (path: string) => unknown, from: string, name: string): string =>
  at(pathInside('', name)) === undefined ? pathInside('', name) : pathInside(from, name)

/** Throws `PackageRefusal` when the packages exceed `limits`. */
export function requireWithinLimits(lock: PackagesFile['lock'], limits: typeof APP_LIMITS): void {
  if (Object.keys(lock).length > limits.packages)
    throw new PackageRefusal(
      `With all it needs the app would have more than ${limits.packages} packages; choose one with fewer dependencies.`,
    )
  const bytes = Object.values(lock).reduce((sum, { unpackedBytes }) => sum + unpackedBytes, 0)
  if (bytes > limits.unpackedBytes)
    throw new PackageRefusal(
      `The packages would have more than ${limits.unpackedBytes / 1e6} MB together; choose a smaller one or remove one.`,
    )
}

/**
 * A package in a nested `node_modules` hides a package of the same name in an outer folder. Throws when a dependency gets a version
 * outside its range for this reason, because npm would refuse such a lock file.
 */
function requireResolvable(
  lock: PackagesFile['lock'],
  at: (path: string) => { version: string } | undefined,
): void {
  for (const [path, entry] of Object.entries(lock)) {
    for (const { from, name, range, by } of wantsOf(path, entry)) {
      const found = lookUp(at, from, name)
      const version = found === null ? undefined : at(found)?.version
      if (version === undefined || !satisfies(version, range))
        throw new PackageRefusal(
          `${by} needs ${name} ${range}, which does not fit beside the other packages.`,
        )
    }
  }
}
