import { existsSync, globSync } from 'node:fs'
import { testBrowserPath, wholeBrowserPath } from '../server/testing/chromium.ts'
import { buildConsole } from './console-build.ts'
import { collectErrors } from './suite/declared-errors.ts'
import { collectEffects } from './suite/listed-effects.ts'
import { formatMs, reportStep, ROOT, run } from './lib.ts'
import { failedFiles, runGroup, type TestGroup, type TestResult } from './suite/test-group.ts'

/**
 * Runs the tests of every change, or the files named on the command line. `--all` adds the long tests. `--soak` also adds them, and makes
 * tests that repeat something repeat it far more often (test/support/soak.ts). Two groups run at a time, because most of them wait for a
 * browser, a model or a disk.
 */

/**
 * Groups of test files that share a process, because starting a process for each file would take longer than its tests. The longest group
 * starts first, so that none of them runs alone at the end.
 */
const SHARED_PROCESSES: Record<string, string[]> = {
  'the service': ['server/!(agent|capabilities)/**/*.test.ts', 'server/*.test.ts'],
  'the agent and the runtime': ['server/agent/**/*.test.ts', 'runtime/**/*.test.ts'],
  capabilities: ['server/capabilities/**/*.test.ts'],
  'the local world': ['local/**/*.test.ts', 'test/fidelity/**/*.test.ts'],
  scenarios: ['test/scenarios/**/*.test.ts'],
  'console, SDK and scripts': ['console', 'sdk', 'scripts', 'bench'].map((dir) => `${dir}/**/*.test.ts`),
  'console and app components': ['console/**/*.test.tsx', 'runtime/**/*.test.tsx'],
}
/** Test files that each run in a separate process, because they start services, databases and browsers. */
const JOURNEY_FILES = 'test/{browser,crash,security}/**/*.test.ts'
const JOURNEYS_OF_SCRIPTS = 'test/*.test.ts'
/**
 * Files that run only with `--all`, with `--soak` or when they are named, because they take a third of the whole suite's time
 * (docs/decisions/0113-long-tests-run-on-demand.md). Faster tests in the folders named below test the same things.
 */
const LONG_FILES = [
  // The local Cloudflare emulator, used by wrangler (local/cloudflare, test/fidelity).
  'test/fidelity/{backup,domains,drift,queues-wrangler,r2,storage,workflows,wrangler}.test.ts',
  // Tests of kill -9 during operations that take minutes (server/relocation, server/closing, server/snapshot).
  'test/crash/{account-deletion,backup,clock-jumps,move,move-end,teardown}.test.ts',
  // One capability in a browser, all of them in one app, and a move (server/capabilities, server/agent/bundle, server/relocation).
  'test/browser/apps/{ai,call,chat,connect,events,flow,guard,hooks,kit,mail}.test.ts',
  'test/browser/apps/{photos,push,render,shop,teams,video,ways-in}.test.ts',
  'test/browser/{account-export,live-people,move,uploads}.test.ts',
  'test/every-capability.test.ts',
  // Measurements of every console page in a browser (the component tests in console/).
  'test/browser/{first-view,focus,layout-shift,lighthouse,pages}.test.ts',
]
const LANE_COUNT = 2
/** Up to this many failed files are run again. More failures are not a matter of timing. */
const AGAIN_FILES_MAX = 5

const isSoak = process.argv.includes('--soak')
const hasLong = isSoak || process.argv.includes('--all')
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
const startedMs = performance.now()
await prepareRun()
const waitingGroups = findGroups()
const testResults: TestResult[] = []
const unsteadyNames: string[] = []
const collections = paths.length === 0 ? [collectErrors(), collectEffects()] : []
await Promise.all(Array.from({ length: LANE_COUNT }, runWaitingGroups))
await rerunFailed()
// Compare only when all tests passed, because a failed test may be the one that provokes an error or lists an effect.
if (testResults.every(({ isGreen }) => isGreen))
  for (const collection of collections) reportResult(await collection.compare())
summarizeResults()

function findGroups(): TestGroup[] {
  const isChosen = pathFilter()
  const find = (globs: string | string[]) =>
    globSync(globs, { cwd: ROOT, exclude: ['**/node_modules/**'] })
      .filter(isChosen)
      .sort()
  const shared = Object.entries(SHARED_PROCESSES).map(([name, globs]) => ({ name, files: find(globs) }))
  // Reversed, so that the long files of `test/security` and `test/crash` start before the short ones of `test/browser`.
  const journeys = find([JOURNEY_FILES, JOURNEYS_OF_SCRIPTS])
    .toReversed()
    .map((file) => ({ name: file, files: [file] }))
  return [...shared, ...journeys].filter(({ files }) => files.length > 0)
}

