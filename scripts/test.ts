import { existsSync, globSync } from 'node:fs'
import { spawn } from 'node:child_process'
import { buildConsole } from './console-build.ts'
import { reportStep, ROOT, run } from './lib.ts'

/**
 * The whole suite, or the files named on the command line; with `--soak` tests that repeat something do it far more
 * often (test/support/soak.ts). Unit and scenario tests share one process (a process
 * per file costs more than the tests); journeys start processes of their own and so run in one, too.
 */
const SUITES: { name: string; globs: string[] }[] = [
  {
    name: 'unit and scenario tests',
    globs: ['server/**/*.test.ts', 'runtime/**/*.test.ts', 'sdk/**/*.test.ts', 'console/**/*.test.ts'],
  },
  { name: 'local world', globs: ['local/**/*.test.ts'] },
  {
    name: 'whole product',
    globs: ['test/**/*.test.ts', 'scripts/**/*.test.ts', 'bench/**/*.test.ts', 'eval/**/*.test.ts'],
  },
]

/** For a single test and for a group of them. */
const TEST_MS_MAX = 120_000
const SOAK_MS_MAX = 3_600_000

const isSoak = process.argv.includes('--soak')
const paths = process.argv.slice(2).filter((argument) => !argument.startsWith('-'))
await prepare()
const suites = paths.length > 0 ? [{ name: 'chosen tests', globs: paths.map(asGlob) }] : SUITES
let failed = 0
for (const suite of suites) failed += (await runSuite(suite.name, suite.globs)) === 0 ? 0 : 1
process.exitCode = failed === 0 ? 0 : 1

function asGlob(path: string): string {
  return path.endsWith('.ts') ? path : `${path.replace(/\/$/, '')}/**/*.test.ts`
}

function runSuite(name: string, globs: string[]): Promise<number> {
  const files = globSync(globs, { cwd: ROOT, exclude: ['**/node_modules/**'] }).sort()
  if (files.length === 0) return Promise.resolve(0)
  process.stdout.write(`\n${name}: ${files.length} files\n`)
  return new Promise((resolve) => {
    const child = spawn(
      process.execPath,
      [
        '--test',
        '--test-isolation=none',
        '--test-reporter=spec',
        `--test-timeout=${isSoak ? SOAK_MS_MAX : TEST_MS_MAX}`,
        ...files,
      ],
      {
        cwd: ROOT,
        stdio: 'inherit',
        env: { ...process.env, NODE_ENV: 'test', ...(isSoak && { SLIPWAY_SOAK: 'on' }) },
      },
    )
    child.on('exit', (code) => resolve(code ?? 1))
  })
}

async function prepare(): Promise<void> {
  await ensureChromium()
  const began = performance.now()
  const built = await buildConsole()
  if (built) reportStep(true, 'console built', performance.now() - began)
}

/** The journeys need a browser; on Debian as root it is one package away. */
async function ensureChromium(): Promise<void> {
  if (existsSync(process.env['SLIPWAY_CHROMIUM'] ?? '/usr/bin/chromium')) return
  const began = performance.now()
  await run('apt-get', ['update', '-qq'])
  const { code, output } = await run('apt-get', [
    'install',
    '-y',
    '-qq',
    '--no-install-recommends',
    'chromium',
  ])
  reportStep(code === 0, 'Chromium installed', performance.now() - began)
  if (code === 0) return
  process.stdout.write(
    `${output}\nInstall Chromium or name it in SLIPWAY_CHROMIUM; the browser tests need it.\n`,
  )
  process.exit(1)
}
