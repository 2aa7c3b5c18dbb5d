import type { LocalModel } from '../models.ts'
import { respondWithTurn, type ChatRequest, offeredTools, messageText, type Turn } from '../wire.ts'
import { capabilitiesFor, isLimitable } from './reading/access.ts'
import {
  newRecordObstacle,
  isNewRecordExtra,
  isTakenByOthers,
  stopObstacle,
  withNewRecordExtras,
} from './writing/new-record-app.ts'
import { captureFields } from './capture.ts'
import {
  addChoices,
  addCollections,
  addFields,
  canAddRoutes,
  capabilitiesOf,
  changeAccess,
  collectionSpec,
  dropFields,
  type AppFiles,
  removeCollection,
  renameField,
  findOverwrittenFile,
  withStartPage,
} from './writing/changes.ts'
import type { ScaffoldManifest } from './writing/manifest.ts'
import type { ScaffoldLists } from './reading/edits.ts'
import { CAPABILITY_OF, extraObstacle, withExtras } from './writing/extra-app.ts'
import type { Extra } from './reading/extras.ts'
import { hasFile } from './reading/fields.ts'
import { type Intent, unfulfilledRequests, readIntent, withoutExistingParts } from './reading/intent.ts'
import { collectionOf } from './reading/lists.ts'
import { accessObstacle, uploadObstacle } from './obstacles.ts'
import { planTurn } from './plan.ts'
import {
  describeExtra,
  SELF_INTRODUCTION,
  joinWithAnd,
  labelsOf,
  needsModel,
  describeChange,
  describeReminder,
  explainFullList,
  explainMissingExtra,
  explainMissingReminder,
  explainMissingRoutes,
  explainKeptExtra,
  explainNoChange,
  explainMissingUpload,
  explainObstacle,
  explainExistingFile,
} from './replies.ts'
import { reminderObstacle, withoutReminders, withReminders } from './writing/reminder-app.ts'
import { selectionPhrase } from './writing/reminder-sources.ts'
import type { Reminder } from './reading/reminders.ts'
import { readBuildTranscript, type BuildTranscript } from './transcript.ts'
import type { ToolCall } from './writing/tool-call.ts'
import { unsupportedWordIn } from './reading/vocabulary.ts'
import { WATCHERS_COLLECTION, withoutWatchers } from './writing/watching-sources.ts'
import { sentenceCase } from './reading/words.ts'

const SUBJECT_QUESTION = {
  id: 'subject',
  question: 'What should the app keep track of?',
  options: ['Tasks', 'Contacts', 'Expenses'],
  default: 'Tasks',
}

/** A fixed program with the interface of a model: equal messages always get equal bytes (docs/guides/scaffold.md). */
export const scaffoldModel: LocalModel = {
  id: 'scaffold-1',
  respond: (request) => respondWithTurn(request, nextTurn(request)),
}

/** Computes the next turn from the messages alone. There is no other state. */
export function nextTurn(request: ChatRequest): Turn {
  const tools = offeredTools(request)
  if (tools.length === 0) return withoutTools(request)
  if (request.tool_choice === 'none') return { text: `${SELF_INTRODUCTION} I stop here.` }
  if (tools.includes('create_ticket')) return planTurn(request)
  const transcript = readBuildTranscript(request)
  const intent = intentOf(transcript)
  const last = transcript.calls.at(-1)
  const hasWritten = transcript.calls.some((call) => WRITING_TOOLS.has(call.name))
  if (!hasWritten) {
    const turn = firstTurn(transcript, intent, tools)
    const { unread } = transcript
    const mustRead =
      unread.length > 0 && turn.toolCalls?.some((call) => WRITING_TOOLS.has(call.name)) === true
    const readCalls = unread.map(({ path, from }) => ({
      name: 'read_file',
      args: from === 1 ? { path } : { path, from },
    }))
    return mustRead ? { toolCalls: readCalls } : turn
  }
  const finish = { toolCalls: [{ name: 'finish', args: { summary: summaryOf(transcript, intent, tools) } }] }
  // A message of the user interrupted `finish`, so call it again.
  if (last?.name === 'finish' && last.result.startsWith('interrupted')) return finish
  if (last?.name === 'finish' || (last?.name === 'check' && !last.isGreen))
    return { text: `The checks are red, and I cannot mend that by myself:\n\n${last.result}` }
  return last?.name === 'check' ? finish : { toolCalls: [{ name: 'check', args: {} }] }
}

const WRITING_TOOLS = new Set(['write_file', 'edit_file', 'delete_file'])

/**
 * Handles requests without tools. When JSON is requested, returns the fields of a ticket for a sentence of
 * the user; else replies that a question needs a real model.
 */
