import { type AppFiles, removeCollection, writeManifest } from './changes.ts'
import { type ScaffoldManifest, manifestAfter, manifestCall } from './manifest.ts'
import { type ToolCall, writeFileCall } from './tool-call.ts'
import { hasPlainField, type ScaffoldFields } from '../reading/fields.ts'
import {
  jobOf,
  jobPath,
  jobSource,
  REMINDERS_COLLECTION,
  REMINDERS_PAGE,
  reminderTest,
  testPath,
} from './reminder-sources.ts'
import type { ReminderScope, Reminder } from '../reading/reminders.ts'

const PAGE_NAME = 'Reminders.tsx'
const REMINDER_FIELDS: ScaffoldFields = {
  list: { type: 'text', required: true, unique: true, max: 60 },
  about: { type: 'text', required: true, max: 200 },
  count: { type: 'number' },
  which: { type: 'text', as: 'long', max: 5000 },
}

const isOurs = ({ fields }: { fields: ScaffoldFields }) =>
  Object.keys(fields).join() === Object.keys(REMINDER_FIELDS).join()

/** Returns the user's lists, without the list in which the scaffold stores reminders. */
export const withoutReminders = <List extends { fields: ScaffoldFields }>(
  lists: Record<string, List>,
): Record<string, List> =>
  Object.fromEntries(
    Object.entries(lists).filter(([key, list]) => key !== REMINDERS_COLLECTION || !isOurs(list)),
  )

/**
 * Returns the reason why an app cannot have a reminder of a list; null when it can. `own`: not everyone may read the list. `taken`: another
 * list has the name of the collection that stores reminders. `foreign`: the list has only fields that the scaffold does not write, or its
 * reminder's job or test was edited.
 */
export function reminderObstacle(
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
): 'own' | 'taken' | 'foreign' | null {
  const { [collection]: list, [REMINDERS_COLLECTION]: reminders } = manifest.collections ?? {}
  if (reminders !== undefined && !isOurs(reminders)) return 'taken'
  if (list?.read !== 'public' && list?.read !== 'members') return 'own'
  if (!hasPlainField(list.fields)) return 'foreign'
  const scope = scopeOfJob(files, list.fields, collection)
  const test = files.get(testPath(collection))?.trim()
  const isOwn =
    (scope !== undefined || !files.has(jobPath(collection))) &&
    (test === undefined || test === reminderTest(list.fields, { collection, about: scope ?? null }).trim())
  return isOwn ? null : 'foreign'
}

const REMINDER_SCOPES: (ReminderScope | null)[] = ['open', 'due', 'all', null]

/** Returns what the reminder of a list is about; undefined without a job or when the job was edited. */
function scopeOfJob(
  files: AppFiles,
  fields: ScaffoldFields,
  collection: string,
): ReminderScope | null | undefined {
  const file = files.get(jobPath(collection))?.trim()
  return REMINDER_SCOPES.find((about) => jobSource(fields, { collection, about }).trim() === file)
}

/** Returns the app's reminders. Omits reminders whose job was edited. */
function remindersIn(files: AppFiles, { schedules = [], collections = {} }: ScaffoldManifest): Reminder[] {
  return schedules.flatMap(({ handler, every }) => {
    const collection = Object.keys(collections).find((name) => jobOf(name) === handler)
    const fields = collections[collection ?? '']?.fields
    if (collection === undefined || fields === undefined || every === undefined) return []
    const about = scopeOfJob(files, fields, collection)
    return about === undefined ? [] : [{ collection, every, about }]
  })
}

/**
 * Returns the tool calls that change an app, extended by those for reminders. `wanted` is added and replaces an earlier reminder of its
 * list; with `none` all reminders are removed. The reminder of a changed list is rewritten, and the reminder of a removed list is deleted.
 */
export function withReminders(
  files: AppFiles,
  before: ScaffoldManifest,
  calls: ToolCall[],
  wanted: Reminder | 'none' | null,
): ToolCall[] {
  const known = remindersIn(files, before)
  if (known.length === 0 && (wanted === null || wanted === 'none')) return calls
  const changed = manifestCall(calls)
  const after = manifestAfter(before, calls)
  const lists = after.collections ?? {}
  const kept = wanted === 'none' ? [] : known.filter(({ collection }) => Object.hasOwn(lists, collection))
  const reminders =
    wanted === null || wanted === 'none'
      ? kept
      : [...kept.filter(({ collection }) => collection !== wanted.collection), wanted]
  const gone = known.filter(({ collection }) => !reminders.some((one) => one.collection === collection))
  const sources = reminders.flatMap((one) => {
    const { fields = {} } = lists[one.collection] ?? {}
    return [
      writeFileCall(jobPath(one.collection), jobSource(fields, one)),
      writeFileCall(testPath(one.collection), reminderTest(fields, one)),
    ]
  })
  const others = [
    ...calls.filter((call) => call !== changed),
    ...sources.filter(
      ({ args }) => files.get(String(args['path']))?.trim() !== String(args['content']).trim(),
    ),
    ...gone
      .flatMap(({ collection }) => [jobPath(collection), testPath(collection)])
      .filter((path) => files.has(path))
      .map((path) => ({ name: 'delete_file', args: { path } })),
  ]
  const next = withSchedules(after, known, reminders)
  if (reminders.length === 0) return [...removeCollection(files, next, REMINDERS_COLLECTION), ...others]
  const page = files.has(`web/pages/${PAGE_NAME}`)
    ? []
    : [writeFileCall(`web/pages/${PAGE_NAME}`, REMINDERS_PAGE)]
  return [writeManifest(withReminderList(next, reminders)), ...others, ...page]
}

/** Replaces the schedules of reminders and keeps all other schedules. */
function withSchedules(
  manifest: ScaffoldManifest,
  known: Reminder[],
  reminders: Reminder[],
): ScaffoldManifest {
  const ours = new Set([...known, ...reminders].map(({ collection }) => jobOf(collection)))
  const schedules = [
    ...(manifest.schedules ?? []).filter(({ handler }) => !ours.has(handler)),
    ...reminders.map(({ collection, every }) => ({
      name: jobOf(collection),
      every,
      handler: jobOf(collection),
    })),
  ]
  const uses = (manifest.uses ?? []).filter((key) => key !== 'schedule')
  const { schedules: _before, ...rest } = manifest
  return schedules.length === 0 ? { ...rest, uses } : { ...rest, uses: [...uses, 'schedule'], schedules }
}

/**
 * Adds the list and the page of reminders. A reminder contains text of records, so the list is public only
 * when all lists with a reminder are public.
 */
function withReminderList(manifest: ScaffoldManifest, reminders: Reminder[]): ScaffoldManifest {
  const { collections = {}, pages = [] } = manifest
  const isPublic = reminders.every(({ collection }) => collections[collection]?.read === 'public')
  const page = {
    path: '/reminders',
    file: PAGE_NAME,
    title: 'Reminders',
    ...(!isPublic && { access: 'members' }),
  }
  const list = {
    title: 'Reminders',
    partition: 'app',
    read: isPublic ? 'public' : 'members',
    write: 'nobody',
    fields: REMINDER_FIELDS,
  }
  return {
    ...manifest,
    pages: [...pages.filter(({ file }) => file !== PAGE_NAME), page],
    collections: { ...collections, [REMINDERS_COLLECTION]: list },
  }
}
