import { resolve } from 'node:path'
import { styleText } from 'node:util'
import { AdminError } from '../../server/admin/admin-error.ts'
import { describeBilling } from '../../server/billing/billing.ts'
import { type Plan, PLANS } from '../../server/billing-plans.ts'
import { pauseBuilds, resumeBuilds } from '../../server/admin/build-pause.ts'
import type { AdminContext } from '../../server/admin/admin-context.ts'
import {
  findOrganization,
  listOrganizations,
  releaseOrganization,
  resetPolicy,
  setPlan,
  suspendOrganization,
} from '../../server/admin-commands/organizations.ts'
import { rotateKeys } from '../../server/admin-commands/rotate-keys.ts'
import type { Config } from '../../server/config.ts'
import { loadKeyring } from '../../server/crypto/keyring.ts'
import type { Database } from '../../server/db/database.ts'
import { listMails, readMail } from '../../server/mail/outbox.ts'
import { backUp } from '../../server/snapshot/back-up.ts'
import { restore } from '../../server/snapshot/restore.ts'
import { type CommandOutput, type CommandLine, UsageError } from './command-output.ts'
import { runHelp } from './help.ts'
import { silent } from './installation.ts'
import { formatBytes, formatCount, formatMinute, oneLine, formatTable } from './text.ts'

/** What a command works with. The command reports its progress to `onStep`. */
export interface CommandTools {
  config: Config
  database: Database
  admin: AdminContext
  onStep: (what: string) => void
}

interface CommandShape {
  /** The names of the arguments. All are required, except with `checksOwnArguments`. */
  args: readonly string[]
  /** The names of the options, each with the name of its value, or null for a flag. */
  options?: Record<string, string | null>
  about: string
  /**
   * Set when the command checks its arguments itself, for example a subcommand with an id. Only a missing first argument is refused before
   * that.
   */
  checksOwnArguments?: true
}

/** A command. `run` gets an open installation; `make` creates the installation, so it has no database yet. */
export type AdminCommand = CommandShape &
  (
    | { run(tools: CommandTools, given: CommandLine): Promise<CommandOutput> }
    | { make(tools: Omit<CommandTools, 'database' | 'admin'>, given: CommandLine): Promise<CommandOutput> }
  )

