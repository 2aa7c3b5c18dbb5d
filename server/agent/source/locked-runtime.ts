import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, sep } from 'node:path'
import * as z from 'zod'

const require = createRequire(import.meta.url)
const runtimeFolder = dirname(require.resolve('@slipway/runtime/package.json'))

interface LockedRuntime {
  files: ReadonlyMap<string, string>
  version: string
}

let loadedRuntime: LockedRuntime | undefined

/** Returns the runtime's sources. Reads the sources only once, because they do not change while the process runs. */
export function readRuntime(): LockedRuntime {
  loadedRuntime ??= loadRuntime()
  return loadedRuntime
}

function loadRuntime(): LockedRuntime {
  const files = new Map<string, string>()
  for (const entry of readdirSync(runtimeFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
      .slice(runtimeFolder.length + 1)
      .split(sep)
      .join('/')
    if (entry.isFile() && isRuntimeSource(path))
      files.set(`platform/${path}`, readFileSync(join(runtimeFolder, path), 'utf8'))
  }
  const sorted = new Map([...files].sort(([a], [b]) => (a < b ? -1 : 1)))
  const hash = createHash('sha256')
  for (const [path, text] of sorted) hash.update(`${path}\0${text}\0`)
  const { version } = readPackage()
  return { files: sorted, version: `${version}+${hash.digest('hex').slice(0, 12)}` }
}

function isRuntimeSource(path: string): boolean {
  if (path.startsWith('node_modules/') || path.includes('.test.')) return false
  return /\.(?:tsx?|css|mjs)$/.test(path) && !/\.gen\.(?:ts|css)$/.test(path)
}

const Versions = z.record(z.string(), z.string())
const RuntimePackage = z.object({ version: z.string(), dependencies: Versions, devDependencies: Versions })

const readPackage = () =>
  RuntimePackage.parse(JSON.parse(readFileSync(join(runtimeFolder, 'package.json'), 'utf8')))

/** Returns the packages that an app's repository installs, in the versions with which the service bundles it. */
export function readPackages(): Record<string, string> {
  const { dependencies, devDependencies } = readPackage()
  return { ...dependencies, ...devDependencies }
}

let packageLock: string | undefined

/** Returns the lock file of every app, made by `npm run generate`: the versions with which the service bundles and checks apps. */
export function readPackageLock(): string {
  packageLock ??= readFileSync(new URL('./locked-packages.json', import.meta.url), 'utf8')
  return packageLock
}

/** The folder from which the packages of generated code are resolved. */
export const packagesFolder: string = runtimeFolder
