import * as z from 'zod'
import { findSecrets } from '../agent/check/phases/secrets.ts'
import { type AgentTool, type ToolOutcome, agentTool, toolSuccess, toolFailure } from '../agent/tools/tool.ts'
import { type Trx, transact } from '../db/database.ts'
import type { PlanMessagesTable } from '../db/tables/plan.ts'
import type { Core } from '../platform.ts'
import { newTicket, storeTickets } from '../tickets/insert-ticket.ts'
import { requireValidDependencies } from '../tickets/dependencies.ts'
import { markFromOutside } from '../tickets/from-outside.ts'
import { ticketLinesOf } from '../tickets/ticket-lines.ts'
import { requireValidParent } from '../tickets/parent.ts'
import { NewTicket, TicketChange } from '../tickets/ticket.ts'
import { changeTicket } from '../tickets/update-ticket.ts'
import { refusalsAsOutcome } from './refusal.ts'
import { lockTurn, type TurnProgress } from './turn-row.ts'
import { changeProject } from '../projects/store.ts'

const TICKET_WRITES_MAX = 50
const README_BYTES_MAX = 32_000

/** Fields with text that the agent writes. The text may repeat what the agent has read from another system. */
const TEXT_FIELDS: ReadonlySet<string> = new Set(['title', 'body', 'labels'])

const Draft = NewTicket.omit({ status: true, dueAt: true })
const Change = TicketChange.extend({ id: z.string() })

const README_REFUSED =
  'a ticket from outside was read in this conversation, so the README stays as it is; tell the person what it should say'

/** Returns the tools with which a turn may change the tickets of its project and the README. */
export function planWriteTools(ctx: Core, turn: PlanMessagesTable): AgentTool[] {
  let writes = 0
  /**
   * Runs one write in a transaction that also records the write in the reply. Refused when the turn was stopped or has used up its writes.
   */
  const writeTicket = async (write: (trx: Trx, soFar: TurnProgress) => Promise<WrittenTicket>) => {
    if (writes >= TICKET_WRITES_MAX)
      return toolFailure(
        'not_allowed',
        `one reply may write ${TICKET_WRITES_MAX} tickets; continue in the next one`,
      )
    return refusalsAsOutcome(async () => {
      const { id, outcome } = await transact(ctx.db, async (trx) => {
        const soFar = await lockTurn(trx, turn)
        const { tickets } = soFar
        const written = await write(trx, soFar)
        if (written.id !== null && !tickets.includes(written.id))
          await storeWrittenTickets(trx, turn, [...tickets, written.id])
        return written
      })
      if (id !== null) writes += 1
      return outcome
    })
  }
  return [
    agentTool({
      name: 'create_ticket',
      description:
        'Writes a new ticket. `body` is Markdown: what is wanted and how to see that it works. `parent` is the id of the ticket it belongs to, `dependsOn` the ids of tickets that must be built first. An epic only groups tickets and is never built.',
      input: Draft,
      run: (draft) => writeTicket((trx, soFar) => createTicket(trx, ctx, turn, { draft, soFar })),
    }),
    agentTool({
      name: 'update_ticket',
      description: 'Changes the given fields of a ticket and leaves the others as they are.',
      input: Change,
      run: ({ id, ...change }) =>
        writeTicket((trx, soFar) => updateTicket(trx, ctx, turn, { id, change, soFar })),
    }),
    agentTool({
      name: 'write_readme',
      description:
        'Replaces the product README (Markdown, at most 32 kB): what the product is, for whom, and what it does. It becomes README.md of the app with its next build.',
      input: z.object({ text: z.string().trim().min(1) }),
      run: ({ text }) => refusalsAsOutcome(() => writeReadme(ctx, turn, text)),
    }),
  ]
}

interface WrittenTicket {
  /** The id of the written ticket; null when none was written. */
  id: string | null
  outcome: ToolOutcome
}

