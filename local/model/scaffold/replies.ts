import type { AccessLevel } from './reading/access.ts'
import type { NewRecordObstacle } from './writing/new-record-app.ts'
import type { Extra } from './reading/extras.ts'
import { CHOICES_MAX, FIELDS_MAX, type ScaffoldFields } from './reading/fields.ts'
import type { ScaffoldLists } from './reading/edits.ts'
import type { Intent } from './reading/intent.ts'
import { defaultFields, isKnownNoun } from './reading/lexicon.ts'
import type { WantedList } from './reading/lists.ts'
import type { AccessObstacle, uploadObstacle } from './obstacles.ts'
import { article, namesOf } from './reading/names.ts'
import { PEOPLE_WORDS } from './reading/vocabulary.ts'
import { isPlural, plural, sentenceCase, singular } from './reading/words.ts'

export const SELF_INTRODUCTION = 'I am the built-in program, not an AI: I make lists and forms.'

const NEAREST_NOUNS: [words: RegExp, noun: string][] = [
  [/\b(?:shops?|stores?|webshop|marketplace|sell)\b/i, 'product'],
  [/\bnewsletters?\b/i, 'signup'],
  [/\b(?:chats?|messenger|forum)\b/i, 'message'],
  [/\bcalendar\b/i, 'event'],
  [/\bremind/i, 'task'],
  [/\b(?:survey|quiz|poll)\b/i, 'question'],
]

/**
 * Returns an example of a request that the scaffold can build, about a noun of the text when the lexicon has
 * one.
 */
function exampleFor(text: string, lists: ScaffoldLists): string {
  const named = (text.toLowerCase().match(/[a-z]+/g) ?? [])
    .filter((word) => isPlural(word) && isKnownNoun(word))
    .map(singular)
  const nearest = NEAREST_NOUNS.filter(([words]) => words.test(text)).map(([, noun]) => noun)
  const noun = [...named.filter((one) => !PEOPLE_WORDS.has(one)), ...nearest].find(
    (one) => !Object.hasOwn(lists, plural(one)),
  )
  if (noun === undefined) return 'Make a list of books with title and author.'
  const fields = Object.fromEntries(Object.entries(defaultFields(noun)).slice(0, 3))
  return `Make a list of ${plural(noun)} with ${labelsOf(fields)}.`
}

/**
 * Returns the reply to a request that the scaffold cannot build. The reply suggests connecting a model, or sending the request that
 * `exampleFor` returns.
 */
export function needsModel(lists: ScaffoldLists, text = '', what: 'wish' | 'question' = 'wish'): string {
  const [first] = Object.entries(lists).flatMap(([collection, { fields }]) => {
    const field = ['notes', 'price', 'date'].find((name) => !Object.hasOwn(fields, name))
    const hasRoom = Object.keys(fields).length < FIELDS_MAX
    return field !== undefined && hasRoom ? [{ field, many: namesOf(collection).many }] : []
  })
  const more = first === undefined ? '' : ` Or: Add a ${first.field} field to ${first.many}.`
  return `This ${what} needs an AI model. Connect one, or say: ${exampleFor(text, lists)}${more}\n\n${SELF_INTRODUCTION}`
}

