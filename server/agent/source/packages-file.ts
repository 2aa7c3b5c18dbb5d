import * as z from 'zod'

/**
 * The file with the packages that an app has added to the built-in packages: the names that the app may import, and a
 * lock of all dependencies.
 */
export const PACKAGES_FILE = 'packages.json'

const PACKAGE_NAME = '(?:@[a-z0-9~-][a-z0-9._~-]*/)?(?!node_modules(?:/|$))[a-z0-9~-][a-z0-9._~-]*'
export const PackageName = z
  .string()
  .max(214)
  .regex(new RegExp(`^${PACKAGE_NAME}$`))
const Version = z
  .string()
  .max(100)
  .regex(/^\d+\.\d+\.\d+(?:[-+][0-9A-Za-z.+-]+)?$/)
const Ranges = z.record(PackageName, z.string().max(200))

export const LockedPackage = z.strictObject({
  version: Version,
  integrity: z.string().regex(/^sha512-[A-Za-z0-9+/]{86}==$/),
  unpackedBytes: z.int().min(0),
  license: z.string().max(200).optional(),
  dependencies: Ranges.optional(),
  peerDependencies: Ranges.optional(),
  peerDependenciesMeta: z.record(PackageName, z.strictObject({ optional: z.literal(true) })).optional(),
})
export type LockedPackage = z.infer<typeof LockedPackage>

export const PackagesFile = z.strictObject({
  packages: z.record(PackageName, Version),
  lock: z.record(
    z
      .string()
      .max(600)
      .regex(new RegExp(`^node_modules/${PACKAGE_NAME}(?:/node_modules/${PACKAGE_NAME})*$`)),
    LockedPackage,
  ),
})
/**
 * `packages`: exact versions, by name, of the packages that the app's own files may import. `lock`: packages by path,
 * like npm's lock file.
 */
export type PackagesFile = z.infer<typeof PackagesFile>

export const NO_PACKAGES: PackagesFile = { packages: {}, lock: {} }

/** Returns the packages of a tree: none without the file, null when the file is damaged. */
export function readPackagesFile(tree: ReadonlyMap<string, string>): PackagesFile | null {
  const text = tree.get(PACKAGES_FILE)
  if (text === undefined) return NO_PACKAGES
  try {
    return PackagesFile.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Returns the text of the file. Its keys are sorted, so that the same packages always give the same bytes. */
export function writePackagesFile({ packages, lock }: PackagesFile): string {
  return `${JSON.stringify({ packages: sortedByKey(packages), lock: sortedByKey(lock) }, null, 2)}\n`
}

/** The name at the end of a lock file path: `node_modules/a/node_modules/@b/c` is `@b/c`. */
export const packageNameAt = (path: string): string =>
  path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** The package in which a file lies: `…/node_modules/@b/c/dist/index.js` is in `@b/c`. */
export const packageAt = (file: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(packageNameAt(file))?.[0] ?? ''

const sortedByKey = <T>(record: Record<string, T>): Record<string, T> =>
  Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : 1)))

const NpmLock = z.looseObject({ packages: z.record(z.string(), z.looseObject({})) })

/** Returns npm's lock file for an app: `lockText`, which is the same for every app, and the packages that the app added. */
export function mergeLock(
  lockText: string,
  { lock }: PackagesFile,
  asked: { dependencies: Record<string, string>; devDependencies: Record<string, string> },
): string {
  if (Object.keys(lock).length === 0) return lockText
  const { packages: before, ...head } = NpmLock.parse(JSON.parse(lockText))
  const { '': root, ...packages } = before
  const added = Object.entries(lock).map(([path, { unpackedBytes: _size, ...entry }]) => [path, entry])
  const all = sortedByKey({ ...packages, ...Object.fromEntries(added) })
  return `${JSON.stringify({ ...head, packages: { '': { ...root, ...asked }, ...all } }, null, 2)}\n`
}