async function createTicket(
  trx: Trx,
  ctx: Core,
  turn: PlanMessagesTable,
  { draft, soFar }: { draft: z.output<typeof Draft>; soFar: TurnProgress },
): Promise<WrittenTicket> {
  const { org_id: orgId, project_id: projectId } = turn
  const twin = await findTwin(trx, turn, { title: draft.title, tickets: soFar.tickets })
  if (twin !== null)
    return { id: null, outcome: toolFailure('unchanged', `this reply has written it already, as ${twin}`) }
  const at = ctx.clock.now()
  const fields = { ...NewTicket.parse(draft), origin: null, source: 'agent' as const }
  const ticket = newTicket(projectId, fields, turn.actor, at)
  if (draft.parent !== null)
    await requireValidParent(trx, { orgId, projectId, ticketId: ticket.id, parent: draft.parent })
  await requireValidDependencies(trx, { orgId, projectId, ticketId: ticket.id, added: draft.dependsOn })
  await storeTickets(trx, { orgId, projectId }, [ticket])
  if (soFar.read_outside) await markFromOutside(trx, orgId, ticket.id)
  return { id: ticket.id, outcome: toolSuccess(`Created ${ticket.id} ${JSON.stringify(ticket.title)}.`) }
}

/**
 * Returns the id of a ticket with this title that an earlier attempt at the same reply wrote, or null. Keeps a later attempt from writing
 * the ticket a second time.
 */
async function findTwin(
  trx: Trx,
  turn: PlanMessagesTable,
  { title, tickets }: { title: string; tickets: string[] },
): Promise<string | null> {
  const key = { orgId: turn.org_id, projectId: turn.project_id }
  const written = await ticketLinesOf(trx, key, tickets)
  return written.find((ticket) => ticket.title.toLowerCase() === title.toLowerCase())?.id ?? null
}

async function updateTicket(
  trx: Trx,
  ctx: Core,
  turn: PlanMessagesTable,
  { id, change, soFar }: { id: string; change: z.output<typeof TicketChange>; soFar: TurnProgress },
): Promise<WrittenTicket> {
  const place = { orgId: turn.org_id, projectId: turn.project_id, ticketId: id }
  const changed = await changeTicket(trx, place, change, ctx.clock.now())
  if (changed.length === 0)
    return { id: null, outcome: toolFailure('unchanged', `${id} has these values already`) }
  if (soFar.read_outside && changed.some((field) => TEXT_FIELDS.has(field)))
    await markFromOutside(trx, turn.org_id, id)
  return { id, outcome: toolSuccess(`Changed ${changed.join(', ')} of ${id}.`) }
}

async function storeWrittenTickets(trx: Trx, turn: PlanMessagesTable, tickets: string[]): Promise<void> {
  await trx
    .updateTable('plan_messages')
    .set({ tickets })
    .where('org_id', '=', turn.org_id)
    .where('id', '=', turn.id)
    .execute()
}

async function writeReadme(ctx: Core, turn: PlanMessagesTable, text: string): Promise<ToolOutcome> {
  const bytes = Buffer.byteLength(text)
  if (bytes > README_BYTES_MAX)
    return toolFailure('too_large', `the README has ${bytes} bytes; at most ${README_BYTES_MAX} are kept`)
  // Search for credentials here, because the README is committed without the checks of a build.
  const [secret] = findSecrets(text)
  if (secret !== undefined) return toolFailure('not_allowed', secret.message)
  return transact(ctx.db, async (trx) => {
    // A turn that has read text from outside may not write the README, because every build and later turn reads the README.
    if ((await lockTurn(trx, turn)).read_outside) return toolFailure('not_allowed', README_REFUSED)
    const project = { orgId: turn.org_id, projectId: turn.project_id }
    await changeProject(trx, project, { readme: text, updated_at: ctx.clock.now() })
    return toolSuccess(`The README is written (${bytes} bytes).`)
  })
}