export const ADMIN_COMMANDS: Record<string, AdminCommand> = {
  organizations: {
    args: [],
    about: 'List every organization: id, plan, members, projects, suspended since.',
    run: async ({ admin }) => {
      const rows = await listOrganizations(admin)
      const lines = formatTable(
        ['ID', 'NAME', 'PLAN', 'MEMBERS', 'PROJECTS', 'SUSPENDED'],
        rows.map((row) => [
          row.id,
          oneLine(row.name),
          row.plan,
          String(row.members),
          String(row.projects),
          row.suspendedAt === null ? '-' : styleText('red', formatMinute(row.suspendedAt)),
        ]),
      )
      return { lines: rows.length === 0 ? ['No organizations yet.'] : lines, data: rows }
    },
  },
  suspend: {
    args: ['organization'],
    options: { reason: 'text' },
    about: 'Keep an organization from building and shipping. Its live apps are not touched.',
    run: async ({ admin }, { args: [id = ''], options: { reason } }) => {
      if (typeof reason !== 'string' || reason.trim() === '')
        throw new UsageError('Say why: --reason "..." is kept in the activity log, which its members read.')
      const { name } = await suspendOrganization(admin, id, reason)
      return outputOf(`${name} is suspended: it cannot build or ship. Its live apps are not touched.`, {
        id,
        name,
      })
    },
  },
  release: {
    args: ['organization'],
    about: 'Let a suspended organization build and ship again.',
    run: async ({ admin }, { args: [id = ''] }) => {
      const { name } = await releaseOrganization(admin, id)
      return outputOf(`${name} can build and ship again.`, { id, name })
    },
  },
  pause: {
    args: [],
    options: { reason: 'text' },
    about: 'Start no more builds, for anybody. Running ones go on, queued ones wait. Holds over restarts.',
    run: async ({ admin }, { options: { reason } }) => {
      if (typeof reason !== 'string' || reason.trim() === '')
        throw new UsageError('Say why: --reason "..." is shown to everybody who starts a build.')
      const pause = await pauseBuilds(admin, reason)
      return outputOf(`Builds are paused: ${pause.reason}`, pause)
    },
  },
  resume: {
    args: [],
    about: 'Let builds start again after a pause.',
    run: async ({ admin }) => {
      const pause = await resumeBuilds(admin)
      return outputOf(`Builds start again. They were paused since ${formatMinute(pause.since)} UTC.`, pause)
    },
  },
  plan: {
    args: ['organization'],
    about: 'Show the plan of an organization, what is used of it, and its subscription.',
    run: async ({ config, database, admin }, { args: [id = ''] }) => {
      const { name, plan } = await findOrganization(admin, id)
      const state = await readBillingPlan(config, database, admin, { id, plan })
      const usage = [
        ['projects', state.projects],
        ['live projects', state.liveProjects],
        ['builds in the last hour', state.builds],
      ] as const
      return {
        data: { id, name, ...state },
        lines: [
          `${oneLine(name)} is on the plan ${plan}.`,
          ...usage.map(([what, { used, limit }]) => `  ${what}: ${used} of ${limit ?? 'any number'}`),
          `  subscription: ${subscriptionLine(state)}`,
        ],
      }
    },
  },
  'set-plan': {
    args: ['organization', 'plan'],
    about: `Put an organization on a plan: ${PLANS.join(', ')}.`,
    run: async ({ config, database, admin }, { args: [id = '', plan = ''] }) => {
      const { name } = await setPlan(admin, id, plan)
      const { subscription } = await readBillingPlan(
        config,
        database,
        admin,
        await findOrganization(admin, id),
      )
      const decides = subscription !== null && subscription.plan !== plan && plan !== 'enterprise'
      const lines = [`${name} is on the plan ${plan}.`]
      if (decides)
        lines.push(
          `It pays for ${subscription.plan}, which comes back with the next event of Stripe, within a day. End the subscription at Stripe first.`,
        )
      return { lines, data: { id, name, plan } }
    },
  },
  'reset-policy': {
    args: ['organization'],
    options: { all: null },
    about:
      'Clear the list of addresses an organization may be reached from; --all: its whole security policy.',
    run: async ({ admin }, { args: [id = ''], options: { all } }) => {
      const { name } = await resetPolicy(admin, id, { all: all === true })
      const what = all === true ? 'has no security policy' : 'can be reached from every address'
      return outputOf(`${name} ${what}. Its owners can set another one under Settings.`, { id, name })
    },
  },
  'rotate-keys': {
    args: [],
    about: 'Seal every secret with a new key and forget the old ones. Every service process must be stopped.',
    run: async ({ config, database, admin, onStep }) => {
      const { secrets, secretsFile } = config
      const rotated = await rotateKeys({
        database,
        secretsFile: secrets === null ? secretsFile : null,
        now: admin.now,
        onStep,
      })
      const { key, forgotten, values } = rotated
      return {
        data: rotated,
        lines: [
          `${formatCount(values, 'value')} sealed with ${key}; ${forgotten.join(', ')} is forgotten.`,
          `Copy ${secretsFile} to the other machines of this installation, then start Slipway.`,
          'The data views of live apps work again after their next ship: it brings them the new key.',
          'Backups made before open with their own copy of the old key.',
        ],
      }
    },
  },
  mails: {
    args: [],
    about: 'List the mails that are held: what waits because there is no mail server.',
    run: async ({ database }) => {
      const mails = (await listMails(database.db)).filter(({ state }) => state === 'held')
      return { lines: mails.length === 0 ? ['No mails are held.'] : mails.map(mailLine), data: mails }
    },
  },
  outbox: {
    args: ['list | show <id>'],
    checksOwnArguments: true,
    about: 'List the mails of the last seven days, or show the text of one that was not sent.',
    run: ({ config, database }, { args: [verb, id] }) => {
      if (verb === 'list' && id === undefined) return listOutbox(database)
      if (verb === 'show' && id !== undefined) return showMail(config, database, id)
      throw new UsageError('Usage: npm run outbox -- list | show <id>')
    },
  },
  help: {
    args: ['list | show <id> | pictures <id> | reply <id> | close <id>'],
    checksOwnArguments: true,
    options: { text: 'text', pictures: 'file,file', to: 'folder' },
    about:
      'Read and answer the questions that members ask in the console. --text and --pictures are for reply, --to is for pictures.',
    run: ({ admin }, given) => runHelp(admin, given),
  },
  backup: {
    args: ['folder'],
    about: 'Copy database, secrets and local world into an empty folder, while the service runs.',
    run: async ({ config, database, admin, onStep }, { args: [folder = ''] }) => {
      const made = await backUp({
        url: database.url,
        dataDir: config.dataDir,
        secrets: { text: config.secrets, file: config.secretsFile },
        folder: resolve(folder),
        now: admin.now,
        onStep,
      })
      return {
        data: made,
        lines: [
          `Backup in ${made.folder}: ${formatCount(made.rows, 'row')}, ${formatCount(made.files, 'file')}, ${formatBytes(made.bytes)}.`,
          styleText(
            'yellow',
            'It holds secrets.json: whoever reads this folder can open every secret in it.',
          ),
        ],
      }
    },
  },
  restore: {
    args: ['folder'],
    about:
      'Bring a backup back into an empty SLIPWAY_DATA_DIR (and an empty DATABASE_URL, when that is set).',
    make: async ({ config, onStep }, { args: [folder = ''] }) => {
      if (config.secrets !== null)
        throw new AdminError(
          'SLIPWAY_SECRETS is set. Unset it for the restore: the backup brings the secrets its values were sealed with.',
        )
      const { dataDir, databaseUrl } = config
      const { createdAt, slipway } = await restore({
        folder: resolve(folder),
        dataDir,
        databaseUrl,
        log: silent,
        now: new Date(),
        onStep,
      })
      return {
        data: { dataDir, createdAt, slipway },
        lines: [
          `The backup of ${formatMinute(new Date(createdAt))} UTC is in ${dataDir}. Start Slipway with the same settings.`,
        ],
      }
    },
  },
}