function pathFilter(): (file: string) => boolean {
  const long = new Set(globSync(LONG_FILES, { cwd: ROOT }))
  if (paths.length === 0) return (file) => hasLong || !long.has(file)
  const starts = paths.map((path) => path.replace(/^\.\//, '').replace(/\/$/, ''))
  return (file) => starts.some((start) => file === start || file.startsWith(`${start}/`))
}

async function runWaitingGroups(): Promise<void> {
  for (let group = waitingGroups.shift(); group !== undefined; group = waitingGroups.shift())
    reportResult(await runGroup(group, { isSoak }))
}

/**
 * Runs the files of failed tests once more, each alone. A file that passes the second time does not fail the run and is named at the end of
 * the run (docs/decisions/0092-a-failed-test-runs-again-alone.md).
 */
async function rerunFailed(): Promise<void> {
  const red = testResults.filter(({ isGreen }) => !isGreen)
  const files = red.map(failedFiles)
  // A failed group that names no file has crashed or hung, so run nothing again.
  if (files.some(({ length }) => length === 0) || files.flat().length > AGAIN_FILES_MAX) return
  for (const [n, result] of red.entries()) {
    const again: TestResult[] = []
    for (const file of files[n] ?? [])
      again.push(await runGroup({ name: `${file}, again and alone`, files: [file] }, { isSoak }))
    for (const { isGreen, name, ms } of again) reportStep(isGreen, name, ms)
    result.isGreen = again.every(({ isGreen }) => isGreen)
    if (result.isGreen) unsteadyNames.push(...(files[n] ?? []))
  }
}

function reportResult(result: TestResult): void {
  testResults.push(result)
  reportStep(result.isGreen, `${result.name}: ${result.tests} tests`, result.ms)
  if (!result.isGreen) process.stdout.write(failuresOf(result.output))
}

/** Returns the runner's summary of failures. When the process ended before the summary, returns its whole output. */
function failuresOf(output: string): string {
  const at = output.lastIndexOf('\n✖ failing tests:')
  return output.slice(Math.max(0, at))
}

/** Fails when a test failed. Also fails when no test ran, because the path is probably misspelt. */
function summarizeResults(): void {
  const red = testResults.filter(({ isGreen }) => !isGreen)
  const tests = testResults.reduce((sum, result) => sum + result.tests, 0)
  process.exitCode = red.length === 0 && tests > 0 ? 0 : 1
  const verdict = red.length > 0 ? `failed in ${red.map(({ name }) => name).join(', ')}` : 'all passed'
  const left = hasLong || paths.length > 0 ? '' : ' The long tests did not run; add `-- --all` for them.'
  const line = `${tests} tests in ${formatMs(performance.now() - startedMs)}: ${verdict}.${left}`
  if (unsteadyNames.length > 0)
    process.stdout.write(`\nFailed, and passed when run alone; find out why: ${unsteadyNames.join(', ')}\n`)
  process.stdout.write(tests === 0 && red.length === 0 ? 'There is no test at this path.\n' : `\n${line}\n`)
}

async function prepareRun(): Promise<void> {
  await ensureChromium()
  const start = performance.now()
  const built = await buildConsole()
  if (built) reportStep(true, 'console built', performance.now() - start)
}

/**
 * Installs Chromium with apt, and its headless shell, which opens a page with half the CPU time. Does nothing when a browser was chosen, or
 * when Chromium is installed and only root could install the shell.
 */
async function ensureChromium(): Promise<void> {
  const hasBrowser = existsSync(wholeBrowserPath())
  const isChosen = process.env['SLIPWAY_CHROMIUM'] !== undefined
  const hasShell = testBrowserPath().endsWith('headless-shell')
  if (hasBrowser && (isChosen || hasShell || process.getuid?.() !== 0)) return
  const start = performance.now()
  const runApt = (...args: string[]) =>
    run('apt-get', ['-o', 'Acquire::http::Timeout=20', ...args]).catch((error: unknown) => ({
      code: 1,
      output: String(error),
    }))
  const install = (...names: string[]) => runApt('install', '-y', '-qq', '--no-install-recommends', ...names)
  await runApt('update', '-qq')
  let { code, output } = await install('chromium', 'chromium-headless-shell')
  // Older Debian releases have no package chromium-headless-shell.
  if (code !== 0 && !hasBrowser) ({ code, output } = await install('chromium'))
  const isThere = existsSync(wholeBrowserPath())
  reportStep(isThere, code === 0 ? 'Chromium installed' : 'Chromium found', performance.now() - start)
  if (isThere) return
  process.stdout.write(
    `${output}\nInstall Chromium or name it in SLIPWAY_CHROMIUM; the browser tests need it.\n`,
  )
  process.exit(1)
}
