import { type Config, ConfigError, readConfig } from '../server/config.ts'
import { buildConsole } from './console-build.ts'
import { DemoApi } from './demo/api.ts'
import { checkLiveApp } from './demo/check.ts'
import { endOnSignal } from './end-on-signal.ts'
import { BuildReporter, heading, Progress } from './demo/progress.ts'
import { parseArgs, styleText } from 'node:util'
import { pino } from 'pino'

/**
 * `npm run demo`: the whole product in one run. Starts everything embedded, builds an app from one sentence, ships it to the local cloud,
 * checks that it stores a record, and keeps running until Ctrl-C. With `-- --once` it exits after the check.
 */
const USAGE = 'Usage: npm run demo -- [--ticket "<sentence>"] [--once]'
/** The exit code for a wrong command line or setting. */
const EXIT_USAGE = 2

const values = readOptions()
const ignoreSignals = endOnSignal()
const progress = new Progress()
const config = readSettings()
// Silent by default, because log lines would break up the printed progress. The step that fails prints its error.
const log = pino({ level: process.env['SLIPWAY_LOG_LEVEL'] ?? 'silent' })

heading('Starting')
const [{ startService }] = await Promise.all([
  import('../server/process/start.ts'),
  buildConsole().then((built) => built && progress.done('Console built')),
]).catch(exitWithError)
const service = await startService(config, log, { onStep: (what) => progress.done(what) }).catch(
  exitWithError,
)
progress.done(`Service at ${service.url}`)

let exitCode = 0
try {
  await makeApp(service.url)
  if (!values.once) await untilInterrupted()
} catch (error) {
  exitCode = 1
  process.stderr.write(
    `\n${styleText('red', 'The demo failed:')} ${error instanceof Error ? error.message : String(error)}\n`,
  )
}
await service.stop()
process.exit(exitCode)

function readOptions() {
  try {
    return parseArgs({
      options: {
        ticket: { type: 'string', default: 'Track the plants in my office: name, room, last watered date' },
        once: { type: 'boolean', default: false },
      },
    }).values
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}\n`)
    process.exit(EXIT_USAGE)
  }
}

function readSettings(): Config {
  try {
    const { config, warnings } = readConfig(process.env)
    for (const warning of warnings) process.stderr.write(`${warning}\n`)
    return config
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(EXIT_USAGE)
  }
}

async function makeApp(url: string): Promise<void> {
  const api = await DemoApi.signIn(url, config.dataDir)
  await api.waitForCloud()
  progress.done('Demo organization, with the local cloud and the scaffold model connected')

  heading('Building')
  const project = await api.createProject()
  const ticket = await api.captureTicket(project.id, values.ticket)
  progress.done(`Ticket captured: ${ticket.title}`)
  const reporter = new BuildReporter(progress)
  for await (const frame of api.streamBuild(project.id, ticket.id)) reporter.take(frame)
  reporter.requireGreen()

  heading('Shipping')
  const deploy = await api.ship(project.id)
  progress.done(`Live at ${deploy.url}`)
  const stored = await checkLiveApp(deploy.url, await api.readManifest(project.id))
  progress.done(stored)

  process.stdout.write(
    [
      '',
      `${styleText('bold', 'Your app     ')} ${styleText('cyan', deploy.url)}`,
      `${styleText('bold', 'The console  ')} ${styleText('cyan', `${url}/projects/${project.id}`)}`,
      `${styleText('bold', 'Sign in with ')} ${api.email}  ${api.password}`,
      '',
    ].join('\n'),
  )
}

function untilInterrupted(): Promise<void> {
  ignoreSignals()
  process.stdout.write(styleText('dim', 'Running until you press Ctrl-C.\n'))
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
}

function exitWithError(error: unknown): never {
  // A setting that only the start can check.
  if (error instanceof ConfigError) {
    process.stderr.write(`\n${error.message}\n`)
    process.exit(EXIT_USAGE)
  }
  process.stderr.write(`\nSlipway cannot start: ${error instanceof Error ? error.message : String(error)}\n`)
  process.exit(1)
}
