import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import { satisfies } from 'semver'
import { type ChildKind, ChildExitedError } from '../children/child.ts'
import { openPool } from '../children/pool.ts'
import type { JobInput, JobOutput } from '../children/protocol.ts'
import lock from '../source/locked-packages.json' with { type: 'json' }
import { curatedOf, CURATED_LIST } from './curated.ts'
import {
  type LockedPackage,
  packageNameAt,
  type PackagesFile,
  readPackagesFile,
} from '../source/packages-file.ts'
import type { RefusableResult, PackageJobs, RegistryAccess } from './jobs.ts'
import { readRegistry } from './npm-config.ts'
import {
  addPackage,
  APP_LIMITS,
  type BaseLock,
  PackageRefusal,
  type PickPackage,
  removePackage,
  requireWithinLimits,
  typesOf,
} from './resolve.ts'
import { PackageStore, folderSizeBytes } from './store.ts'

const FETCH_CHILD: ChildKind = {
  entry: fileURLToPath(new URL('./child.ts', import.meta.url)),
  heapMbMax: 384,
  jobsMax: 500,
  memoryBytesMax: 768 * 1024 ** 2,
}
const PACKAGE_JOB_MS_MAX = 90_000
const JOBS_AT_ONCE = 2

export interface PackageCaller {
  /** The organization's id. Organizations with waiting jobs take turns. */
  owner: string
  signal?: AbortSignal
}

export interface Packages {
  /**
   * Adds a package with all dependencies. Without `mayUseAny` only curated packages can be added. Throws `PackageRefusal` with a
   * sentence for the model.
   */
  add(
    file: PackagesFile,
    asked: { name: string; range?: string; mayUseAny: boolean },
    caller: PackageCaller,
  ): Promise<PackagesFile>
  remove(file: PackagesFile, name: string): PackagesFile
  /**
   * Returns the folder from which the packages of an app are resolved; null for an app without added packages. Missing
   * packages are fetched from the registry.
   */
  folderFor(tree: ReadonlyMap<string, string>, caller: PackageCaller): Promise<string | null>
  /** Deletes packages that no app has used for two weeks. */
  tidy(): Promise<void>
  close(): Promise<void>
}

const { '': _app, ...lockedPackages } = lock.packages
export const baseLock = (): BaseLock => lockedPackages

interface RegistryOptions {
  /** The hosts of `SLIPWAY_OUTBOUND_ALLOW`. They need not include the registry, because the registry is configured. */
  allow: readonly string[]
  log: Logger
  registry: () => Promise<string>
}

interface PackagesOptions extends Omit<RegistryOptions, 'registry'> {
  dataDir: string
  now?: () => number
  registry?: RegistryOptions['registry']
  limits?: typeof APP_LIMITS
  /** The packages that an app may use without permission. The file fixes their versions, so the registry is not called for them. */
  curated?: PackagesFile
}

