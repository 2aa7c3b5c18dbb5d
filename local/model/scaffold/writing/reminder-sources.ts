import type { Field, ScaffoldFields } from '../reading/fields.ts'
import { namesOf } from '../reading/names.ts'
import { valuesOf } from './pages.ts'
import type { ReminderScope, Reminder } from '../reading/reminders.ts'
import { capitalize } from '../reading/words.ts'

export const REMINDERS_COLLECTION = 'reminders'

/** The parts of a reminder on which the source of its job and test depends. */
type ReminderParts = Pick<Reminder, 'collection' | 'about'>

const DONE_FIELD =
  /(?:^done|paid|finished|completed?|sold|read|sent|returned|delivered|collected|bought|solved|fixed|resolved|repaired|signed|taken|learned)$/i
const STATE_FIELD = /^(?:status|state|stage)$/i
const DUE_FIELD = /due|deadline|expir|return|until|renew/i
const PAST_FIELD = /^(?:last|created|added|bought|birth|since)/i

/** A condition on one field by which a reminder selects records, in words and as source text for the job. */
interface FieldCondition {
  name: string
  field: Field
  words: string
  source: string
  /** Two values of the field as source text: the first is selected by the condition, the second is not. */
  values: [picked: string, other: string]
}

/** Returns the conditions by which a reminder selects records: not done, date has come, both or none, as far as the list has fields. */
function conditionsOf(fields: ScaffoldFields, about: ReminderScope | null): FieldCondition[] {
  const all = Object.entries(fields)
  const open = all.find(([name, field]) => isDoneField(name, field))
  const dates = all.filter(([name, { type }]) => type === 'date' && !PAST_FIELD.test(name))
  const due = dates.find(([name]) => DUE_FIELD.test(name)) ?? (about === 'due' ? dates[0] : undefined)
  const isDue = due !== undefined && (about === 'due' || (about === null && open === undefined))
  return [
    ...(open !== undefined && about !== 'all' ? [openCondition(open)] : []),
    ...(isDue ? [dueCondition(due)] : []),
  ]
}

const isDoneField = (name: string, { type, values = [] }: Field) =>
  (type === 'boolean' && DONE_FIELD.test(name)) ||
  (type === 'enum' && STATE_FIELD.test(name) && values.length > 1)

function openCondition([name, field]: [string, Field]): FieldCondition {
  if (field.type === 'boolean')
    return {
      name,
      field,
      words: `that are not ${toSpacedWords(name)}`,
      source: `!record.${name}`,
      values: ['false', 'true'],
    }
  const [first, last] = [field.values?.[0], field.values?.at(-1)].map((value) => quoteText(value ?? ''))
  return {
    name,
    field,
    words: `that are not ${field.values?.at(-1)}`,
    source: `record.${name} !== ${last}`,
    values: [first ?? '', last ?? ''],
  }
}

const dueCondition = ([name, field]: [string, Field]): FieldCondition => ({
  name,
  field,
  words: `whose ${toSpacedWords(name)} has come`,
  source: `record.${name} !== null && record.${name}.slice(0, 10) <= today`,
  values: ["'2026-01-31'", "'2026-02-28'"],
})

