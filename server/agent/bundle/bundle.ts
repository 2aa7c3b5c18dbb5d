import { createHash } from 'node:crypto'
import { basename } from 'node:path'
import { gzipSync } from 'node:zlib'
import type { BuildOptions, Loader, Message, OutputFile } from 'esbuild'
import { capabilityOf, isCapabilityKey } from '../../capability-catalog/catalog.ts'
import { type CheckError, errorAt } from '../check-report.ts'
import { PACKAGES_FILE, packageAt } from '../source/packages-file.ts'
import type { PackageMode } from './packages.ts'
import { firstLoadWarning } from './first-load.ts'
import { appOf, webEntry, type WebFile, webFiles } from './web.ts'
import { findSourcePosition, sourceMapOf } from './source-map.ts'
import { minifyModule, type BundlerConfig, runBundler } from './bundlers.ts'
import { readRuntime } from '../source/locked-runtime.ts'
import { type AppTree, completeTree } from '../source/tree.ts'

export type BundlePart = 'server' | 'web' | 'smoke' | 'tests'

/**
 * The bundles of an app. `smoke` and `tests` are single ES modules with a default fetch handler. `smoke` returns `[{ page, ok,
 * error, warning }]` for GET /; `tests` returns `[{ name, file, ok, ms, error }]` for GET /run and calls the app through its
 * service binding `APP`.
 */
export interface AppBundle {
  server: { main: string; modules: Record<string, string> }
  web: Record<string, WebFile>
  smoke?: string
  tests?: string
  /** Warnings are shown to the model and do not fail the check. */
  warnings?: CheckError[]
}

export type BundleResult = { ok: true; bundle: AppBundle } | { ok: false; errors: CheckError[] }

interface BundleOptions {
  parts: BundlePart[]
  minify: boolean
  /** Whether the pages will run in a browser. Then the web bundle includes the packages and a source map for error stacks. */
  runsPages?: boolean
  /** The folder with the packages that the app added; null without added packages. */
  folder?: string | null
}

const SERVER_MAIN = 'worker.js'
const GZIP_MAX = 1_000_000

const MODULE_OPTIONS = {
  format: 'esm',
  target: 'es2024',
  logLevel: 'silent',
  charset: 'utf8',
  legalComments: 'none',
} as const

/** Every build uses only these options: configuration files in the app's tree are ignored. */
const COMMON_OPTIONS: BuildOptions = {
  ...MODULE_OPTIONS,
  bundle: true,
  write: false,
  jsx: 'automatic',
  tsconfigRaw: { compilerOptions: { strict: true } },
}
const WORKER_OPTIONS: BuildOptions = {
  platform: 'neutral',
  mainFields: ['module', 'main'],
  conditions: ['workerd', 'worker', 'import', 'module', 'default'],
  define: { 'process.env.NODE_ENV': '"production"' },
}

/** Pictures and fonts that the styles of a package import are inlined, so that the bundle needs no further files. */
const PACKAGE_ASSETS: Record<string, Loader> = {
  '.png': 'dataurl',
  '.gif': 'dataurl',
  '.svg': 'dataurl',
  '.woff': 'dataurl',
  '.woff2': 'dataurl',
}

/** Bundles a complete tree in memory, including the platform's files, which the agent cannot change. Executes none of its code. */
export async function bundleApp(tree: AppTree, options: BundleOptions): Promise<BundleResult> {
  const { parts, minify, runsPages = false, folder = null } = options
  const wants = (part: BundlePart) => parts.includes(part)
  const [server, web, smoke, tests] = await Promise.all([
    wants('server') ? bundleWorker(tree, 'platform/worker.ts', { minify, folder }) : null,
    wants('web') ? bundleWeb(tree, { minify, runsPages, folder }) : null,
    wants('smoke') ? bundleWorker(tree, 'platform/testing/smoke.ts', { folder, packages: 'render' }) : null,
    wants('tests') ? bundleWorker(withTestEntry(tree), TEST_ENTRY, { folder }) : null,
  ])
  const errors = uniqueErrors([server, web, smoke, tests].flatMap((part) => part?.errors ?? []))
  if (errors.length > 0) return { ok: false, errors }
  const warnings = web?.warnings ?? []
  return {
    ok: true,
    bundle: {
      server: { main: SERVER_MAIN, modules: server === null ? {} : { [SERVER_MAIN]: server.text } },
      web: web?.files ?? {},
      ...(smoke === null ? {} : { smoke: smoke.text }),
      ...(tests === null ? {} : { tests: tests.text }),
      ...(warnings.length === 0 ? {} : { warnings }),
    },
  }
}

const DEPLOYED_FRAME = /(?:file:\/\/)?[\w./-]*\bworker\.js:(\d+):(\d+)/g

