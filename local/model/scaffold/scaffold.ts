import type { LocalModel } from '../models.ts'
import { answerTurn, type ChatRequest, offeredTools, textOf, type Turn } from '../wire.ts'
import { captureFields } from './capture.ts'
import { addCollections, removeCollection, type ToolCall } from './changes.ts'
import { readIntent, type Wanted } from './intent.ts'
import { planTurn } from './plan.ts'
import { readSituation, type Situation } from './situation.ts'
import { sentenceCase } from './words.ts'

const INTRODUCTION =
  'I am the scaffold model: a fixed program, not an AI. I turn a sentence about things to keep track of into a small app that stores them. Connect a model to build anything else.'

const QUESTION = {
  id: 'subject',
  question: 'What should the app keep track of?',
  options: ['Tasks', 'Contacts', 'Expenses'],
  default: 'Tasks',
}

/** A program behind the model wire: the same messages always get the same bytes (docs/guides/scaffold.md). */
export const scaffoldModel: LocalModel = {
  id: 'scaffold-1',
  respond: (request) => answerTurn(request, turnFor(request)),
}

/** What the program says next, from nothing but the messages. */
export function turnFor(request: ChatRequest): Turn {
  const tools = offeredTools(request)
  if (tools.length === 0) return withoutTools(request)
  if (request.tool_choice === 'none') return { text: `${INTRODUCTION} I stop here.` }
  if (tools.includes('create_ticket')) return planTurn(request, INTRODUCTION)
  const situation = readSituation(request)
  const last = situation.calls.at(-1)
  const hasWritten = situation.calls.some((call) => WRITING.has(call.name))
  if (!hasWritten) return begin(situation, tools)
  if (last?.name === 'finish')
    return { text: `The checks are red, and I cannot mend that by myself:\n\n${last.result}` }
  if (last?.name !== 'check') return { toolCalls: [{ name: 'check', args: {} }] }
  if (!last.isGreen)
    return { text: `The checks are red, and I cannot mend that by myself:\n\n${last.result}` }
  return { toolCalls: [{ name: 'finish', args: { summary: summaryOf(situation, tools) } }] }
}

const WRITING = new Set(['write_file', 'edit_file', 'delete_file'])

/** Without tools there is a capture to fill in, or a question to answer. */
function withoutTools(request: ChatRequest): Turn {
  const said = request.messages.findLast((message) => message.role === 'user')
  const sentence = said === undefined ? '' : textOf(said)
  return request.response_format?.type.startsWith('json') === true
    ? { text: JSON.stringify(captureFields(sentence)) }
    : { text: INTRODUCTION }
}

function begin(situation: Situation, tools: string[]): Turn {
  const intent = readIntent(situation.answer ?? situation.request)
  switch (intent.kind) {
    case 'question':
      return { text: `${INTRODUCTION} Questions are beyond me: I changed nothing.` }
    case 'nothing':
      if (tools.includes('ask_user') && situation.answer === null)
        return { text: INTRODUCTION, toolCalls: [{ name: 'ask_user', args: { questions: [QUESTION] } }] }
      return {
        text: `${INTRODUCTION} I found nothing to keep track of in this ticket, so I changed nothing.`,
      }
    case 'remove':
      return removal(situation, intent.collection)
    case 'collections':
      return {
        text: `${INTRODUCTION}\n\n${planOf(intent.wanted)}`,
        toolCalls: [
          ...preparations(situation, intent.wanted, tools),
          ...addCollections(situation.files, situation.manifest, intent.wanted),
        ],
      }
  }
}

function removal(situation: Situation, collection: string): Turn {
  if (!Object.hasOwn(situation.manifest.collections ?? {}, collection))
    return { text: `${INTRODUCTION} The app has no ${sentenceCase(collection).toLowerCase()} to remove.` }
  return {
    text: `${INTRODUCTION}\n\nI take out ${sentenceCase(collection).toLowerCase()}; stored records are dropped by a migration.`,
    toolCalls: removeCollection(situation.files, situation.manifest, collection),
  }
}

/** What comes before the files: a name for the project, and the capability that stores records. */
function preparations(situation: Situation, wanted: Wanted[], tools: string[]): ToolCall[] {
  const [first] = wanted
  return [
    ...(tools.includes('rename_project') && first !== undefined && isNewApp(situation)
      ? [{ name: 'rename_project', args: { name: first.title } }]
      : []),
    ...(tools.includes('enable_capability') && !situation.enabled.has('data')
      ? [{ name: 'enable_capability', args: { key: 'data' } }]
      : []),
  ]
}

/** An app that keeps something already has the name people know it by. */
const isNewApp = (situation: Situation) => Object.keys(situation.manifest.collections ?? {}).length === 0

const planOf = (wanted: Wanted[]) =>
  wanted
    .map(
      ({ title, fields }) => `${title}: ${Object.keys(fields).map(sentenceCase).join(', ').toLowerCase()}.`,
    )
    .join('\n')

/** Claims only what the check showed, and names what a person still has to do. */
function summaryOf(situation: Situation, tools: string[]): string {
  const intent = readIntent(situation.answer ?? situation.request)
  const done =
    intent.kind === 'collections'
      ? `Keeps ${intent.wanted.map(({ title }) => title.toLowerCase()).join(' and ')}: a form, a live list, edit and delete.`
      : intent.kind === 'remove'
        ? `Removed ${sentenceCase(intent.collection).toLowerCase()}.`
        : 'Changed the app.'
  const isOff = !situation.enabled.has('data') && !tools.includes('enable_capability')
  const open = isOff ? ' Switch on the data capability, otherwise nothing is stored.' : ''
  return `${done} Anyone with the address can add, change and remove records.${open} Built by the scaffold program.`
}
