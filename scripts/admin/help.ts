import { stripVTControlCharacters, styleText } from 'node:util'
import type { AdminContext } from '../../server/admin/organizations.ts'
import {
  answerAsOperator,
  closeAsOperator,
  listForOperator,
  showToOperator,
} from '../../server/help/operator.ts'
import { type Answer, type Given, UsageError } from './answer.ts'
import { bytes, minute, table } from './text.ts'

/** `help list | show <id> | reply <id> --text <text> | close <id>`: the operator's side of the help desk. */
export async function runHelp(admin: AdminContext, { args, options }: Given): Promise<Answer> {
  const [verb, id] = args
  const { text } = options
  if (verb === 'list' && args.length === 1) return listConversations(admin)
  if (id === undefined || args.length !== 2) throw misused()
  if (verb === 'show') return showConversation(admin, id)
  if (verb === 'reply') {
    if (typeof text !== 'string') throw new UsageError('Say what: --text "..." is what the member reads.')
    await answerAsOperator(admin, id, text)
    return { lines: [`${id} is answered. The member gets a mail within a minute.`], data: { id } }
  }
  if (verb !== 'close') throw misused()
  await closeAsOperator(admin, id)
  return { lines: [`${id} is closed. Another message of a member opens it again.`], data: { id } }
}

const misused = () =>
  new UsageError('Usage: npm run admin -- help list | show <id> | reply <id> --text <text> | close <id>')

async function listConversations({ db }: AdminContext): Promise<Answer> {
  const threads = await listForOperator(db)
  const rows = threads.map(({ id, state, organizationId, lastActiveAt, subject }) => [
    id,
    state === 'open' ? styleText('red', state) : state,
    minute(lastActiveAt),
    organizationId,
    plain(subject),
  ])
  return {
    lines:
      rows.length === 0
        ? ['No questions yet.']
        : table(['ID', 'STATE', 'ACTIVE', 'ORGANIZATION', 'SUBJECT'], rows),
    data: threads,
  }
}

async function showConversation({ db }: AdminContext, id: string): Promise<Answer> {
  const thread = await showToOperator(db, id)
  const project = thread.projectId === null ? 'none' : `${thread.projectName ?? ''} (${thread.projectId})`
  const lines = [
    `${plain(thread.subject)}: ${thread.state}`,
    `Organization ${thread.organizationId}, plan ${thread.plan}, project ${plain(project)}`,
    ...(thread.console === null
      ? []
      : ['The console says (anyone can write this):', plain(JSON.stringify(thread.console, null, 2))]),
    ...thread.messages.flatMap((message) => [
      '',
      styleText(
        'bold',
        `${message.author === 'operator' ? 'Operator' : plain(message.name ?? 'A deleted person')}, ${message.createdAt}`,
      ),
      plain(message.body),
      ...message.attachments.map(({ id: picture, name, size }) =>
        styleText('dim', `  ${picture}  ${plain(name)}  ${bytes(size)}`),
      ),
    ]),
  ]
  return { lines, data: thread }
}

/** What members write must not move the operator's cursor or colour the terminal. */
const plain = (text: string): string =>
  // oxlint-disable-next-line no-control-regex -- control characters are what has to be removed
  stripVTControlCharacters(text).replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