function withoutTools(request: ChatRequest): Turn {
  const said = request.messages.findLast((message) => message.role === 'user')
  const sentence = said === undefined ? '' : messageText(said)
  return request.response_format?.type.startsWith('json') === true
    ? { text: JSON.stringify(captureFields(sentence)) }
    : { text: needsModel({}) }
}

const listsOf = ({ manifest }: Pick<BuildTranscript, 'manifest'>): ScaffoldLists =>
  withoutWatchers(withoutReminders(manifest.collections ?? {}))

/** Reads the intent of the ticket and of the answers to earlier questions. */
function intentOf(transcript: BuildTranscript): Intent {
  const lists = listsOf(transcript)
  const subject = transcript.answers.get('subject')
  if (subject !== undefined) {
    const intent = readIntent(subject, lists)
    const isThing = /^an?\s/i.test(subject) && unsupportedWordIn(subject) !== null
    return intent.kind === 'lists' || isThing ? intent : readIntent(`Keep track of ${subject}`, lists)
  }
  const intent = readIntent(transcript.request, lists)
  const list = transcript.answers.get('list')
  if (intent.kind !== 'which-list' || list === undefined) return intent
  const collection = Object.keys(lists).find((key) => lists[key]?.title === list) ?? collectionOf(list)
  return Object.hasOwn(lists, collection)
    ? withoutExistingParts({ kind: 'more-fields', collection, fields: intent.fields }, lists)
    : { kind: 'missing', what: list }
}

function firstTurn(transcript: BuildTranscript, intent: Intent, tools: string[]): Turn {
  const lists = listsOf(transcript)
  const question = questionFor(intent, lists)
  if (question !== null && tools.includes('ask_user') && transcript.answers.size === 0)
    return { text: SELF_INTRODUCTION, toolCalls: [{ name: 'ask_user', args: { questions: [question] } }] }
  // A reply without a tool call ends the build without a change of files.
  const reply =
    explainNoChange(intent, lists, transcript.request) ??
    explainBlockedList(transcript, intent) ??
    explainBlockedAccess(transcript, intent) ??
    explainFullList(intent, lists) ??
    explainBlockedUpload(transcript, intent) ??
    explainBlockedReminder(transcript, intent) ??
    explainBlockedExtras(transcript, intent) ??
    stopRefusal(transcript, intent)
  if (reply !== null) return { text: reply }
  return {
    text: `${SELF_INTRODUCTION}${planOf(intent)}`,
    toolCalls: [...preparationCalls(transcript, intent, tools), ...changesFor(transcript, intent)],
  }
}

/** Returns a reply when the request would overwrite a page, a test or routes that a person or a real model wrote; else null. */
function explainBlockedList({ files, manifest }: BuildTranscript, intent: Intent): string | null {
  if (intent.kind !== 'lists' && intent.kind !== 'extras') return null
  const taken = intent.kind === 'lists' ? findOverwrittenFile(files, intent.wanted) : null
  if (taken !== null) return explainExistingFile(taken, listsOf({ manifest }))
  const extras = intent.extras ?? []
  const isRouted =
    extras.some(({ is }) => is !== 'summary' && is !== 'visits') ||
    (intent.kind === 'lists' && intent.wanted.some(({ access = 'open' }) => access === 'open'))
  return isRouted && !canAddRoutes(files) ? explainMissingRoutes(listsOf({ manifest })) : null
}

/** Returns a reply with the reason when a requested change of access is impossible; else null. */
function explainBlockedAccess({ files, manifest }: BuildTranscript, intent: Intent): string | null {
  if (intent.kind !== 'access') return null
  const { access, collections } = intent
  const obstacle = accessObstacle(files, manifest, access, collections)
  return obstacle === null ? null : explainObstacle(obstacle, listsOf({ manifest }))
}

/** Returns a reply with the reason when the request adds a file field and the list cannot get one; else null. */
function explainBlockedUpload({ manifest }: BuildTranscript, intent: Intent): string | null {
  const obstacle = uploadObstacle(manifest, intent)
  return obstacle === null || intent.kind !== 'more-fields'
    ? null
    : explainMissingUpload(obstacle, intent.collection)
}

/** Returns a reply with the reason when a requested reminder is impossible; else null. */
function explainBlockedReminder(transcript: BuildTranscript, intent: Intent): string | null {
  if (intent.kind !== 'remind') return null
  const obstacle = obstacleOfReminder(transcript, intent, intent.reminder)
  const { collection } = intent.reminder
  return obstacle === null ? null : explainMissingReminder(obstacle, collection, listsOf(transcript))
}

