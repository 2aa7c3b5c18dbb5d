import type { ChatRequest, Turn } from '../wire.ts'
import { captureFields } from './capture.ts'
import { readIntent } from './intent.ts'
import { type PastCall, blocks, pastCalls, saidIn } from './situation.ts'

const TICKETS_MAX = 5
const LIST_ITEM = /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*)$/gm

/** A turn of the plan thread (docs/guides/plan-prompt.md): a list becomes tickets, anything else words. */
export function planTurn(request: ChatRequest, introduction: string): Turn {
  const calls = pastCalls(request.messages)
  if (calls.length > 0) return { text: reportOf(calls) }
  const said = saidIn(request)
  const message = blocks(said, 'message').at(-1)?.text ?? ''
  const wishes = wishesOf(message)
  if (wishes.length === 0) {
    const isQuestion = readIntent(message).kind === 'question'
    const reason = isQuestion ? 'Questions are beyond me' : 'Give me a list and I make a ticket of each item'
    return { text: `${introduction} ${reason}: I wrote nothing.` }
  }
  const taken = wishes.slice(0, TICKETS_MAX)
  const written = titlesIn(blocks(said, 'already-written').at(-1)?.text ?? '')
  const drafts = taken.map(draftOf).filter((draft) => !written.has(draft.title))
  const name = blocks(said, 'project')[0]?.attributes['name'] ?? 'The app'
  // A README somebody has written says more than this program could.
  const hasReadme = blocks(said, 'readme').length > 0
  const toolCalls = [
    ...drafts.map((draft) => ({ name: 'create_ticket', args: draft })),
    ...(hasReadme ? [] : [{ name: 'write_readme', args: { text: readmeOf(name, taken) } }]),
  ]
  const rest = wishes.length - taken.length
  const left = rest === 0 ? '' : ` I take the first ${TICKETS_MAX} items; send me the other ${rest} again.`
  return toolCalls.length === 0
    ? { text: `${introduction} These tickets are written already.` }
    : { text: `${introduction}${left}`, toolCalls }
}

/** The items of a list, or the whole message when it names things to keep track of. */
function wishesOf(message: string): string[] {
  const items = [...message.matchAll(LIST_ITEM)].map(([, item = '']) => item.trim())
  if (items.length > 0) return items
  const kind = readIntent(message).kind
  return kind === 'collections' || kind === 'remove' ? [message.trim()] : []
}

interface Draft {
  title: string
  body: string
  type: string
  priority: string
}

function draftOf(wish: string): Draft {
  const { title, type, priority } = captureFields(wish)
  return { title, body: wish, type, priority }
}

/** Titles in a list of tickets, one JSON string a line. */
function titlesIn(lines: string): Set<string> {
  return new Set(
    [...lines.matchAll(/^tkt_\w+ ("(?:[^"\\]|\\.)*")/gm)].map(
      ([, title = '""']) => JSON.parse(title) as string,
    ),
  )
}

const readmeOf = (name: string, wishes: string[]) =>
  `# ${name}\n\nWhat it is to do:\n\n${wishes.map((wish) => `- ${wish}`).join('\n')}\n`

/** Claims only what the results say. */
function reportOf(calls: PastCall[]): string {
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
