import type { LocalModel } from '../models.ts'
import { respondWithTurn, type ChatRequest, offeredTools, textOf, type Turn } from '../wire.ts'
import { captureFields } from './capture.ts'
import {
  addChoices,
  addCollections,
  addFields,
  dropFields,
  removeCollection,
  renameField,
  type ToolCall,
} from './changes.ts'
import type { Lists } from './edits.ts'
import { type Intent, leftOut, readIntent, withoutKnown } from './intent.ts'
import { collectionOf } from './lists.ts'
import { planTurn } from './plan.ts'
import { INTRODUCTION, inWords, labelsOf, needsModel, newsOf, whyNothing } from './replies.ts'
import { readSituation, type Situation } from './situation.ts'
import { beyondIn } from './vocabulary.ts'
import { sentenceCase } from './words.ts'

const QUESTION = {
  id: 'subject',
  question: 'What should the app keep track of?',
  options: ['Tasks', 'Contacts', 'Expenses'],
  default: 'Tasks',
}

/** A program with the interface of a model: the same messages always get the same bytes (docs/guides/scaffold.md). */
export const scaffoldModel: LocalModel = {
  id: 'scaffold-1',
  respond: (request) => respondWithTurn(request, turnFor(request)),
}

/** Returns the next turn, computed from the messages only. */
export function turnFor(request: ChatRequest): Turn {
  const tools = offeredTools(request)
  if (tools.length === 0) return withoutTools(request)
  if (request.tool_choice === 'none') return { text: `${INTRODUCTION} I stop here.` }
  if (tools.includes('create_ticket')) return planTurn(request)
  const situation = readSituation(request)
  const intent = intentOf(situation)
  const last = situation.calls.at(-1)
  const hasWritten = situation.calls.some((call) => WRITING.has(call.name))
  if (!hasWritten) return begin(situation, intent, tools)
  const finish = { toolCalls: [{ name: 'finish', args: { summary: summaryOf(situation, intent, tools) } }] }
  // A message of the user interrupted the finish.
  if (last?.name === 'finish' && last.result.startsWith('interrupted')) return finish
  if (last?.name === 'finish' || (last?.name === 'check' && !last.isGreen))
    return { text: `The checks are red, and I cannot mend that by myself:\n\n${last.result}` }
  return last?.name === 'check' ? finish : { toolCalls: [{ name: 'check', args: {} }] }
}

const WRITING = new Set(['write_file', 'edit_file', 'delete_file'])

/** Requests without tools: filling in a capture, or answering a question. */
function withoutTools(request: ChatRequest): Turn {
  const said = request.messages.findLast((message) => message.role === 'user')
  const sentence = said === undefined ? '' : textOf(said)
  return request.response_format?.type.startsWith('json') === true
    ? { text: JSON.stringify(captureFields(sentence)) }
    : { text: needsModel({}) }
}

const listsOf = ({ manifest }: Situation): Lists => manifest.collections ?? {}

/** Returns the intent of the ticket, including answers to earlier questions. */
function intentOf(situation: Situation): Intent {
  const lists = listsOf(situation)
  const subject = situation.answers.get('subject')
  if (subject !== undefined) {
    const intent = readIntent(subject, lists)
    const isThing = /^an?\s/i.test(subject) && beyondIn(subject) !== null
    return intent.kind === 'lists' || isThing ? intent : readIntent(`Keep track of ${subject}`, lists)
  }
  const intent = readIntent(situation.request, lists)
  const list = situation.answers.get('list')
  if (intent.kind !== 'which-list' || list === undefined) return intent
  const collection = Object.keys(lists).find((key) => lists[key]?.title === list) ?? collectionOf(list)
  return Object.hasOwn(lists, collection)
    ? withoutKnown({ kind: 'more-fields', collection, fields: intent.fields }, lists)
    : { kind: 'missing', what: list }
}

function begin(situation: Situation, intent: Intent, tools: string[]): Turn {
  const lists = listsOf(situation)
  const question = questionFor(intent, lists)
  if (question !== null && tools.includes('ask_user') && situation.answers.size === 0)
    return { text: INTRODUCTION, toolCalls: [{ name: 'ask_user', args: { questions: [question] } }] }
  // Text without a tool call ends the run with this reply and changes no file.
  const reply = whyNothing(intent, lists)
  if (reply !== null) return { text: reply }
  return {
    text: `${INTRODUCTION}${planOf(intent)}`,
    toolCalls: [...preparations(situation, intent, tools), ...changesFor(situation, intent)],
  }
}

/** Returns a question about the subject of the app or the list of a field, or null. */
function questionFor(intent: Intent, lists: Lists) {
  if (intent.kind === 'vague') return QUESTION
  if (intent.kind !== 'which-list') return null
  const options = Object.entries(lists)
    .map(([collection, { title }]) => title ?? sentenceCase(collection))
    .slice(0, 5)
  return { id: 'list', question: `Which list gets ${labelsOf(intent.fields)}?`, options, default: options[0] }
}

function changesFor({ files, manifest }: Situation, intent: Intent): ToolCall[] {
  switch (intent.kind) {
    case 'lists':
      return addCollections(files, manifest, intent.wanted)
    case 'more-fields':
      return addFields(manifest, intent.collection, intent.fields)
    case 'more-choices':
      return addChoices(manifest, intent.collection, intent.field, intent.values)
    case 'rename-field':
      return renameField(manifest, intent.collection, intent.field, intent.to)
    case 'drop-fields':
      return dropFields(manifest, intent.collection, intent.fields)
    case 'remove':
      return removeCollection(files, manifest, intent.collection)
    default:
      return []
  }
}

/** Returns the calls before the files are written: a project name, and the capability that stores records. */
function preparations(situation: Situation, intent: Intent, tools: string[]): ToolCall[] {
  if (intent.kind !== 'lists') return []
  const [first] = intent.wanted
  const isNewApp = Object.keys(listsOf(situation)).length === 0
  return [
    // An app with lists already has its name.
    ...(tools.includes('rename_project') && first !== undefined && isNewApp
      ? [{ name: 'rename_project', args: { name: first.title } }]
      : []),
    ...(tools.includes('enable_capability') && !situation.enabled.has('data')
      ? [{ name: 'enable_capability', args: { key: 'data' } }]
      : []),
  ]
}

const planOf = (intent: Intent) =>
  intent.kind === 'lists'
    ? `\n\n${intent.wanted.map(({ title, fields }) => `${title}: ${labelsOf(fields)}.`).join('\n')}`
    : ''

/** Returns a summary that claims only what the check showed, and names what the user still has to do. */
function summaryOf(situation: Situation, intent: Intent, tools: string[]): string {
  const isOff = !situation.enabled.has('data') && !tools.includes('enable_capability')
  const left = leftOut(situation.request, intent)
  return [
    `Ready. ${newsOf(intent)}`,
    ...(left.length > 0 ? [`Left out, because it needs an AI model: ${inWords(left)}.`] : []),
    ...(isOff ? ['Switch on the data capability, otherwise nothing is stored.'] : []),
    ...(situation.wasSpokenTo
      ? ['What you wrote during the build was not read: put it into a ticket of its own.']
      : []),
  ].join(' ')
}
