import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { styleText } from 'node:util'
import { pino } from 'pino'
import { readConfig, type Config } from '../server/config.ts'
import { loadKeyring } from '../server/crypto/keyring.ts'
import { type Database, openDatabase } from '../server/db/database.ts'
import { listMails, readMail } from '../server/mail/outbox.ts'

/**
 * For the operator, on the service's own machine and with its settings: the mails of the last week, and the text
 * of one that was not sent. `npm run outbox -- list` and `show <id>`.
 */
const [verb = 'list', id] = process.argv.slice(2)
const isKnown = verb === 'list' || (verb === 'show' && id !== undefined)
if (!isKnown) fail('Usage: npm run outbox -- list | show <id>')

const { config } = readConfig(process.env)
const database = openDatabase({ url: databaseUrl(config), log: pino({ level: 'silent' }) })
try {
  await (verb === 'list' ? printList(database) : printMail(database, id ?? ''))
} finally {
  await database.close()
}

async function printList({ db }: Database): Promise<void> {
  const mails = await listMails(db)
  if (mails.length === 0) process.stdout.write('No mails in the last seven days.\n')
  for (const { id: mail, kind, recipient, state, problem, created_at } of mails) {
    const note = problem === null ? '' : `  ${styleText('dim', problem)}`
    const when = created_at.toISOString().slice(0, 16).replace('T', ' ')
    process.stdout.write(`${mail}  ${when}  ${state.padEnd(7)}  ${kind.padEnd(10)}  ${recipient}${note}\n`)
  }
}

async function printMail({ db }: Database, mailId: string): Promise<void> {
  const mail = await readMail(db, loadKeyring({ secrets: config.secrets, file: config.secretsFile }), mailId)
  if (mail === null) fail(`There is no mail ${mailId}; it may be older than seven days.`)
  const { letter } = mail
  if (letter === null) fail(`${mailId} was sent to ${mail.recipient}; its text is not kept.`)
  process.stdout.write(`To: ${mail.recipient}\nSubject: ${letter.subject}\n\n${letter.text}`)
}

/** The embedded database leaves its address behind while it runs. */
function databaseUrl({ databaseUrl: given, dataDir }: Config): string {
  if (given !== null) return given
  try {
    const text = readFileSync(join(dataDir, 'postgres/connection.json'), 'utf8')
    return (JSON.parse(text) as { url: string }).url
  } catch {
    fail(`No running Slipway has its data in ${dataDir}. Start it, or set SLIPWAY_DATA_DIR.`)
  }
}

function fail(sentence: string): never {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