const readBillingPlan = (
  config: Config,
  { db }: Database,
  { now }: AdminContext,
  { id, plan }: { id: string; plan: Plan },
) => describeBilling({ db, config, clock: { now: () => now } }, id, plan)

function subscriptionLine({ subscription, renewsAt }: Awaited<ReturnType<typeof describeBilling>>): string {
  if (subscription === null) return 'none'
  const { plan, endsAt, overdue } = subscription
  if (overdue !== null) return `${plan}, overdue, kept until ${formatMinute(new Date(overdue.keptUntil))} UTC`
  if (endsAt !== null) return `${plan}, ends ${formatMinute(new Date(endsAt))} UTC`
  return renewsAt === null ? plan : `${plan}, renews ${formatMinute(new Date(renewsAt))} UTC`
}

const outputOf = (line: string, data: object): CommandOutput => ({ lines: [line], data })

type Mail = Awaited<ReturnType<typeof listMails>>[number]

function mailLine({ id, kind, recipient, state, problem, created_at }: Mail): string {
  const note = problem === null ? '' : `  ${styleText('dim', oneLine(problem))}`
  return `${id}  ${formatMinute(created_at)}  ${state.padEnd(7)}  ${kind.padEnd(10)}  ${recipient}${note}`
}

async function listOutbox({ db }: Database): Promise<CommandOutput> {
  const mails = await listMails(db)
  return {
    lines: mails.length === 0 ? ['No mails in the last seven days.'] : mails.map(mailLine),
    data: mails,
  }
}

async function showMail(config: Config, { db }: Database, id: string): Promise<CommandOutput> {
  const mail = await readMail(db, loadKeyring({ secrets: config.secrets, file: config.secretsFile }), id)
  if (mail === null) throw new AdminError(`There is no mail ${id}; it may be older than seven days.`)
  const { message } = mail
  if (message === null) throw new AdminError(`${id} was sent to ${mail.recipient}; its text is not kept.`)
  return {
    lines: [`To: ${mail.recipient}`, `Subject: ${message.subject}`, '', message.text.trimEnd()],
    data: { id, recipient: mail.recipient, subject: message.subject, text: message.text },
  }
}