/** Returns a reply with the reason when a requested extra is impossible; else null. */
function explainBlockedExtras({ files, manifest }: BuildTranscript, intent: Intent): string | null {
  if (intent.kind !== 'extras') return null
  for (const extra of intent.extras) {
    const obstacle = isNewRecordExtra(extra)
      ? newRecordObstacle(files, manifest, extra)
      : extraObstacle(files, manifest, extra)
    if (obstacle !== null) return explainMissingExtra(obstacle, extra, listsOf({ manifest }))
  }
  return null
}

/** Returns a reply with the reason when a requested removal of an extra is impossible; else null. */
function stopRefusal({ files, manifest }: BuildTranscript, intent: Intent): string | null {
  const obstacle = intent.kind === 'stop' ? stopObstacle(files, manifest, intent) : null
  return intent.kind !== 'stop' || obstacle === null
    ? null
    : explainKeptExtra(obstacle, intent, listsOf({ manifest }))
}

const extrasOf = (intent: Intent, manifest: ScaffoldManifest): Extra[] =>
  intent.kind === 'lists' || intent.kind === 'extras'
    ? (intent.extras ?? []).filter((extra) => extraObstacleNow(extra, intent, manifest) === null)
    : []

/**
 * Returns why this build omits a requested extra; null when the build includes it. For an existing list,
 * `explainBlockedExtras` has checked all other reasons before.
 */
function extraObstacleNow(
  extra: Extra,
  intent: Intent,
  manifest: ScaffoldManifest,
): 'no-address' | 'shut' | 'own' | 'taken' | 'team' | 'staff' | 'unlimited' | 'files' | null {
  if (extra.is === 'mail' && extra.to === null) return 'no-address'
  if (intent.kind !== 'lists' || extra.is === 'visits') return null
  const { access = 'open', fields = {} } =
    intent.wanted.find((item) => item.collection === extra.collection) ?? {}
  if (extra.is === 'guard' && access !== 'open') return 'shut'
  if (extra.is === 'limit') {
    if (access === 'team' || access === 'staff') return access
    return !isLimitable(access) ? 'unlimited' : hasFile(fields) ? 'files' : null
  }
  if (extra.is !== 'push') return null
  const isTaken =
    isTakenByOthers(manifest) || intent.wanted.some(({ collection }) => collection === WATCHERS_COLLECTION)
  return access === 'own' ? 'own' : isTaken ? 'taken' : null
}

/** Returns a question about the subject of the app or the list of a field; null when both are clear. */
function questionFor(intent: Intent, lists: ScaffoldLists) {
  if (intent.kind === 'vague') return SUBJECT_QUESTION
  if (intent.kind !== 'which-list') return null
  const options = Object.entries(lists)
    .map(([collection, { title }]) => title ?? sentenceCase(collection))
    .slice(0, 5)
  return { id: 'list', question: `Which list gets ${labelsOf(intent.fields)}?`, options, default: options[0] }
}

function changesFor(transcript: BuildTranscript, intent: Intent): ToolCall[] {
  const { files, manifest } = transcript
  const calls = withReminders(
    files,
    manifest,
    changesOfLists(files, manifest, intent),
    intent.kind === 'no-reminders' ? 'none' : reminderIn(transcript, intent),
  )
  const extras = extrasOf(intent, manifest)
  // The tests of extras depend on the rules of the list, so add these extras after the list.
  const added = withNewRecordExtras(files, manifest, calls, {
    wanted: extras.filter(isNewRecordExtra),
    stopped: intent.kind === 'stop' ? intent : null,
  })
  const others = extras.filter((extra) => !isNewRecordExtra(extra))
  return withStartPage(manifest, withExtras(files, manifest, added, others))
}

/** Returns the requested reminder; null when there is none, or when the app cannot get it. */
function reminderIn(transcript: BuildTranscript, intent: Intent): Reminder | null {
  if (intent.kind !== 'remind' && intent.kind !== 'lists') return null
  const { reminder } = intent
  return reminder === undefined || obstacleOfReminder(transcript, intent, reminder) !== null ? null : reminder
}

function obstacleOfReminder({ files, manifest }: BuildTranscript, intent: Intent, { collection }: Reminder) {
  const wanted = intent.kind === 'lists' ? intent.wanted : []
  const collections = Object.fromEntries(wanted.map((item) => [item.collection, collectionSpec(item)]))
  const after = { ...manifest, collections: { ...manifest.collections, ...collections } }
  return reminderObstacle(files, after, collection)
}

