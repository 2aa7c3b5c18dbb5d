import { type AppBundle, bundleApp } from '../bundle/bundle.ts'
import type { WarmBrowser } from './browser/browser.ts'
import { type Manifest, readManifest } from '../source/manifest.ts'
import { type AppTree, isLocked, lockedFiles, ownFiles, pathProblem } from '../source/tree.ts'
import { checkTests } from './phases/app-tests.ts'
import { type BootInput, bootApp } from './phases/boot.ts'
import { inspectBundle } from './phases/bundle-rules.ts'
import { type CheckError, type CheckReport, type CheckFindings, Phases } from '../check-report.ts'
import { checkLint } from './phases/lint.ts'
import { checkManifest } from './phases/manifest.ts'
import { checkPaths } from './phases/paths.ts'
import { checkPages, type PagesInput } from './phases/pages.ts'
import type { CheckJobs } from './protocol.ts'
import { findCredentials } from './phases/secrets.ts'
import type { TypeServer } from './types/type-server.ts'
import { checkTypes } from './types/types.ts'
import { pathsToRequest, workersOf } from './sandbox/workers.ts'
import { makeFolder, removeFolder, type TreeFolder } from './folder.ts'

/** The tools that a check process reuses for its next job, so that a check of a similar tree is quick. */
export interface CheckTools {
  folder: string
  written: TreeFolder
  types: TypeServer
  browser: WarmBrowser | null
}

const NO_BROWSER =
  'The pages were not seen in a browser, only rendered to markup: no Chromium was found (SLIPWAY_CHROMIUM names one).'
const LOST_BROWSER = 'The pages were not seen in a browser, only rendered to markup: it ended twice.'

/**
 * Runs every possible phase over a tree, so that an invalid manifest does not hide faults of the code. Without a readable manifest, lint
 * is the last phase: the type check and the bundle need files that are generated from the manifest. After an error in the phase `paths`,
 * no file is written to disk and no phase after `secrets` runs. Errors of the app are results, not exceptions.
 */
export async function runCheck(
  { folder, written, types, browser }: CheckTools,
  job: CheckJobs['check']['given'],
): Promise<CheckReport> {
  const { tree } = job
  const phases = new Phases()
  const read = readManifest(tree.get('app.json') ?? '')
  const manifest = read.ok ? read.manifest : null
  await phases.run('manifest', () => ({ errors: checkManifest(tree, read, job.before) }))
  const { errors: pathsRed } = await phases.run('paths', () => ({
    errors: pathErrors(tree, manifest, job.enabled),
  }))
  await phases.run('secrets', () => ({ errors: findCredentials(tree, isLocked) }))
  if (pathsRed.length > 0) return phases.report([])

  browser?.warm()
  const changes = written.write(tree, job.packages)
  const lint = phases.run('lint', () => checkLint(tree, written.path))
  if (manifest === null) {
    await lint
    return phases.report([])
  }
  const [{ logs, ...seen }] = await Promise.all([
    runApp(phases, { folder, browser, job, manifest }),
    phases.run('types', async () => ({ errors: await checkTypes(types, tree, written.path, changes) })),
    lint,
  ])
  return { ...phases.report(logs), ...seen }
}

/**
 * Bundles a tree for a deployment: minified, and without the code by which a check renders pages and runs tests. Throws when bundling
 * fails, which should not happen for a tree that passed a check.
 */
export async function runBundle(tree: AppTree, folder: string | null): Promise<AppBundle> {
  const result = await bundleApp(tree, { parts: ['server', 'web'], minify: true, folder })
  if (result.ok) return result.bundle
  const [first] = result.errors
  throw new Error(`The app does not bundle: ${first?.file}:${first?.line} ${first?.message}`)
}

function pathErrors(tree: AppTree, manifest: Manifest | null, enabled: readonly string[]): CheckError[] {
  // Without a manifest the locked files cannot be computed, so accept the given ones.
  const locked = manifest
    ? lockedFiles(ownFiles(tree), manifest, new Set(enabled))
    : new Map([...tree].filter(([path]) => isLocked(path)))
  return checkPaths(tree, { isLocked, pathProblem, locked })
}

interface RunResult extends Pick<CheckReport, 'note' | 'pictures'> {
  logs: string[]
}

/** Runs the phases bundle, boot, tests and pages in order, because each phase needs the result of the previous phase. */
async function runApp(
  phases: Phases,
  run: {
    folder: string
    browser: WarmBrowser | null
    job: CheckJobs['check']['given']
    manifest: Manifest
  },
): Promise<RunResult> {
  const { folder, browser, manifest } = run
  const { tree, enabled } = run.job
  const { bundle } = await phases.run('bundle', () =>
    bundleTree(tree, { runsPages: browser !== null, folder: run.job.packages }),
  )
  if (bundle === null) return { logs: [] }
  const target = makeFolder(folder)
  const workers = await workersOf(
    bundle,
    enabled,
    manifest.providers?.map(({ id }) => id),
  )
  const input: BootInput = { tree, folder: target, bundle, workers, paths: pathsToRequest(tree, manifest) }
  const { sandbox, testsFailure, errors, warnings } = await phases.run('boot', () => bootApp(input))
  if (sandbox === null) return { logs: [] }
  const collections = Object.keys(manifest.collections).length
  await phases.run('tests', () => checkTests(input, { sandbox, testsFailure, collections }))
  const seen = await runPagesPhase(phases, browser, {
    tree,
    web: bundle.web,
    manifest,
    sandbox,
    hasAccounts: enabled.includes('auth'),
    changed: run.job.changed,
    known: [...errors, ...warnings],
  })
  void sandbox.close().then(() => removeFolder(target))
  return { ...seen, logs: sandbox.logs.map(({ level, message }) => `${level}: ${message}`) }
}

async function runPagesPhase(
  phases: Phases,
  browser: WarmBrowser | null,
  input: Omit<PagesInput, 'browser'>,
): Promise<Pick<RunResult, 'note' | 'pictures'>> {
  if (browser === null) return { note: NO_BROWSER }
  // A page that fails to render to markup also fails in a browser, and is already reported.
  if (input.known.some(({ code, phase }) => phase === 'boot' && code === 'render')) return {}
  const { isSeen, pictures } = await phases.run('pages', () => checkPages({ ...input, browser }))
  return isSeen ? { pictures } : { note: LOST_BROWSER }
}

async function bundleTree(
  tree: AppTree,
  of: { runsPages: boolean; folder: string | null },
): Promise<CheckFindings & { bundle: AppBundle | null }> {
  const parts = ['server', 'web', 'smoke', 'tests'] as const
  const result = await bundleApp(tree, { parts: [...parts], minify: false, ...of })
  if (!result.ok) return { errors: result.errors, bundle: null }
  const errors = inspectBundle(tree, result.bundle)
  return {
    errors,
    warnings: result.bundle.warnings ?? [],
    bundle: errors.length === 0 ? result.bundle : null,
  }
}