const toSpacedWords = (field: string) => field.replaceAll(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`)
const quoteText = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`

/** Describes the selected records: `the tasks that are not done`. */
export function selectionPhrase(fields: ScaffoldFields, { collection, about }: ReminderParts): string {
  const conditions = conditionsOf(fields, about).map(({ words }) => words)
  return ['the', namesOf(collection).many, conditions.join(' and ')].filter((part) => part !== '').join(' ')
}

/** The name of the job of a reminder in `server/jobs/`, which is also the name of its schedule. */
export const jobOf = (collection: string) => `remind${capitalize(collection)}`
export const jobPath = (collection: string) => `server/jobs/${jobOf(collection)}.ts`
export const testPath = (collection: string) => `tests/${jobOf(collection)}.test.ts`

/**
 * Returns the source of a job that stores the selected records as the current reminder of the list, in place
 * of the previous one.
 */
export function jobSource(fields: ScaffoldFields, { collection, about }: ReminderParts): string {
  const conditions = conditionsOf(fields, about)
  const words = selectionPhrase(fields, { collection, about })
  const needsToday = conditions.some(({ source }) => source.includes('today'))
  const [label, field] = identifyingFieldOf(fields)
  const text = field.required === true && field.type === 'text'
  const name = `${text ? `record.${label}` : `String(record.${label} ?? 'no ${toSpacedWords(label)}')`}${field.as === 'long' ? '.slice(0, 100)' : ''}`
  const push = `names.push(${name})`
  const test = conditions.map(({ source }) => source)
  return `import { data, type JobHandler } from '@slipway/app/server'

const NAMED_MAX = 20

/** Writes down ${words}. A run that is repeated writes the same again. */
const ${jobOf(collection)}: JobHandler = async (${needsToday ? '_, { scheduledAt }' : ''}) => {
${needsToday ? '  const today = scheduledAt.slice(0, 10)\n' : ''}  const names: string[] = []
  for await (const record of data.system.all('${collection}'))${
    test.length === 0
      ? ` ${push}`
      : `
    if (${test.join(' && ')}) ${push}`
  }
  const more = names.length > NAMED_MAX ? \` and \${names.length - NAMED_MAX} more\` : ''
  await data.system.upsert('${REMINDERS_COLLECTION}', 'list', {
    list: '${collection}',
    about: ${quoteText(capitalize(words))},
    count: names.length,
    which: names.length === 0 ? 'None' : names.slice(0, NAMED_MAX).join(', ') + more,
  })
}

export default ${jobOf(collection)}
`
}

/** Returns the field that names a record: a required text, else a short text, else the first field. */
export function identifyingFieldOf(fields: ScaffoldFields): [name: string, field: Field] {
  const all = Object.entries(fields)
  const text = all.find(([, { type, required }]) => type === 'text' && required === true)
  const found = text ?? all.find(([, { type, as }]) => type === 'text' && as !== 'long') ?? all[0]
  if (found === undefined) throw new Error('a list has a field')
  return found
}

/** Returns a test of the app: of two records, the job counts exactly the one that the reminder selects. */
export function reminderTest(fields: ScaffoldFields, { collection, about }: ReminderParts): string {
  const conditions = conditionsOf(fields, about)
  const records = [0, 1].map((which) => {
    const picked = conditions.map(({ name, values }) => [name, values[which]])
    const required = Object.entries(fields)
      .filter(([name, field]) => field.required === true && !conditions.some((one) => one.name === name))
      .map(([name, field]) => [name, valuesOf(field)?.[which]])
    return `await app.system.create('${collection}', { ${[...required, ...picked].map(([name, value]) => `${name}: ${value}`).join(', ')} })`
  })
  const title = `the reminder counts ${selectionPhrase(fields, { collection, about }).replaceAll("'", '’')}`
  return `import { app, expect, test } from '@slipway/app/testing'

test(${quoteText(title)}, async () => {
  const count = async () => {
    await app.runJob('${jobOf(collection)}', null, { at: new Date('2026-02-10T09:00:00Z') })
    const { items } = await app.system.list('${REMINDERS_COLLECTION}', { where: { list: '${collection}' } })
    return items[0]?.count ?? 0
  }
  const before = await count()
  const records = [
    ${records.join(',\n    ')},
  ]
  expect(await count()).toBe(before + ${conditions.length === 0 ? 2 : 1})
  // The tests of an app share its records.
  for (const { id } of records) await app.system.remove('${collection}', id)
})
`
}

export const REMINDERS_PAGE = `import { EmptyState, Page, RecordList } from '@slipway/app/react'

export default function Reminders() {
  return (
    <Page title="Reminders">
      <RecordList
        collection="${REMINDERS_COLLECTION}"
        columns={['about', 'count', 'which']}
        title={(reminder) => reminder.about}
        empty={<EmptyState title="No reminders yet">They appear here at the time you set.</EmptyState>}
      />
    </Page>
  )
}
`
