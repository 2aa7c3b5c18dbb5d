import { type AppBundle, bundleApp } from '../bundle/bundle.ts'
import { type Manifest, readManifest } from '../source/manifest.ts'
import { type AppTree, isLocked, lockedFiles, ownFiles, pathProblem } from '../source/tree.ts'
import { checkTests } from './phases/app-tests.ts'
import { type BootInput, bootApp } from './phases/boot.ts'
import { inspectBundle } from './phases/bundle-rules.ts'
import { type CheckError, type CheckReport, type Found, Phases } from './report.ts'
import { checkLint } from './phases/lint.ts'
import { checkManifest } from './phases/manifest.ts'
import { checkPaths } from './phases/paths.ts'
import type { CheckJobs } from './pool/protocol.ts'
import { checkSecrets } from './phases/secrets.ts'
import type { TypeServer } from './types/type-server.ts'
import { checkTypes } from './types/types.ts'
import { pathsToAsk, workersOf } from './sandbox/workers.ts'
import { makeFolder, removeFolder, type TreeFolder } from './pool/folder.ts'

/** What a checker keeps between jobs: its own folder, the tree checked last and a warm compiler that knows it. */
export interface Workbench {
  folder: string
  written: TreeFolder
  types: TypeServer
}

/** Runs every phase over one tree. Errors of the app are results, not exceptions. */
export async function runCheck(
  { folder, written, types }: Workbench,
  job: CheckJobs['check']['given'],
): Promise<CheckReport> {
  const { tree, enabled, packages } = job
  const phases = new Phases()
  const read = readManifest(tree.get('app.json') ?? '')
  const manifest = read.ok ? read.manifest : null
  await phases.run('manifest', () => ({ errors: checkManifest(tree, read, job.before) }))
  await phases.run('paths', () => ({ errors: pathErrors(tree, manifest, enabled) }))
  await phases.run('secrets', () => ({ errors: checkSecrets(tree, isLocked) }))
  if (manifest === null || phases.isRed) return phases.report([])

  const changes = written.write(tree, packages)
  const [logs] = await Promise.all([
    runApp(phases, folder, tree, manifest, { enabled, packages }),
    phases.run('types', async () => ({ errors: await checkTypes(types, tree, written.path, changes) })),
    phases.run('lint', () => checkLint(tree, written.path)),
  ])
  return phases.report(logs)
}

/** Bundles a tree for a deployment: minified, without tests and smoke. */
export async function runBundle(tree: AppTree, folder: string | null): Promise<AppBundle> {
  const result = await bundleApp(tree, { parts: ['server', 'web'], minify: true, folder })
  if (result.ok) return result.bundle
  const [first] = result.errors
  throw new Error(`The app does not bundle: ${first?.file}:${first?.line} ${first?.message}`)
}

function pathErrors(tree: AppTree, manifest: Manifest | null, enabled: readonly string[]): CheckError[] {
  // Without a manifest the locked files cannot be computed: then they are accepted as they are.
  const locked = manifest
    ? lockedFiles(ownFiles(tree), manifest, new Set(enabled))
    : new Map([...tree].filter(([path]) => isLocked(path)))
  return checkPaths(tree, { isLocked, pathProblem, locked })
}

/** Bundle, then boot, then tests: each needs the result of the one before. Returns the lines the app printed. */
async function runApp(
  phases: Phases,
  folder: string,
  tree: AppTree,
  manifest: Manifest,
  { enabled, packages }: { enabled: readonly string[]; packages: string | null },
): Promise<string[]> {
  const { bundle } = await phases.run('bundle', () => bundleTree(tree, packages))
  if (bundle === null) return []
  const target = makeFolder(folder)
  const workers = await workersOf(
    bundle,
    enabled,
    manifest.providers?.map(({ id }) => id),
  )
  const input: BootInput = { tree, folder: target, bundle, workers, paths: pathsToAsk(tree, manifest) }
  const { sandbox, testsFailure } = await phases.run('boot', () => bootApp(input))
  if (sandbox === null) return []
  const collections = Object.keys(manifest.collections).length
  await phases.run('tests', () => checkTests(input, { sandbox, testsFailure, collections }))
  void sandbox.close().then(() => removeFolder(target))
  return sandbox.logs.map(({ level, message }) => `${level}: ${message}`)
}

async function bundleTree(
  tree: AppTree,
  folder: string | null,
): Promise<Found & { bundle: AppBundle | null }> {
  const result = await bundleApp(tree, { parts: ['server', 'web', 'smoke', 'tests'], minify: false, folder })
  if (!result.ok) return { errors: result.errors, bundle: null }
  const errors = inspectBundle(tree, result.bundle)
  return {
    errors,
    warnings: result.bundle.warnings ?? [],
    bundle: errors.length === 0 ? result.bundle : null,
  }
}
