import type { ChatRequest, Turn } from '../wire.ts'
import { captureFields } from './capture.ts'
import type { ScaffoldLists } from './reading/edits.ts'
import type { ScaffoldFields } from './reading/fields.ts'
import { type Intent, readIntent } from './reading/intent.ts'
import { SELF_INTRODUCTION, needsModel, explainNoChange } from './replies.ts'
import { type CompletedCall, taggedBlocks, completedCalls, userText } from './transcript.ts'

const TICKETS_MAX = 5
const LIST_ITEM = /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*)$/gm

/**
 * Returns the model's reply to a message in the plan thread (docs/guides/plan-prompt.md): creates a ticket
 * for each item of a list, and replies with text to any other message.
 */
export function planTurn(request: ChatRequest): Turn {
  const calls = completedCalls(request.messages)
  if (calls.length > 0) return { text: writtenTicketsReport(calls) }
  const said = userText(request)
  const message = taggedBlocks(said, 'message').at(-1)?.text ?? ''
  const lists = listsIn(taggedBlocks(said, 'project').at(-1)?.text ?? '')
  const intent = readIntent(message, lists)
  const wishes = wishesOf(message, intent)
  if (wishes.length === 0) {
    const reply = explainNoChange(intent, lists, message) ?? needsModel(lists, message)
    return { text: `${reply} Give me a list of wishes, and I make a ticket of each. I wrote nothing.` }
  }
  const taken = wishes.slice(0, TICKETS_MAX)
  const written = titlesIn(taggedBlocks(said, 'already-written').at(-1)?.text ?? '')
  const drafts = taken.map(draftOf).filter((draft) => !written.has(draft.title))
  const name = taggedBlocks(said, 'project')[0]?.attributes['name'] ?? 'The app'
  // Write a README only when there is none: a README by a person or a real model says more.
  const hasReadme = taggedBlocks(said, 'readme').length > 0
  const toolCalls = [
    ...drafts.map((draft) => ({ name: 'create_ticket', args: draft })),
    ...(hasReadme ? [] : [{ name: 'write_readme', args: { text: readmeOf(name, taken) } }]),
  ]
  const rest = wishes.length - taken.length
  const notes = [
    SELF_INTRODUCTION,
    ...(rest === 0 ? [] : [`I take the first ${TICKETS_MAX} items; send me the other ${rest} again.`]),
    ...tooHardNote(drafts, lists),
  ]
  return toolCalls.length === 0
    ? { text: `${SELF_INTRODUCTION} These tickets are written already.` }
    : { text: `${notes.join(' ')}\n\n`, toolCalls }
}

/** Names the drafts that need a real model. A draft may use lists that the drafts before it create. */
function tooHardNote(drafts: TicketDraft[], lists: ScaffoldLists): string[] {
  const known = { ...lists }
  const beyond = drafts.filter(({ body }) => {
    const intent = readIntent(body, known)
    if (intent.kind === 'lists') for (const item of intent.wanted) known[item.collection] = item
    return intent.kind !== 'which-list' && explainNoChange(intent, known, body) !== null
  })
  return beyond.length === 0
    ? []
    : [`To be built, ${beyond.map(({ title }) => `"${title}"`).join(', ')} needs an AI model.`]
}

/** Parses the lines `Collection name: fields` of the prompt. */
function listsIn(project: string): ScaffoldLists {
  const lines = project.matchAll(/^Collection (\w+): (.*)$/gm)
  return Object.fromEntries(
    [...lines].map(([, collection = '', list = '']) => {
      const fields = list.split(', ').map((field) => {
        const [name = '', type = 'text'] = field.split(' ')
        // The prompt does not contain the choices of an enum.
        return [name, type === 'enum' ? { type, values: [] } : { type }]
      })
      return [collection, { fields: Object.fromEntries(fields) as ScaffoldFields }]
    }),
  )
}

/** Returns the items of a list in the message; without a list, the whole message if it is about things to track. */
function wishesOf(message: string, intent: Intent): string[] {
  const items = [...message.matchAll(LIST_ITEM)].map(([, item = '']) => item.trim())
  if (items.length > 0) return items
  return PLANNED_INTENTS.has(intent.kind) ? [message.trim()] : []
}

const PLANNED_INTENTS: ReadonlySet<string> = new Set([
  'lists',
  'access',
  'remind',
  'no-reminders',
  'extras',
  'stop',
  'more-fields',
  'more-choices',
  'rename-field',
  'drop-fields',
  'remove',
])

interface TicketDraft {
  title: string
  body: string
  type: string
  priority: string
}

function draftOf(wish: string): TicketDraft {
  const { title, type, priority } = captureFields(wish)
  return { title, body: wish, type, priority }
}

/** Returns the titles of tickets in the prompt. Each line has an id and the title as a JSON string. */
function titlesIn(lines: string): Set<string> {
  return new Set(
    [...lines.matchAll(/^tkt_\w+ ("(?:[^"\\]|\\.)*")/gm)].map(([, title = '""']) =>
      String(JSON.parse(title)),
    ),
  )
}

const readmeOf = (name: string, wishes: string[]) =>
  `# ${name}\n\nWhat it is to do:\n\n${wishes.map((wish) => `- ${wish}`).join('\n')}\n`

/** Returns a report of the created tickets and the tickets that the tool refused. */
function writtenTicketsReport(calls: CompletedCall[]): string {
  const written = calls.flatMap(({ result }) => /^Created \S+ (".*")\.$/.exec(result)?.[1] ?? [])
  const failed = calls.filter(
    ({ name, result }) => name === 'create_ticket' && !result.startsWith('Created '),
  )
  return [
    written.length === 0 ? 'No new ticket.' : `Written: ${written.join(', ')}.`,
    ...failed.map(({ result }) => `Not written: ${result}`),
    ...(written.length === 0 ? [] : ['Build them one after the other, or queue them.']),
  ].join('\n\n')
}