/**
 * Returns the error stacks of a deployed worker with positions in the app's sources (`server/routes.ts:4:9`) instead of positions in the
 * minified bundle. Bundles the tree again for this, so the tree must be the deployed tree, with the same platform files and packages.
 */
export async function locateStacks(
  tree: AppTree,
  folder: string | null,
  stacks: readonly string[],
): Promise<string[]> {
  const { text } = await bundleWorker(tree, 'platform/worker.ts', { minify: true, folder, withMap: true })
  const map = sourceMapOf({ [SERVER_MAIN]: text }, SERVER_MAIN)
  return stacks.map((stack) =>
    stack.replace(DEPLOYED_FRAME, (frame, line: string, column: string) => {
      const position = findSourcePosition(map, { line: Number(line), column: Number(column) }, tree)
      return position === null ? frame : `${position.file}:${position.line}:${position.column}`
    }),
  )
}

interface FixedBundle {
  main: string
  modules: Record<string, string>
  version: string
}
const platformBundles = new Map<string, Promise<FixedBundle>>()

/** Bundles the worker with the Durable Objects of a project (docs/decisions/0066-the-live-worker-holds-every-capability.md). */
export const bundleLive = () => bundlePlatformWorker('live.ts')

export const bundleAdmin = () => bundlePlatformWorker('admin/worker.ts')

export const bundleUploads = () => bundlePlatformWorker('assets/worker.ts')

/** A platform worker contains no generated code, so one cached build serves all projects. A failed build is not cached. */
function bundlePlatformWorker(entry: string): Promise<FixedBundle> {
  const known = platformBundles.get(entry)
  if (known !== undefined) return known
  const built = buildPlatformWorker(entry)
  platformBundles.set(entry, built)
  built.catch(() => platformBundles.delete(entry))
  return built
}

async function buildPlatformWorker(entry: string): Promise<FixedBundle> {
  const tree = completeTree(readRuntime().files, new Set())
  const main = `platform/workers/${entry}`
  const { output, errors } = await buildOrErrors(tree, {
    options: {
      ...COMMON_OPTIONS,
      ...WORKER_OPTIONS,
      minify: true,
      outdir: 'out',
      entryNames: 'worker',
      chunkNames: 'chunk-[hash]',
      splitting: true,
      entryPoints: [main],
      // Makes every module import the main module. Otherwise esbuild splits the code that is loaded at the start into a chunk
      // for each set of lazily loaded modules that share code. Many small chunks compress worse than one chunk.
      inject: [main],
    },
    packages: 'whole',
    folder: null,
    cssAs: 'empty',
    refusesServerCode: false,
  })
  if (errors.length > 0) throw new Error(`The worker ${entry} does not build: ${errors[0]?.message}`)
  // esbuild has chosen the short names for the whole source files. This second pass chooses the names for the code that remains in
  // each module, so that the module compresses better.
  const minified = output.map(
    async ({ path, text }) => [basename(path), await minifyModule(text, MODULE_OPTIONS)] as const,
  )
  const modules = Object.fromEntries(await Promise.all(minified))
  const version = createHash('sha256').update(JSON.stringify(modules)).digest('hex').slice(0, 16)
  return { main: SERVER_MAIN, modules, version }
}

async function bundleWorker(
  tree: AppTree,
  entry: string,
  {
    minify = false,
    folder = null,
    packages = 'whole',
    withMap = !minify,
  }: { minify?: boolean; folder?: string | null; packages?: PackageMode; withMap?: boolean },
) {
  const { output, errors } = await buildOrErrors(tree, {
    options: {
      ...COMMON_OPTIONS,
      ...WORKER_OPTIONS,
      minify,
      // The source map lets the error stacks of a check name the sources. A deployed worker has no source map, see `locateStacks`.
      sourcemap: withMap ? 'inline' : false,
      sourcesContent: false,
      entryPoints: [entry],
    },
    packages,
    folder,
    cssAs: 'empty',
    refusesServerCode: false,
  })
  const text = output[0]?.text ?? ''
  if (minify) errors.push(...sizeErrors(tree, 'server/routes.ts', 'server', output))
  return { text, errors }
}