/** Returns a reply with the reason why the build changes no file; null when it changes a file. */
export function explainNoChange(intent: Intent, lists: ScaffoldLists, text: string): string | null {
  switch (intent.kind) {
    case 'question':
      return needsModel(lists, text, 'question')
    case 'vague':
    case 'beyond':
      return needsModel(lists, text)
    case 'missing':
      return `The app has no "${intent.what}". ${listsSentence(lists)}`
    case 'there':
      return `The ${namesOf(intent.what).one} list has that already.`
    case 'last-field':
      return `The ${namesOf(intent.collection).one} list would have nothing left to fill in. To take the whole list out, say: Remove the ${namesOf(intent.collection).many}.`
    case 'which-list':
      return `Say which list, for example: Add ${labelsOf(intent.fields)} to ${namesOf(Object.keys(lists)[0] ?? '').many}. ${listsSentence(lists)}`
    case 'which-reminded':
      return `Say of which list, for example: Every Monday at 9 remind me of ${namesOf(Object.keys(lists)[0] ?? '').many}. ${listsSentence(lists)}`
    case 'which-extended': {
      const many = namesOf(Object.keys(lists)[0] ?? '').many
      const example = {
        pdf: `A PDF of each of the ${many}`,
        mail: mailExample(Object.keys(lists)[0] ?? ''),
        guard: `Protect the ${namesOf(Object.keys(lists)[0] ?? '').one} form from bots`,
        push: `Notify me when ${article(namesOf(Object.keys(lists)[0] ?? '').one)} ${namesOf(Object.keys(lists)[0] ?? '').one} comes in`,
        summary: `Summarize the ${many}`,
        limit: `Each person may add 5 ${many} a day`,
        visits: 'Count visitors',
      }[intent.is]
      return `Say of which list, for example: ${example}. ${listsSentence(lists)}`
    }
    default:
      return null
  }
}

function listsSentence(lists: ScaffoldLists): string {
  const names = Object.keys(lists).map((collection) => namesOf(collection).many)
  return names.length === 0 ? 'It has no list yet.' : `It has: ${names.join(', ')}.`
}

/** Returns the first sentences of a build's summary: what the user can do now, or what was removed. */
export function describeChange(intent: Intent): string {
  switch (intent.kind) {
    case 'lists': {
      const lists = intent.wanted.map(
        ({ collection }) => `${article(namesOf(collection).one)} ${namesOf(collection).one} list`,
      )
      const each = lists.length > 1 ? ', each' : ''
      return `Your app now has ${joinWithAnd(lists)}${each} with search, add, edit and delete. ${rulesIn(intent.wanted)}`
    }
    case 'access':
      return `${joinWithAnd(intent.collections.map((one) => `The ${namesOf(one).one} list`))}: ${ACCESS_SENTENCES[intent.access].toLowerCase()}`
    case 'more-fields': {
      const count = Object.keys(intent.fields).length
      const fields = count === 1 ? 'a new field' : `${count} new fields`
      return `The ${namesOf(intent.collection).one} list has ${fields}: ${labelsOf(intent.fields)}.`
    }
    case 'more-choices':
      return `The ${labelOf(intent.field)} of the ${namesOf(intent.collection).one} list can now also be ${joinWithAnd(intent.values)}.`
    case 'rename-field':
      return `In the ${namesOf(intent.collection).one} list, ${labelOf(intent.field)} is now called ${labelOf(intent.to)}.`
    case 'drop-fields':
      return `The ${namesOf(intent.collection).one} list no longer has ${joinWithAnd(intent.fields.map(labelOf))}; what was stored there goes too.`
    case 'remove':
      return `The ${namesOf(intent.collection).one} list is gone from the app, and its records with it.`
    case 'remind':
      return `Your app has a page "Reminders".`
    case 'extras':
      return intent.extras.map(describeExtra).join(' ')
    case 'stop':
      return `${ENDED_EXTRAS[intent.is]}.`
    case 'no-reminders':
      return 'There are no reminders any more.'
    default:
      return 'Nothing was changed.'
  }
}

export function describeExtra(extra: Extra): string {
  if (extra.is === 'visits')
    return 'The views of its pages are counted without cookies; the console shows them under Capabilities, Events.'
  const { one, many } = namesOf(extra.collection)
  if (extra.is === 'limit')
    return `Each person adds at most ${extra.count} ${extra.count === 1 ? one : many} ${WINDOW_WORDS[extra.window]}, counted from the start of it in UTC. You can change that number in the console, under Capabilities, Usage limits.`
  if (extra.is === 'guard') return `Only people add ${many}: what programs send to the form is refused.`
  if (extra.is === 'push')
    return `On the page "${sentenceCase(one)} notifications" people who are signed in have their phone or computer notified of new ${many}: up to 100 of them. On an iPhone the app must be on the home screen.`
  if (extra.is === 'mail')
    return `Each new ${one} is mailed to ${extra.to}, at most as often a day as the settings of email allow (20). Mail waits until you have verified a domain in the console, under Capabilities, Email.`
  return extra.is === 'summary'
    ? `On the page "${sentenceCase(one)} summaries" a button has ${article(one)} ${one} summarized by the AI model of the app.`
    : `On the page "${sentenceCase(many)} as PDF" a button makes ${extra.heading === null ? '' : `${article(extra.heading)} ${extra.heading.toLowerCase()} of `}${article(one)} ${one} as a PDF file.`
}