/** Opens the packages that are stored in a data folder. Requests a package from the registry only if the package is not stored yet. */
export function openPackages({
  dataDir,
  allow,
  log,
  now = Date.now,
  registry = readRegistry,
  limits = APP_LIMITS,
  curated = CURATED_LIST,
}: PackagesOptions): Packages {
  const jobs = openRegistryJobs({ allow, log, registry })
  const store = new PackageStore(dataDir, now)
  const base = baseLock()

  // Not cancelled by the caller's signal, because other callers may wait for the same package.
  const fetch = (name: string, { version, integrity }: LockedPackage, { owner }: PackageCaller) =>
    jobs
      .run('fetch', (place) => ({ ...place, name, version, integrity }), { owner })
      .then(({ files }) => files)

  const folderOf = (path: string, entry: LockedPackage, caller: PackageCaller) =>
    store.package(entry, () => fetch(packageNameAt(path), entry, caller))

  const link = (file: PackagesFile, caller: PackageCaller) =>
    unlessAborted(
      store.tree(file, base, (path) => folderOf(path, file.lock[path] as LockedPackage, caller)),
      caller.signal,
    )

  /** Fetches missing packages and locks each package with its real size, because a registry may state no size or a wrong size. */
  const measure = async (file: PackagesFile, caller: PackageCaller): Promise<PackagesFile> => {
    const lock: PackagesFile['lock'] = {}
    for (const [path, entry] of Object.entries(file.lock)) {
      const unpackedBytes = await folderSizeBytes(
        await unlessAborted(folderOf(path, entry, caller), caller.signal),
      )
      lock[path] = { ...entry, unpackedBytes }
      requireWithinLimits(lock, limits)
    }
    return { ...file, lock }
  }

  const pickerOf = (mayUseAny: boolean, caller: PackageCaller, untyped: Set<string>): PickPackage => {
    return async (name, range) => {
      const known = Object.entries(curated.lock).find(
        ([path, entry]) => packageNameAt(path) === name && satisfies(entry.version, range),
      )
      if (known !== undefined) return known[1]
      if (!mayUseAny)
        throw new PackageRefusal(
          `${name} ${range} is not among the curated packages; find one with find, or ask the organization's administrator to allow other packages in the settings.`,
        )
      const { entry, hasTypes } = await jobs.run(
        'pick',
        (place) => ({ ...place, name, range, now: now() }),
        caller,
      )
      if (!hasTypes) untyped.add(name)
      return entry
    }
  }

  return {
    async add(file, { name, range = '*', mayUseAny }, caller) {
      if (base[`node_modules/${name}`] !== undefined && base[`node_modules/${name}`]?.dev !== true)
        throw new PackageRefusal(`Every app has ${name} already; import it.`)
      const untyped = new Set<string>()
      const pick = pickerOf(mayUseAny, caller, untyped)
      let added = await addPackage(file, { name, range }, { base, pick, limits })
      const types = curatedOf(name)?.types ?? (untyped.has(name) ? typesOf(name) : undefined)
      if (types !== undefined && added.packages[types] === undefined)
        added = await addPackage(added, { name: types, range: '*' }, { base, pick, limits }).catch(
          (error: unknown) => {
            // A package without types is accepted. The check then reports the missing declaration, which the model can write.
            if (error instanceof PackageRefusal) return added
            throw error
          },
        )
      // This also proves that every archive exists and is intact, before the lock is stored.
      const measured = await measure(added, caller)
      await link(measured, caller)
      return measured
    },
    remove: (file, name) => removePackage(file, name, base),
    async folderFor(tree, caller) {
      const file = readPackagesFile(tree)
      return file === null || Object.keys(file.lock).length === 0 ? null : link(file, caller)
    },
    tidy: () => store.tidy(),
    close: () => jobs.close(),
  }
}

/** Opens the child processes that call the registry. Their jobs throw `PackageRefusal` with a sentence for the model. */
function openRegistryJobs({ allow, log, registry }: RegistryOptions) {
  const pool = openPool<PackageJobs>(FETCH_CHILD, { size: JOBS_AT_ONCE, log })
  return {
    async run<K extends keyof PackageJobs & string>(
      job: K,
      inputFor: (place: RegistryAccess) => JobInput<PackageJobs, K>,
      caller: PackageCaller,
    ): Promise<Exclude<JobOutput<PackageJobs, K>, { refused: string }>> {
      const address = await registry()
      const input = inputFor({ registry: address, allow: [...allow, new URL(address).origin] })
      const answer = (await pool
        .run(job, input, { timeoutMs: PACKAGE_JOB_MS_MAX, ...caller })
        .catch((error: unknown) => packageRefusal(error, input))) as RefusableResult<object>
      if ('refused' in answer) throw new PackageRefusal(answer.refused)
      return answer as Exclude<JobOutput<PackageJobs, K>, { refused: string }>
    },
    close: () => pool.close(),
  }
}

/** Reports a registry that is too slow, or whose response ends the child process, to the model like any other refusal. */
function packageRefusal(error: unknown, { name }: { name: string }): { refused: string } {
  if (!(error instanceof ChildExitedError)) throw error
  const why =
    error.reason === 'time' ? `did not come within ${PACKAGE_JOB_MS_MAX / 1000} seconds` : 'could not be read'
  return { refused: `The package ${name} ${why}; try again later or do without it.` }
}

/** Rejects when the caller aborts. The work continues, because other callers may wait for it. */
function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason as Error)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    void work.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
