import { parseArgs, styleText } from 'node:util'
import { AdminError } from '../../server/admin/admin-error.ts'
import { ConfigError, readConfig } from '../../server/config.ts'
import { SecretsError } from '../../server/crypto/secrets.ts'
import { endOnSignal } from '../end-on-signal.ts'
import { type CommandOutput, type CommandLine, UsageError } from './command-output.ts'
import { openInstallation } from './installation.ts'
import { type AdminCommand, ADMIN_COMMANDS } from './commands.ts'

const EXIT_CODES = { ok: 0, failed: 1, usage: 2 }

let isInterrupted = false

/**
 * Runs one operator command and returns the exit code: 0 done, 1 failed, 2 wrong command line or settings. SIGINT and SIGTERM end this
 * process with 130 and 143, after a database that the command has started is stopped.
 */
export async function runAdmin(argv: string[]): Promise<number> {
  // The reader of a pipe, such as `head`, may have closed it. The command is done nevertheless.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error
  })
  const [name, ...rest] = argv
  // `help` alone prints the usage. `help` with arguments is the command of the help desk.
  if (name === undefined || name === '--help' || (name === 'help' && rest.length === 0)) {
    process.stdout.write(`${usageText()}\n`)
    return name === undefined ? EXIT_CODES.usage : EXIT_CODES.ok
  }
  const verb = Object.hasOwn(ADMIN_COMMANDS, name) ? ADMIN_COMMANDS[name] : undefined
  try {
    if (verb === undefined)
      throw new UsageError(
        `There is no command ${JSON.stringify(name)}. \`npm run admin -- --help\` lists them.`,
      )
    const { help, json, given } = readCommandLine(name, verb, rest)
    if (help) process.stdout.write(`${usageOf(name, verb)}\n  ${verb.about}\n`)
    else printOutput(await runVerb(verb, given), json)
    return EXIT_CODES.ok
  } catch (error) {
    const isUsage = error instanceof UsageError || error instanceof ConfigError
    // The command fails because its database was stopped, and a person who has interrupted it needs no reason.
    if (!isInterrupted) process.stderr.write(`${describeError(error)}\n`)
    return isUsage ? EXIT_CODES.usage : EXIT_CODES.failed
  }
}

function readCommandLine(name: string, verb: AdminCommand, argv: string[]) {
  const own = Object.entries(verb.options ?? {}).map(
    ([option, value]) => [option, { type: value === null ? 'boolean' : 'string' }] as const,
  )
  try {
    const { values, positionals } = parseArgs({
      args: argv,
      allowPositionals: true,
      options: { ...Object.fromEntries(own), help: { type: 'boolean' }, json: { type: 'boolean' } },
    })
    const { help = false, json = false, ...options } = values as CommandLine['options']
    const isComplete =
      verb.checksOwnArguments === true ? positionals.length > 0 : positionals.length === verb.args.length
    if (help !== true && !isComplete) throw new UsageError(`Usage: ${usageOf(name, verb)}`)
    return { help: help === true, json: json === true, given: { args: positionals, options } }
  } catch (error) {
    if (error instanceof UsageError) throw error
    const reason = error instanceof Error ? error.message.split('. ')[0] : String(error)
    throw new UsageError(`${reason}.\nUsage: ${usageOf(name, verb)}`)
  }
}

async function runVerb(verb: AdminCommand, given: CommandLine): Promise<CommandOutput> {
  const { config, warnings } = readConfig(process.env)
  for (const warning of warnings) process.stderr.write(`${warning}\n`)
  const onStep = (what: string) => {
    if (process.stderr.isTTY) process.stderr.write(`${styleText('dim', `  ${what}`)}\n`)
  }
  endOnSignal(() => (isInterrupted = true))
  if ('make' in verb) return verb.make({ config, onStep }, given)
  const { database, close } = await openInstallation(config)
  try {
    const admin = { db: database.db, now: new Date(), defaultPlan: config.defaultPlan }
    return await verb.run({ config, database, admin, onStep }, given)
  } finally {
    await close()
  }
}

function printOutput({ lines, data }: CommandOutput, asJson: boolean): void {
  process.stdout.write(asJson ? `${JSON.stringify(data, null, 2)}\n` : `${lines.join('\n')}\n`)
}

/** Returns the text to print for an error: the message alone for usage errors and known refusals, otherwise the message after `Failed:`. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isKnown = [AdminError, UsageError, ConfigError, SecretsError].some((known) => error instanceof known)
  return isKnown ? error.message : `Failed: ${error.message}`
}

function usageText(): string {
  const width = Math.max(...Object.entries(ADMIN_COMMANDS).map(([name, verb]) => shapeOf(name, verb).length))
  const lines = Object.entries(ADMIN_COMMANDS).map(
    ([name, verb]) => `  ${shapeOf(name, verb).padEnd(width)}  ${verb.about}`,
  )
  return [
    'Usage: npm run admin -- <command>',
    '',
    "On the service's own machine, with its settings. Every change of an organization is in its activity log as `operator`.",
    '',
    ...lines,
    '',
    'Every command takes --json and --help. Exit codes: 0 done, 1 failed, 2 wrong command line or settings.',
  ].join('\n')
}

const usageOf = (name: string, verb: AdminCommand): string => `npm run admin -- ${shapeOf(name, verb)}`

function shapeOf(name: string, { args, options = {} }: AdminCommand): string {
  const words = args.map((arg) => (arg.includes(' ') ? arg : `<${arg}>`))
  const switches = Object.entries(options).map(([option, value]) =>
    value === null ? `[--${option}]` : `--${option} <${value}>`,
  )
  return [name, ...words, ...switches].join(' ')
}