async function bundleWeb(
  tree: AppTree,
  { minify: isShipped, runsPages, folder }: { minify: boolean; runsPages: boolean; folder: string | null },
) {
  // A check of an app with added packages minifies the bundle as well, to find out whether the packages can be bundled and
  // how large they are.
  const minify = isShipped || folder !== null

  const entry = webEntry(tree.get('web/index.html') ?? '')
  if (entry === null || !tree.has(entry)) {
    const message = 'web/index.html must load its script: <script type="module" src="/main.tsx"></script>'
    const error = errorAt(tree, { phase: 'bundle', file: 'web/index.html', code: 'entry', message })
    return { files: {}, errors: [error], warnings: [] }
  }
  const { output, metafile, errors } = await buildOrErrors(tree, {
    options: {
      ...COMMON_OPTIONS,
      platform: 'browser',
      loader: PACKAGE_ASSETS,
      metafile: true,
      minify,
      sourcemap: runsPages ? 'external' : false,
      sourcesContent: false,
      define: { 'process.env.NODE_ENV': '"production"' },
      outdir: 'out',
      entryNames: 'main',
      chunkNames: 'chunk-[hash]',
      // Split only for added packages and for capabilities that pages load later, such as calls. Other apps load faster as one file.
      splitting: appOf(tree).uses.some(isLoadedLater) || folder !== null,
      entryPoints: [entry],
    },
    packages: minify || runsPages ? 'whole' : 'external',
    folder,
    cssAs: 'css',
    // A ship must not fail because of a rule that the check of its version did not have.
    refusesServerCode: !isShipped,
  })
  const built = output.map(({ path, contents }) => ({ path, bytes: contents }))
  if (minify) errors.push(...sizeErrors(tree, entry, 'web', output))
  const warning = minify && metafile !== undefined ? firstLoadWarning(output, metafile) : null
  const warnings =
    warning === null ? [] : [errorAt(tree, { phase: 'bundle', file: entry, code: 'size', message: warning })]
  return { files: errors.length === 0 ? webFiles(tree, built) : {}, errors, warnings }
}

const isLoadedLater = (key: unknown): boolean =>
  typeof key === 'string' && isCapabilityKey(key) && capabilityOf(key).isLoadedLater

const TEST_ENTRY = 'platform/testing/entry.gen.ts'

function withTestEntry(tree: AppTree): AppTree {
  const files = [...tree.keys()].filter((path) => /^tests\/.+\.test\.tsx?$/.test(path)).sort()
  const suites = files.map(
    (file) => `  { file: ${JSON.stringify(file)}, load: () => import('../../${file}') },`,
  )
  const entry = `import { runSuites } from './run.ts'\n\nexport default runSuites([\n${suites.join('\n')}\n])\n`
  return new Map([...tree, [TEST_ENTRY, entry]])
}

async function buildOrErrors(tree: AppTree, recipe: BundlerConfig) {
  try {
    const { outputFiles, metafile } = await runBundler(tree, recipe)
    return { output: outputFiles, metafile, errors: [] as CheckError[] }
  } catch (error) {
    const messages = (error as { errors?: Message[] }).errors
    if (messages === undefined) throw error
    return { output: [], metafile: undefined, errors: messages.map((message) => toCheckError(tree, message)) }
  }
}

function toCheckError(tree: AppTree, { text, location }: Message): CheckError {
  const file = (location?.file ?? '').replace(/^tree:/, '')
  if (file.includes('node_modules/')) {
    const name = packageAt(file)
    const message = `${name} cannot be bundled here (${text}): remove it and choose another package.`
    return errorAt(tree, { phase: 'bundle', file: PACKAGES_FILE, code: 'package', message })
  }
  const isImport =
    location?.lineText?.includes('import') === true || /available|does not exist|locked/.test(text)
  return errorAt(tree, {
    phase: 'bundle',
    file,
    line: location?.line ?? 0,
    column: location === null ? 0 : location.column + 1,
    code: isImport ? 'import' : 'syntax',
    message: text,
  })
}

function sizeErrors(tree: AppTree, file: string, what: string, output: OutputFile[]): CheckError[] {
  const tooLarge = gzipBytesAbove(GZIP_MAX, output)
  if (tooLarge === null) return []
  const message = `The ${what} bundle has ${toKb(tooLarge)} kB compressed; it may have 1000 kB.`
  return [errorAt(tree, { phase: 'bundle', file, code: 'size', message })]
}

/**
 * Returns the compressed size when it is above the limit, else null. Compressing costs time, so files that are below
 * the limit uncompressed are not compressed.
 */
function gzipBytesAbove(limit: number, output: OutputFile[]): number | null {
  const sum = (size: (file: OutputFile) => number) => output.reduce((total, file) => total + size(file), 0)
  if (sum(({ contents }) => contents.length) <= limit) return null
  const compressed = sum(({ contents }) => gzipSync(contents).length)
  return compressed > limit ? compressed : null
}

const toKb = (bytes: number): number => Math.round(bytes / 1000)

/** A file can be in several bundles, so the same error can be found several times. Report each error once. */
function uniqueErrors(errors: CheckError[]): CheckError[] {
  const seen = new Map(
    errors.map((error) => [`${error.file}:${error.line}:${error.column}:${error.message}`, error]),
  )
  return [...seen.values()]
}