const WINDOW_WORDS = { hour: 'an hour', day: 'a day', week: 'a week', month: 'a month' }

/** What changes when an extra is removed. */
const ENDED_EXTRAS = {
  mail: 'New records are no longer mailed',
  guard: 'The form takes what programs send, too, from now on',
  push: 'There are no notifications of new records any more',
  limit: 'People add as much as they like from now on',
}

export function explainKeptExtra(
  obstacle: 'none' | 'foreign',
  { is, collections }: Extract<Intent, { kind: 'stop' }>,
  lists: ScaffoldLists,
): string {
  if (obstacle === 'none')
    return {
      mail: 'The app sends no mail about new records.',
      guard: 'No form of the app is protected from programs.',
      push: 'The app sends no notifications of new records.',
      limit: 'People may add as much as they like.',
    }[is]
  const names = joinWithAnd(collections.map((collection) => namesOf(collection).one))
  return `The ${names} list was changed since I made it. ${needsModel(lists)}`
}

const mailExample = (collection: string) => {
  const { one } = namesOf(collection)
  return `Mail shop@example.com when ${article(one)} ${one} comes in`
}

export function explainMissingExtra(obstacle: NewRecordObstacle, extra: Extra, lists: ScaffoldLists): string {
  if (extra.is === 'visits') return 'The app counts its visitors already.'
  const { one, many } = namesOf(extra.collection)
  if (obstacle === 'team') return `Each team has ${article(one)} ${one} list of its own. ${needsModel(lists)}`
  if (obstacle === 'no-address')
    return `No mail is sent yet: say to which address, for example: ${mailExample(extra.collection)}.`
  if (obstacle === 'staff') return `Only staff add ${many}, and a limit counts what others add.`
  if (obstacle === 'unlimited')
    return `A limit counts what people add who are signed in. Say first: People should sign in to add ${many}.`
  if (obstacle === 'files')
    return `People upload files to the ${one} list, and a list with files can have no limit.`
  if (obstacle === 'shut')
    return `Only people who are signed in add ${many}, so that the form needs no protection. Signing up has its own in the console, under Capabilities, Bot protection.`
  if (obstacle === 'taken')
    return 'The app has a list of watchers of its own, where mine would stand. Rename or remove that list first.'
  if (obstacle === 'own')
    return `The ${many} belong to single people, so that others are not notified of them.`
  return obstacle === 'there'
    ? `The ${one} list has that already.`
    : `The ${one} list was changed since I made it. ${needsModel(lists)}`
}

const ACCESS_SENTENCES: Record<AccessLevel, string> = {
  open: 'Anyone with the address can add, change and remove records.',
  readers: 'Anyone can read, and people who are signed in can add, change and remove records.',
  members: 'Only people who are signed in can see, add, change and remove records.',
  authors: 'People who are signed in see all records, and change and remove what they added.',
  own: 'Everyone signs in and sees only their own records.',
  team: 'People make teams on the page Teams, and the members of a team share its records.',
  staff: 'Anyone can read, and staff can add, change and remove records; appoint them in the console.',
}

/**
 * Describes who may use the new lists: one sentence when all have the same access, else one for each kind of
 * access.
 */
function rulesIn(wanted: WantedList[]): string {
  const ruled = Map.groupBy(wanted, ({ access }) => access ?? 'open')
  return [...ruled]
    .map(([access, lists]) => {
      const names = joinWithAnd(lists.map(({ collection }) => namesOf(collection).many))
      return ruled.size === 1
        ? ACCESS_SENTENCES[access]
        : `${sentenceCase(names)}: ${ACCESS_SENTENCES[access].toLowerCase()}`
    })
    .join(' ')
}

