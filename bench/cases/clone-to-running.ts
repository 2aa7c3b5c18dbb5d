import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../../server/testing/ports.ts'
import { killProcessesIn } from '../harness/kill-processes.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type MeasuredFigure } from '../harness/figure.ts'
import { makeFolder, ROOT } from '../harness/folders.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'

/**
 * Measures `git clone` and then `npm run demo -- --once`, the steps of "Try it" in the README. The baseline is the `npm ci` inside the same
 * run, because every new clone has to install the same packages. (An install in another clone may take half as long or twice as long.)
 * The measured times are shorter than on a new machine, for three reasons:
 *
 * - the repository is cloned from this disk, not over a network;
 * - the npm cache is warm: npm reads the packages from it, and only the install scripts of packages fetch files from the network;
 * - the machine already has a Node that runs npm. (The pinned Node is one of the packages.)
 *
 * The clone contains the last commit, without uncommitted changes.
 */
export const cloneToRunning: Benchmark = {
  id: 'P26',
  name: 'clone-to-running',
  measures:
    'git clone, then npm run demo: to the first page of the console, and to a record that the live app has stored and returned',
  goals: ['the console <= 1.6 of its npm ci', 'a stored record <= 2.0'],
  tools: ['git', 'npm'],
  run: measureClones,
}

/** The arguments with which the first start of a clone calls npm (`scripts/bootstrap.mjs`). */
const INSTALL_ARGS = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
const DEMO_ARGS = ['run', 'demo', '--', '--once']
/**
 * What the demo prints once it has stored a record in the live app and read it back. The exit code does not prove this, because the demo
 * also exits with 0 for an app without records.
 */
const STORED_LINE = 'stored a record'
/** What the first start of a new clone prints after its `npm ci`. */
const INSTALLED_PATTERN = /Installed in (\d+) s/

const RUN_MS_MAX = 20 * 60_000
const POLL_MS = 25
/** Only the last characters of the output are stored, so that the memory of a long run is bounded. */
const OUTPUT_CHARS_MAX = 20_000

/**
 * The only variables besides PATH that a run inherits: npm needs them to find its settings and to reach its registry. A run does not
 * inherit the variables that `npm run` sets for this benchmark, the settings of Slipway and Node's cache of compiled files, because a
 * person who has just cloned the repository has none of them.
 */
const INHERITED_VARIABLES = [
  'HOME',
  'LANG',
  'TMPDIR',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
]

/** Seconds from the start of `git clone` to the first page of the console and to the stored record, and the seconds of `npm ci`. */
interface Demo {
  console: number
  stored: number
  install: number
}

async function measureClones(options: Options): Promise<MeasuredFigure[]> {
  const rounds = options.rounds ?? 3
  // This install fills the npm cache and the file cache of the system, so that the first round is like the others.
  await inNewFolder(installPackages)
  const demos: Demo[] = []
  for (let round = 0; round < rounds; round++) {
    const demo = await inNewFolder(measureDemo)
    demos.push(demo)
    progress(
      `  round ${round + 1}/${rounds}  npm ci ${demo.install} s  console ${demo.console.toFixed(1)} s  record stored ${demo.stored.toFixed(1)} s`,
    )
  }
  const installs = demos.map(({ install }) => install)
  return [
    toFigure(
      'to the console',
      demos.map(({ console }) => console),
      installs,
      1.6,
    ),
    toFigure(
      'to a stored record',
      demos.map(({ stored }) => stored),
      installs,
      2.0,
    ),
  ]
}

function toFigure(figure: string, times: number[], installs: number[], bound: number): MeasuredFigure {
  const ratio = ratios(times, installs)
  return absolute({
    figure,
    unit: 's',
    value: median(times),
    against: 'its npm ci',
    baseline: median(installs),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: atMost(bound),
    rounds: times.length,
    steady: isSteady(ratio, installs),
  })
}

/**
 * Runs `work` in a new folder. Afterwards kills every process whose working directory is below the folder, and removes the folder right
 * away, because its packages take more than a gigabyte.
 */
async function inNewFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(makeFolder())
  // The embedded Postgres may run as another user, who must be able to reach its files below this folder. Otherwise they are stored in
  // another folder, which is not removed.
  chmodSync(folder, 0o711)
  const killLeftOver = () => killProcessesIn(folder)
  process.once('exit', killLeftOver)
  try {
    return await work(folder)
  } finally {
    process.off('exit', killLeftOver)
    const leftOver = killLeftOver()
    if (leftOver > 0) progress(`  ${leftOver} processes were left over and have been killed`)
    await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
}

async function installPackages(folder: string): Promise<void> {
  await startNpm(INSTALL_ARGS, cloneInto(folder)).ended
}

async function measureDemo(folder: string): Promise<Demo> {
  const [port = 0, localPort = 0, appsPort = 0] = await freePorts(3)
  const url = `http://127.0.0.1:${port}`
  const began = performance.now()
  const demo = startNpm(DEMO_ARGS, cloneInto(folder), {
    SLIPWAY_PORT: String(port),
    SLIPWAY_BASE_URL: url,
    SLIPWAY_LOCAL_PORT: String(localPort),
    SLIPWAY_APPS_PORT: String(appsPort),
    SLIPWAY_DATA_DIR: join(folder, 'data'),
  })
  const [output, console] = await Promise.all([
    demo.ended.then((text) => ({ text, seconds: secondsSince(began) })),
    untilConsole(url, demo.child).then(() => secondsSince(began)),
  ])
  if (!output.text.includes(STORED_LINE))
    throw new Error(`the demo stored no record:\n${output.text.slice(-2000)}`)
  const installed = INSTALLED_PATTERN.exec(output.text)?.[1]
  if (installed === undefined) throw new Error(`the demo installed nothing:\n${output.text.slice(-2000)}`)
  return { console, stored: output.seconds, install: Number(installed) }
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000

function cloneInto(folder: string): string {
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', ROOT, clone], { stdio: ['ignore', 'ignore', 'inherit'] })
  return clone
}

/** Runs npm. `ended` resolves with the output when npm exits with 0; otherwise it rejects with the last lines of the output. */
function startNpm(
  args: string[],
  cwd: string,
  settings: Record<string, string> = {},
): { child: ChildProcess; ended: Promise<string> } {
  const inherited = INHERITED_VARIABLES.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const child = spawn('npm', args, {
    cwd,
    env: { ...Object.fromEntries(inherited), PATH: pathOfTheMachine(), ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-OUTPUT_CHARS_MAX)
    })
  const limit = setTimeout(() => child.kill('SIGTERM'), RUN_MS_MAX)
  const ended = new Promise<string>((resolve, reject) => {
    child.on('error', reject)
    child.on('exit', (code, signal) => {
      clearTimeout(limit)
      if (code === 0) resolve(output)
      else reject(new Error(`npm ${args.join(' ')} ended with ${code ?? signal}:\n${output.slice(-2000)}`))
    })
  })
  return { child, ended }
}

/** Returns PATH without the `node_modules/.bin` folders that `npm run` adds to it, because a new clone has no installed programs yet. */
function pathOfTheMachine(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter)
}

async function untilConsole(url: string, demo: ChildProcess): Promise<void> {
  while (demo.exitCode === null && demo.signalCode === null) {
    const response = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null)
    await response?.body?.cancel()
    if (response?.status === 200) return
    await sleep(POLL_MS)
  }
  throw new Error('the demo ended before the console answered')
}