function changesOfLists(files: AppFiles, manifest: ScaffoldManifest, intent: Intent): ToolCall[] {
  switch (intent.kind) {
    case 'lists':
      return addCollections(files, manifest, intent.wanted)
    case 'access':
      return changeAccess(files, manifest, intent.access, intent.collections)
    case 'more-fields':
      return addFields(files, manifest, intent.collection, intent.fields)
    case 'more-choices':
      return addChoices(files, manifest, intent.collection, intent.field, intent.values)
    case 'rename-field':
      return renameField(files, manifest, intent.collection, intent.field, intent.to)
    case 'drop-fields':
      return dropFields(files, manifest, intent.collection, intent.fields)
    case 'remove':
      return removeCollection(files, manifest, intent.collection)
    default:
      return []
  }
}

/**
 * Returns the tool calls that prepare a build, before it writes files: they rename the project and enable the
 * capabilities that are needed.
 */
function preparationCalls(transcript: BuildTranscript, intent: Intent, tools: string[]): ToolCall[] {
  const isNewApp = intent.kind === 'lists' && Object.keys(listsOf(transcript)).length === 0
  const [first] = intent.kind === 'lists' ? intent.wanted : []
  return [
    // An app with lists already has its name.
    ...(tools.includes('rename_project') && first !== undefined && isNewApp
      ? [{ name: 'rename_project', args: { name: first.title } }]
      : []),
    ...(tools.includes('enable_capability')
      ? missingKeys(transcript, intent).map((key) => ({ name: 'enable_capability', args: { key } }))
      : []),
  ]
}

/** Returns the capabilities that the intent needs and that are disabled. */
function missingKeys(transcript: BuildTranscript, intent: Intent): string[] {
  const { enabled, manifest } = transcript
  const needed = [
    ...(intent.kind === 'lists' ? ['data', ...capabilitiesOf(intent.wanted)] : []),
    ...(intent.kind === 'access' ? capabilitiesFor([intent.access]) : []),
    ...(intent.kind === 'more-fields' && hasFile(intent.fields) ? ['files'] : []),
    ...(extrasOf(intent, manifest).some(({ is }) => is === 'push' || is === 'limit') ? ['auth'] : []),
    ...(reminderIn(transcript, intent) === null ? [] : ['schedule']),
    ...extrasOf(intent, manifest).map(({ is }) => CAPABILITY_OF[is]),
  ]
  return [...new Set(needed)].filter((key) => !enabled.has(key))
}

const planOf = (intent: Intent) =>
  intent.kind === 'lists'
    ? `\n\n${intent.wanted.map(({ title, fields }) => `${title}: ${labelsOf(fields)}.`).join('\n')}`
    : ''

/** Returns the summary of a build whose check succeeded: what changed, what was omitted, and what the user still must do. */
function summaryOf(transcript: BuildTranscript, intent: Intent, tools: string[]): string {
  const missing = tools.includes('enable_capability') ? [] : missingKeys(transcript, intent)
  const left = unfulfilledRequests(transcript.request, intent)
  return [
    describeChange(intent),
    ...reminderSentences(transcript, intent),
    ...(intent.kind === 'lists' ? (intent.extras ?? []) : []).map((extra) => {
      const obstacle = extraObstacleNow(extra, intent, transcript.manifest)
      return obstacle === null ? describeExtra(extra) : explainMissingExtra(obstacle, extra, {})
    }),
    ...(left.length > 0 ? [`Left out, because it needs an AI model: ${joinWithAnd(left)}.`] : []),
    ...missing.map((key) => `Switch on the ${key} capability, otherwise ${WITHOUT_CAPABILITY[key]}.`),
    ...(transcript.wasSpokenTo
      ? ['What you wrote during the build is not in it: put it into a ticket of its own.']
      : []),
  ].join(' ')
}

const WITHOUT_CAPABILITY: Record<string, string> = {
  data: 'nothing is stored',
  auth: 'nobody can sign in',
  team: 'nobody can make a team',
  files: 'nothing can be uploaded',
  schedule: 'nobody is reminded',
  ai: 'nothing is summarized',
  render: 'no file is made',
  email: 'no mail is sent',
  guard: 'nothing can be added',
  push: 'no notification is sent',
  meter: 'nothing can be added',
  events: 'no visitor is counted',
}

/** Returns sentences that say when the reminder comes and about which records, or why there is none. */
function reminderSentences(transcript: BuildTranscript, intent: Intent): string[] {
  const asked = intent.kind === 'lists' || intent.kind === 'remind' ? intent.reminder : undefined
  if (asked === undefined) return []
  const { collection, every } = asked
  const wanted = intent.kind === 'lists' ? intent.wanted.find((one) => one.collection === collection) : null
  const fields = wanted?.fields ?? transcript.manifest.collections?.[collection]?.fields ?? {}
  const obstacle = obstacleOfReminder(transcript, intent, asked)
  return obstacle === null
    ? [describeReminder(every, selectionPhrase(fields, asked))]
    : [explainMissingReminder(obstacle, collection, listsOf(transcript))]
}
