import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmodSync, realpathSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../../server/testing/ports.ts'
import { killBelow } from '../harness/below.ts'
import { atMost, type Benchmark, type Options } from '../harness/benchmark.ts'
import { absolute, type Measured } from '../harness/figure.ts'
import { makeFolder, ROOT } from '../harness/place.ts'
import { progress } from '../harness/progress.ts'
import { isSteady, median, ratios } from '../harness/statistics.ts'

/**
 * `git clone`, then `npm run demo -- --once`, as README's "Try it" says. What no clone can avoid is `npm ci` of the same
 * lock file, so that runs beside it in another clone. Three things are kinder here than on a new machine:
 *
 * - the repository is cloned from this disk, not over a network;
 * - the npm cache is warm, on both sides: the packages come from it, and only what their install scripts fetch does not;
 * - the machine's own Node runs npm on both sides; the pinned Node comes with the packages.
 *
 * What is cloned is the last commit. Changes that are not committed are not measured.
 *
 * The goal was set after one round on a busy machine: 198 s to the record beside 65 s of `npm ci`. The install inside those
 * 198 s had taken 145 s, so the ratio of 3.1 was mostly the load, and the demo's own part about 50 s: 1.8 with installs of
 * the same length. 2.5 leaves a margin.
 */
export const cloneToRunning: Benchmark = {
  id: 'P26',
  name: 'clone-to-running',
  measures:
    'git clone, then npm run demo: to the first page of the console, and to a record that the live app has stored and returned',
  goals: ['a stored record <= 2.5 of npm ci'],
  tools: ['git', 'npm'],
  run: measureClones,
}

/** As the first start of a clone calls it, see `scripts/bootstrap.mjs`. */
const INSTALL_ARGS = ['ci', '--no-audit', '--no-fund', '--loglevel=error']
const DEMO_ARGS = ['run', 'demo', '--', '--once']
/** What the demo prints once a record went into the live app and came back. It exits with 0 also for an app without records. */
const STORED_LINE = 'stored a record'
/** What the start of a clone prints after `npm ci`. */
const INSTALLED_PATTERN = /Installed in (\d+) s/

const RUN_MS_MAX = 20 * 60_000
const POLL_MS = 25
/** What is left of the output for the error when a run fails. */
const OUTPUT_CHARS_MAX = 20_000

/**
 * All that a run inherits: what npm needs to find itself, its settings and its registry. Variables of this benchmark's own
 * `npm run`, settings of Slipway and Node's store of compiled files stay out, because a person who has just cloned has none.
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

interface Demo {
  console: number
  stored: number
  /** The part of `stored` that `npm ci` did not take: cloning, the console's build and the demo itself. */
  own: number
}

async function measureClones(options: Options): Promise<Measured[]> {
  const rounds = options.rounds ?? 3
  // Fills the npm cache and the disk's own, so that the first round is like the others.
  progress(`  first install, not counted: ${(await inNewFolder(measureInstall)).toFixed(1)} s`)
  const [demos, installs]: [Demo[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    const turns = [
      async () => demos.push(await inNewFolder(measureDemo)),
      async () => installs.push(await inNewFolder(measureInstall)),
    ]
    for (const turn of round % 2 === 0 ? turns : turns.reverse()) await turn()
    const { console, stored, own } = demos.at(-1) as Demo
    progress(
      `  round ${round + 1}/${rounds}  console ${console.toFixed(1)} s  record stored ${stored.toFixed(1)} s (${own.toFixed(0)} s without its install)  npm ci ${installs.at(-1)?.toFixed(1)} s`,
    )
  }
  return [
    toFigure(
      'to the console',
      demos.map(({ console }) => console),
      installs,
    ),
    toFigure(
      'to a stored record',
      demos.map(({ stored }) => stored),
      installs,
      2.5,
    ),
    absolute({
      figure: 'without its install',
      unit: 's',
      value: median(demos.map(({ own }) => own)),
      goal: null,
      rounds,
    }),
  ]
}

function toFigure(figure: string, times: number[], installs: number[], bound?: number): Measured {
  const ratio = ratios(times, installs)
  return absolute({
    figure,
    unit: 's',
    value: median(times),
    against: 'npm ci',
    baseline: median(installs),
    ratio: ratio.median,
    ratioMin: ratio.min,
    ratioMax: ratio.max,
    goal: bound === undefined ? null : atMost(bound),
    rounds: times.length,
    steady: isSteady(ratio, installs),
  })
}

/** The folder is removed at once, because packages take more than a gigabyte, and whatever still works in it is killed. */
async function inNewFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = realpathSync(makeFolder())
  // The account of the embedded Postgres has to pass through; otherwise its files go elsewhere and outlast this folder.
  chmodSync(folder, 0o711)
  const killLeftOver = () => killBelow(folder)
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

/** Seconds of `npm ci` alone; the clone that it runs in is not counted. */
async function measureInstall(folder: string): Promise<number> {
  const clone = cloneInto(folder)
  const began = performance.now()
  await startNpm(INSTALL_ARGS, clone).ended
  return secondsSince(began)
}

/** Seconds from the start of `git clone`. */
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
  return { console, stored: output.seconds, own: output.seconds - Number(installed) }
}

const secondsSince = (began: number): number => (performance.now() - began) / 1000

function cloneInto(folder: string): string {
  const clone = join(folder, 'clone')
  execFileSync('git', ['clone', '--quiet', ROOT, clone], { stdio: ['ignore', 'ignore', 'inherit'] })
  return clone
}

/** `ended` resolves with the output when npm exits with 0, and throws with its last lines otherwise. */
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

/** Without the programs of this working copy, which `npm run` puts first: a new clone has none yet. */
function pathOfTheMachine(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter)
  return folders.filter((folder) => !folder.includes('node_modules')).join(delimiter)
}

async function untilConsole(url: string, demo: ChildProcess): Promise<void> {
  while (demo.exitCode === null && demo.signalCode === null) {
    const answer = await fetch(url, { headers: { accept: 'text/html' } }).catch(() => null)
    await answer?.body?.cancel()
    if (answer?.status === 200) return
    await sleep(POLL_MS)
  }
  throw new Error('the demo ended before the console answered')
}
