import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { styleText } from 'node:util'
import { AdminError } from '../../server/admin/admin-error.ts'
import type { AdminContext } from '../../server/admin/admin-context.ts'
import { pictureType } from '../../server/help/attachments.ts'
import {
  replyAsOperator,
  closeAsOperator,
  listAllConversations,
  type NewPicture,
  picturesOf,
  readForOperator,
} from '../../server/help/operator.ts'
import { type CommandOutput, type CommandLine, UsageError } from './command-output.ts'
import { formatBytes, formatMinute, oneLine, stripControlCharacters, formatTable } from './text.ts'

const USAGE_LINE =
  'list | show <id> | pictures <id> --to <folder> | reply <id> --text <text> [--pictures <file,file>] | close <id>'

/** Runs a command of the help desk. Throws a `UsageError` for an unknown command. */
export async function runHelp(admin: AdminContext, { args, options }: CommandLine): Promise<CommandOutput> {
  const [verb, id] = args
  const { text, pictures, to } = options
  if (verb === 'list' && args.length === 1) return listConversations(admin)
  if (id === undefined || args.length !== 2) throw usageError()
  if (verb === 'show') return showConversation(admin, id)
  if (verb === 'reply') {
    if (typeof text !== 'string') throw new UsageError('Say what: --text "..." is what the member reads.')
    const files = typeof pictures === 'string' ? pictures.split(',') : []
    await replyAsOperator(admin, id, text, files.map(readPicture))
    return { lines: [`${id} is answered. The member gets a mail within a minute.`], data: { id } }
  }
  if (verb === 'pictures') {
    if (typeof to !== 'string') throw new UsageError('Say where: --to <folder> gets a file for each picture.')
    return savePictures(admin, id, to)
  }
  if (verb !== 'close') throw usageError()
  await closeAsOperator(admin, id)
  return { lines: [`${id} is closed. Another message of a member opens it again.`], data: { id } }
}

const usageError = () => new UsageError(`Usage: npm run admin -- help ${USAGE_LINE}`)

function readPicture(file: string): NewPicture {
  try {
    return { name: basename(file), bytes: readFileSync(file) }
  } catch {
    throw new AdminError(`The file ${file} cannot be read.`)
  }
}

/**
 * Saves the pictures of a conversation in a folder. Names each file by the id and type of its picture, because members choose
 * the names of pictures, and such a name may be a path.
 */
async function savePictures({ db }: AdminContext, id: string, folder: string): Promise<CommandOutput> {
  const pictures = await picturesOf(db, id)
  mkdirSync(folder, { recursive: true })
  const files = pictures.map(({ id: picture, bytes: data }) => {
    const file = join(folder, `${picture}.${pictureType(data)?.split('/')[1] ?? 'bin'}`)
    writeFileSync(file, data)
    return file
  })
  return { lines: files.length === 0 ? ['No pictures in this conversation.'] : files, data: files }
}

async function listConversations({ db }: AdminContext): Promise<CommandOutput> {
  const threads = await listAllConversations(db)
  return { lines: conversationTable(threads), data: threads }
}

export function conversationTable(threads: Awaited<ReturnType<typeof listAllConversations>>): string[] {
  if (threads.length === 0) return ['No questions yet.']
  const rows = threads.map(({ id, state, organizationId, lastActiveAt, subject }) => [
    id,
    state === 'open' ? styleText('red', state) : state,
    formatMinute(lastActiveAt),
    organizationId,
    oneLine(subject),
  ])
  return formatTable(['ID', 'STATE', 'ACTIVE', 'ORGANIZATION', 'SUBJECT'], rows)
}

async function showConversation({ db }: AdminContext, id: string): Promise<CommandOutput> {
  const thread = await readForOperator(db, id)
  return { lines: conversationLines(thread), data: thread }
}

export function conversationLines(thread: Awaited<ReturnType<typeof readForOperator>>): string[] {
  const project = thread.projectId === null ? 'none' : `${thread.projectName ?? ''} (${thread.projectId})`
  return [
    `${oneLine(thread.subject)}: ${thread.state}`,
    `Organization ${thread.organizationId}, plan ${thread.plan}, project ${oneLine(project)}`,
    ...(thread.console === null
      ? []
      : [
          'The console says (anyone can write this):',
          stripControlCharacters(JSON.stringify(thread.console, null, 2)),
        ]),
    ...thread.messages.flatMap((message) => [
      '',
      styleText(
        'bold',
        `${message.author === 'operator' ? 'Operator' : oneLine(message.name ?? 'A deleted person')}, ${message.createdAt}`,
      ),
      stripControlCharacters(message.body),
      ...message.attachments.map(({ id: picture, name, size }) =>
        styleText('dim', `  ${picture}  ${oneLine(name)}  ${formatBytes(size)}`),
      ),
    ]),
  ]
}