export function explainObstacle({ is, collection }: AccessObstacle, lists: ScaffoldLists): string {
  const { one, many } = namesOf(collection)
  if (is === 'unowned')
    return `The ${one} list has a limit, and while it has one it does not keep who added a record. Say first: Remove the limit of ${many}. Then say this again. Records from before that are changed by staff only.`
  return is === 'moved'
    ? `The ${one} list is there with records, and they cannot be given to single people or teams, or taken from them. Make another list instead, for example: A list of new ${many} where everyone sees only their own.`
    : `The ${one} list was changed since I made it. ${needsModel(lists)}`
}

/** Returns why a list would get too many fields, or a field too many choices; null when neither is the case. */
export function explainFullList(intent: Intent, lists: ScaffoldLists): string | null {
  if (intent.kind !== 'more-fields' && intent.kind !== 'more-choices') return null
  const { one, many } = namesOf(intent.collection)
  const { fields = {} } = lists[intent.collection] ?? {}
  const names = Object.keys(fields)
  if (intent.kind === 'more-fields') {
    const added = Object.keys(intent.fields).length
    return names.length + added <= FIELDS_MAX
      ? null
      : `The ${one} list has ${names.length} of at most ${FIELDS_MAX} fields, so it cannot get ${added} more. To make room, say for example: Remove ${labelOf(names.at(-1) ?? '')} from ${many}.`
  }
  const count = fields[intent.field]?.values?.length ?? 0
  return count + intent.values.length <= CHOICES_MAX
    ? null
    : `The ${labelOf(intent.field)} of the ${one} list has ${count} of at most ${CHOICES_MAX} choices, so it cannot get ${intent.values.length} more.`
}

/** Returns why a list cannot be made: the app already has a file at `path`, where the list would write one. */
export const explainExistingFile = (path: string, lists: ScaffoldLists): string =>
  `The app has a file ${path} already, where mine would stand. Give the list another name. ${needsModel(lists)}`

/** Returns why nothing that needs a route can be added. */
export const explainMissingRoutes = (lists: ScaffoldLists): string =>
  `The routes of the app (server/routes.ts) were changed since I made them. ${needsModel(lists)}`

/** Returns why a list cannot have files, and what to request first. */
export function explainMissingUpload(
  obstacle: NonNullable<ReturnType<typeof uploadObstacle>>,
  collection: string,
): string {
  const { one, many } = namesOf(collection)
  return obstacle === 'open'
    ? 'Only people who are signed in can upload files. Say first: People should sign in. Then say this again.'
    : `The ${one} list has a limit, and a list with a limit can have no files. Say first: Remove the limit of ${many}. Then say this again.`
}

export function describeReminder(every: string, words: string): string {
  const [, day = '', time = ''] = /^(.+?)(?: on 1)? at (.+)$/.exec(every) ?? []
  const when =
    day === 'month'
      ? 'on the first of every month'
      : `every ${day.endsWith('day') && day.length > 3 && day !== 'weekday' ? sentenceCase(day) : day}`
  return `The page "Reminders" says ${when} at ${time} which are ${words}, from the time the app is live. Nothing is sent.`
}

export function explainMissingReminder(
  obstacle: 'own' | 'taken' | 'foreign',
  collection: string,
  lists: ScaffoldLists,
): string {
  const { one } = namesOf(collection)
  if (obstacle === 'foreign')
    return `The ${one} list or its reminder was changed since I made it. ${needsModel(lists)}`
  return obstacle === 'taken'
    ? 'The app has a list of reminders of its own, where mine would stand. Rename or remove that list first.'
    : `Not everyone may read the ${one} list, so that no page can quote it to all. A reminder for single people needs an AI model.`
}

const labelOf = (field: string) => sentenceCase(field).toLowerCase()

export const labelsOf = (fields: ScaffoldFields) => joinWithAnd(Object.keys(fields).map(labelOf))

/** Joins items: `name, price and date`. */
export function joinWithAnd(items: string[]): string {
  const last = items.at(-1) ?? ''
  return items.length < 2 ? last : `${items.slice(0, -1).join(', ')} and ${last}`
}
