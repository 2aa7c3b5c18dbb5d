import type { ModelMessage } from 'ai'
import { readManifest } from '../agent/source/manifest.ts'
import { userMessage } from '../agent/loop/files.ts'
import type { MaterialTag } from '../agent/prompts/material.ts'
import type { AppTree } from '../agent/source/tree.ts'
import type { ChosenModel } from '../connections/models/access.ts'
import { requireReadableAttachments } from '../attachments/model-files.ts'
import type { Db } from '../db/database.ts'
import type { PlanMessagesTable } from '../db/tables/plan.ts'
import type { ProjectRow } from '../projects/store.ts'
import { openTicketLines, type TicketLine, ticketLinesOf } from '../tickets/ticket-lines.ts'
import { ticketLine, unrequestedTicketLine } from './ticket-text.ts'
import { markOutside } from './turn-row.ts'

const TICKETS_MAX = 200
const HISTORY_MESSAGES_MAX = 40
const HISTORY_BYTES_MAX = 40_000

interface PlanContext {
  project: ProjectRow
  chosen: ChosenModel
  /** The app's files on main; empty before the first build. */
  tree: AppTree
  enabled: ReadonlySet<string>
  reply: PlanMessagesTable
  tag: MaterialTag
  today: string
}

/**
 * Returns the messages that the model gets first: the project, its open tickets, the earlier messages, and the current one.
 * docs/guides/plan-prompt.md documents their form, and the built-in scaffold model parses it. Leaves out titles of tickets that another
 * system posted: an agent that reads text of another system loses rights, for example to write the README. Includes these titles when
 * earlier messages already contain such text, because the agent has no such rights then anyway.
 */
export async function planOpening(db: Db, input: PlanContext): Promise<ModelMessage[]> {
  const { project, reply, tag } = input
  const key = { orgId: reply.org_id, projectId: reply.project_id }
  const [tickets, said, written] = await Promise.all([
    openTicketLines(db, key, TICKETS_MAX + 1),
    recentMessages(db, reply),
    ticketLinesOf(db, key, reply.tickets),
  ])
  const hasOutside = reply.read_outside || said.some((message) => message.read_outside)
  if (hasOutside) await markOutside(db, reply)
  const blocks = [
    tag('project', { name: project.name }, describeApp(input.tree, input.enabled)),
    ...(project.readme === null ? [] : [tag('readme', {}, project.readme)]),
    tag('open-tickets', {}, describeTickets(tickets, hasOutside ? ticketLine : unrequestedTicketLine)),
  ]
  // Lists the tickets that an earlier attempt wrote, so that the model does not write them again.
  const again =
    written.length === 0
      ? ''
      : `\nAn earlier attempt at this reply failed. These tickets were written by it and stay; do not write them again:\n${tag('already-written', {}, written.map(ticketLine).join('\n'))}`
  const last = said.length - 1
  const keys = said.slice(-1).flatMap(({ attachments }) => JSON.parse(attachments))
  // Check that the chosen model can read the files, because a retried message may have been written for another model.
  const files = await requireReadableAttachments(db, project, input.chosen, keys)
  return [
    { role: 'user', content: blocks.join('\n') },
    ...said.map((message, i): ModelMessage => {
      if (message.role === 'agent') return { role: 'assistant', content: message.text }
      const ending = i === last ? `\nToday is ${input.today}. Answer this message.${again}` : ''
      return userMessage(tag('message', {}, message.text) + ending, i === last ? files : [])
    }),
  ]
}

function describeApp(tree: AppTree, enabled: ReadonlySet<string>): string {
  const capabilities = `Capabilities that are on: ${enabled.size === 0 ? 'none' : [...enabled].sort().join(', ')}`
  if (tree.size === 0) return `Nothing is built yet.\n${capabilities}`
  const result = readManifest(tree.get('app.json') ?? '')
  if (!result.ok) return `The app has ${tree.size} files.\n${capabilities}`
  const { pages, collections, uses } = result.manifest
  return [
    `The app has ${tree.size} files.`,
    capabilities,
    `Capabilities it uses: ${uses.length === 0 ? 'none' : uses.join(', ')}`,
    ...pages.map((page) => `Page ${page.path}: ${JSON.stringify(page.title)}`),
    ...Object.entries(collections).map(
      ([name, { fields }]) =>
        `Collection ${name}: ${Object.entries(fields)
          .map(([field, { type }]) => `${field} ${type}`)
          .join(', ')}`,
    ),
  ].join('\n')
}

function describeTickets(tickets: TicketLine[], lineOf: (ticket: TicketLine) => string): string {
  if (tickets.length === 0) return 'There are no open tickets.'
  const more = tickets.length > TICKETS_MAX ? ['and more; list_tickets shows them'] : []
  return [...tickets.slice(0, TICKETS_MAX).map(lineOf), ...more].join('\n')
}

/** Returns the last messages, oldest first. The message to reply to is always included, earlier messages as far as they fit. */
async function recentMessages(
  db: Db,
  reply: PlanMessagesTable,
): Promise<Pick<PlanMessagesTable, 'role' | 'text' | 'attachments' | 'read_outside'>[]> {
  const rows = await db
    .selectFrom('plan_messages')
    .select(['role', 'text', 'attachments', 'read_outside'])
    .where('org_id', '=', reply.org_id)
    .where('project_id', '=', reply.project_id)
    .where((eb) => eb(eb.refTuple('created_at', 'id'), '<', eb.tuple(reply.created_at, reply.id)))
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(HISTORY_MESSAGES_MAX + 1)
    .execute()
  let bytes = 0
  const kept = rows.filter((row, i) => {
    // Once a message does not fit, all older ones are left out.
    if (i > 0) bytes += Buffer.byteLength(row.text)
    return bytes <= HISTORY_BYTES_MAX
  })
  return kept.reverse()
}
