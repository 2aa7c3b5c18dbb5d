import {
  accessIn,
  accessWithRules,
  GUARDED_RULES,
  isLimitable,
  limitedRules,
  meterOf,
  type Rules,
  ACCESS_RULES,
} from '../reading/access.ts'
import {
  type NewRecordExtras,
  addRouteSource,
  addRouteTest,
  NO_NEW_RECORD_EXTRAS,
  parseNewRecordExtras,
} from './new-record-sources.ts'
import {
  type AppFiles,
  isOwnPage,
  isOwnTest,
  withMigration,
  writeManifest,
  writePage,
  writeTest,
} from './changes.ts'
import { type ScaffoldManifest, manifestAfter } from './manifest.ts'
import { CAPABILITY_OF, type HandlerRoute, fileTextAfter, withRoutes } from './extra-app.ts'
import type { Extra } from '../reading/extras.ts'
import { type ToolCall, writeFileCall } from './tool-call.ts'
import { hasFile } from '../reading/fields.ts'
import type { Limit } from '../reading/limits.ts'
import { addRouteNames } from './pages.ts'
import {
  isWatcherList,
  WATCHERS_COLLECTION,
  WATCHERS_SPEC,
  watchPage,
  withoutWatchers,
} from './watching-sources.ts'

export type NewRecordExtra = Extract<Extra, { is: 'mail' | 'guard' | 'push' | 'limit' }>
export const isNewRecordExtra = (extra: Extra): extra is NewRecordExtra =>
  extra.is === 'mail' || extra.is === 'guard' || extra.is === 'push' || extra.is === 'limit'

const ROUTES_FILE = 'server/routes.ts'

/**
 * Why a collection cannot get an extra for new records: a mail, a notification, a bot check or a limit per person.
 * `newRecordObstacle` explains the values.
 */
export type NewRecordObstacle =
  | 'there'
  | 'team'
  | 'foreign'
  | 'no-address'
  | 'shut'
  | 'own'
  | 'taken'
  | 'unlimited'
  | 'staff'
  | 'files'

/**
 * Returns the reason why a collection cannot get this extra for its new records; null when it can. `there`: the collection
 * has it already. `team`: each team has separate records. `foreign`: the page, test or route of the collection was edited.
 * `no-address`: the request does not say where mail is sent. `shut`: visitors cannot add records, so no bot check is needed. `own`: each
 * person has separate records. `taken`: the user has a collection with the name of the collection for subscribers.
 * `unlimited`: visitors are anonymous, so records cannot be counted per person. `staff`: only staff add records, and limits do not apply
 * to staff. `files`: the route of a collection with a limit would not check that the files of a record belong to the person who adds it.
 */
export function newRecordObstacle(
  files: AppFiles,
  manifest: ScaffoldManifest,
  extra: NewRecordExtra,
): NewRecordObstacle | null {
  const { collection } = extra
  const known = newRecordExtrasIn(files, manifest).get(collection)
  if (known !== undefined && hasExtra(known, extra)) return 'there'
  if (extra.is === 'mail' && extra.to === null) return 'no-address'
  const access = accessIn(manifest, collection)
  if (access === 'team') return 'team'
  if (extra.is === 'limit' && access === 'staff') return 'staff'
  if (extra.is === 'limit' && access !== null && !isLimitable(access)) return 'unlimited'
  if (extra.is === 'limit' && hasFile(manifest.collections?.[collection]?.fields ?? {})) return 'files'
  if (extra.is === 'guard' && access !== null && access !== 'open') return 'shut'
  if (extra.is === 'push' && access === 'own') return 'own'
  if (extra.is === 'push' && isTakenByOthers(manifest)) return 'taken'
  const { handlerPath, testPath } = addRouteNames(collection)
  const isTaken = known === undefined && [handlerPath, testPath].some((path) => files.has(path))
  const isOwn =
    isOwnPage(files, manifest, collection) &&
    ((extra.is !== 'guard' && extra.is !== 'limit') || isOwnTest(files, manifest, collection)) &&
    (extra.is !== 'push' || !files.has(watchPage(collection).pagePath))
  return isTaken || !isOwn ? 'foreign' : null
}

function hasExtra(known: NewRecordExtras, extra: NewRecordExtra): boolean {
  if (extra.is === 'guard') return known.isGuarded
  if (extra.is === 'push') return known.isWatched
  if (extra.is === 'limit') return known.limit?.count === extra.count && known.limit.window === extra.window
  return known.mailTo !== null && [known.mailTo, null].includes(extra.to)
}

export const isTakenByOthers = ({ collections = {} }: ScaffoldManifest) =>
  Object.hasOwn(withoutWatchers(collections), WATCHERS_COLLECTION)

/**
 * Returns the extras of each collection: mail, notification, bot check and limit. Omits collections whose route, test or notification page
 * was edited, because such files cannot be rewritten.
 */
function newRecordExtrasIn(files: AppFiles, manifest: ScaffoldManifest): Map<string, NewRecordExtras> {
  const extrasByCollection = Object.keys(manifest.collections ?? {}).flatMap((collection) => {
    const extras = {
      ...parseNewRecordExtras(files.get(addRouteNames(collection).handlerPath) ?? ''),
      limit: limitOfCollection(manifest, collection),
    }
    const sources = newRecordFiles(manifest, collection, extras)
    const isOurs =
      sources.length > 0 && sources.every(([path, source]) => files.get(path)?.trim() === source.trim())
    return isOurs ? [[collection, extras] as const] : []
  })
  return new Map(extrasByCollection)
}

/** Returns true when the route that adds records to the collection is missing or unedited. */
export const hasUneditedAddRoute = (
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
): boolean =>
  !files.has(addRouteNames(collection).handlerPath) || newRecordExtrasIn(files, manifest).has(collection)

function newRecordFiles(
  manifest: ScaffoldManifest,
  collection: string,
  extras: NewRecordExtras,
): [path: string, source: string][] {
  const list = manifest.collections?.[collection]
  const access = accessIn(manifest, collection)
  if (list === undefined || access === null) return []
  const { handlerPath, testPath } = addRouteNames(collection)
  const { pagePath, source } = watchPage(collection)
  const pages: [path: string, source: string][] = extras.isWatched ? [[pagePath, source]] : []
  return [
    ...pages,
    [handlerPath, addRouteSource({ collection, fields: list.fields, access }, extras)],
    [testPath, addRouteTest({ collection, fields: list.fields, access }, extras)],
  ]
}

/**
 * Returns the tool calls that change an app, extended by calls for the extras of new records. Adds the `wanted` extras, rewrites the routes
 * of a changed collection, and removes the `stopped` extras and all extras of a removed collection.
 */
export function withNewRecordExtras(
  files: AppFiles,
  before: ScaffoldManifest,
  calls: ToolCall[],
  { wanted, stopped }: { wanted: NewRecordExtra[]; stopped: NewRecordExtraRemoval | null },
): ToolCall[] {
  const known = newRecordExtrasIn(files, before)
  if (known.size + wanted.length === 0) return calls
  const after = manifestAfter(before, calls)
  const extrasByCollection = new Map(
    [...known].filter(([collection]) => Object.hasOwn(after.collections ?? {}, collection)),
  )
  for (const extra of wanted) {
    const extras = extrasByCollection.get(extra.collection) ?? NO_NEW_RECORD_EXTRAS
    extrasByCollection.set(extra.collection, { ...extras, ...asNewRecordExtras(extra) })
  }
  for (const collection of stopped?.collections ?? []) {
    const rest = {
      ...(extrasByCollection.get(collection) ?? NO_NEW_RECORD_EXTRAS),
      ...(stopped !== null && WITHOUT_EXTRA[stopped.is]),
    }
    if (hasNoExtra(rest)) extrasByCollection.delete(collection)
    else extrasByCollection.set(collection, rest)
  }
  for (const [collection, extras] of extrasByCollection) {
    // Remove the limit when the collection's new access allows no limit.
    if (extras.limit === null || isLimitable(writableAccess(after, collection))) continue
    if (hasNoExtra({ ...extras, limit: null })) extrasByCollection.delete(collection)
    else extrasByCollection.set(collection, { ...extras, limit: null })
  }
  const shut = wanted.filter(({ is }) => is === 'guard').map(({ collection }) => collection)
  const isShut = (collection: string) => after.collections?.[collection]?.write === GUARDED_RULES.write
  const opened = stopped?.is === 'guard' ? stopped.collections.filter(isShut) : []
  const needed = wanted.flatMap(({ is }) =>
    is === 'push' || is === 'limit' ? ['auth', CAPABILITY_OF[is]] : [CAPABILITY_OF[is]],
  )
  const uses = [...new Set([...(after.uses ?? []), ...needed])]
  const watched = [...extrasByCollection]
    .filter(([, { isWatched }]) => isWatched)
    .map(([collection]) => collection)
  const ruled = withRules(withRules({ ...after, uses }, shut, GUARDED_RULES), opened, ACCESS_RULES.open)
  const next = withLimits(withWatchers(ruled, [...known.keys()], watched), known, extrasByCollection)
  const sources = new Map(
    [...extrasByCollection].flatMap(([collection, extras]) => newRecordFiles(next, collection, extras)),
  )
  const gone = [...known]
    .flatMap(([collection, extras]) => newRecordFiles(before, collection, extras))
    .filter(([path]) => !sources.has(path))
  const routes = withRoutes(
    fileTextAfter(files, calls, ROUTES_FILE),
    [...known].flatMap(routesOf),
    [...extrasByCollection].flatMap(routesOf),
  )
  const fresh = [...extrasByCollection.keys()].filter(
    (collection) => !known.has(collection) || isLimitTurned(known, extrasByCollection, collection),
  )
  const plain = [...known.keys()].filter(
    (collection) => !extrasByCollection.has(collection) && Object.hasOwn(next.collections ?? {}, collection),
  )
  // The collections that get or lose a limit. Their tests are rewritten, because a limit lets only routes of the app change and remove
  // records.
  const turned = [...new Set([...known.keys(), ...extrasByCollection.keys()])].filter(
    (collection) =>
      Object.hasOwn(next.collections ?? {}, collection) &&
      isLimitTurned(known, extrasByCollection, collection),
  )
  const tested = [...turned, ...shut, ...opened.filter((collection) => isOwnTest(files, before, collection))]
  const written = [
    writeManifest(next),
    ...(routes === files.get(ROUTES_FILE) ? [] : [writeFileCall(ROUTES_FILE, routes)]),
    ...fresh.map((collection) => writePage(files, next, collection, { isPosted: true })),
    ...plain.map((collection) => writePage(files, next, collection, { isPosted: false })),
    ...tested.map((collection) => writeTest(next, collection)),
  ]
  const paths = new Set([ROUTES_FILE, ...written.map(({ args }) => args['path'])])
  return [
    ...written,
    ...calls.filter(({ args }) => !paths.has(args['path'])),
    ...[...sources]
      .filter(([path, source]) => files.get(path)?.trim() !== source.trim())
      .map(([path, source]) => writeFileCall(path, source)),
    ...gone.map(([path]) => ({ name: 'delete_file', args: { path } })),
  ]
}

interface NewRecordExtraRemoval {
  is: NewRecordExtra['is']
  collections: string[]
}

/**
 * Returns the reason why an extra cannot be removed; null when it can. `none`: no collection has the extra. `foreign`: the
 * page or the route was edited.
 */
export function stopObstacle(
  files: AppFiles,
  manifest: ScaffoldManifest,
  { is, collections }: NewRecordExtraRemoval,
): 'none' | 'foreign' | null {
  const known = newRecordExtrasIn(files, manifest)
  const all = collections.filter((collection) => files.has(addRouteNames(collection).handlerPath))
  if (all.some((one) => !known.has(one) || !isOwnPage(files, manifest, one))) return 'foreign'
  return all.some((one) => !hasNoExtra(known.get(one) ?? NO_NEW_RECORD_EXTRAS, is)) ? null : 'none'
}

/** Returns whether the collection has no extras. With `of`, checks only that extra. */
function hasNoExtra(
  { mailTo, isGuarded, isWatched, limit }: NewRecordExtras,
  of?: NewRecordExtra['is'],
): boolean {
  const isOn = { mail: mailTo !== null, guard: isGuarded, push: isWatched, limit: limit !== null }
  return of === undefined ? !Object.values(isOn).includes(true) : !isOn[of]
}

const WITHOUT_EXTRA: Record<NewRecordExtra['is'], Partial<NewRecordExtras>> = {
  mail: { mailTo: null },
  guard: { isGuarded: false },
  push: { isWatched: false },
  limit: { limit: null },
}

/** Returns the manifest in which these collections have the given rules. */
const withRules = (manifest: ScaffoldManifest, lists: string[], rules: Rules): ScaffoldManifest =>
  lists.reduce(
    (app, collection) => ({
      ...app,
      collections: {
        ...app.collections,
        [collection]: { fields: {}, ...app.collections?.[collection], ...rules },
      },
    }),
    manifest,
  )

/**
 * Adds a page for each collection in `watched`, on which people turn on notifications, and one collection (`watchers`) that stores who has
 * turned notifications on. Removes these pages from other collections, and `watchers` when no page is left.
 */
function withWatchers(manifest: ScaffoldManifest, known: string[], watched: string[]): ScaffoldManifest {
  const ours = new Set([...known, ...watched].map((collection) => watchPage(collection).page.file))
  const pages = [
    ...(manifest.pages ?? []).filter(({ file }) => !ours.has(file)),
    ...watched.map((collection) => watchPage(collection).page),
  ]
  const { [WATCHERS_COLLECTION]: before, ...lists } = manifest.collections ?? {}
  if (watched.length > 0)
    return { ...manifest, pages, collections: { ...lists, [WATCHERS_COLLECTION]: WATCHERS_SPEC } }
  return before !== undefined && isWatcherList(before)
    ? withMigration({ ...manifest, pages, collections: lists }, WATCHERS_COLLECTION, [{ op: 'drop' }])
    : { ...manifest, pages }
}

function asNewRecordExtras(extra: NewRecordExtra): Partial<NewRecordExtras> {
  switch (extra.is) {
    case 'mail':
      return { mailTo: extra.to }
    case 'guard':
      return { isGuarded: true }
    case 'push':
      return { isWatched: true }
    case 'limit':
      return { limit: { count: extra.count, window: extra.window } }
  }
}

function routesOf([collection, { limit }]: [string, NewRecordExtras]): HandlerRoute[] {
  const { handler, changer, remover } = addRouteNames(collection)
  const add = { handler, at: `post('/${collection}'` }
  if (limit === null) return [add]
  return [
    add,
    { handler: changer, file: handler, at: `patch('/${collection}/:id'` },
    { handler: remover, file: handler, at: `delete('/${collection}/:id'` },
  ]
}

/** Returns how many records a person may add to a collection per time window, as its meter in `app.json` says; null without a meter. */
function limitOfCollection({ meters = [] }: ScaffoldManifest, collection: string): Limit | null {
  const meter = meters.find(({ key }) => key === meterOf(collection))
  return meter === undefined ? null : { count: meter.limit, window: meter.window as Limit['window'] }
}

/**
 * Returns the access of a collection; null for rules that the scaffold does not write. During a change, the rules and the limit of a
 * collection can contradict each other; then only the rules count.
 */
const writableAccess = (manifest: ScaffoldManifest, collection: string) =>
  accessIn(manifest, collection) ?? accessWithRules(manifest.collections?.[collection] ?? {})

type NewRecordExtrasByKey = ReadonlyMap<string, NewRecordExtras>

const isLimitTurned = (
  before: NewRecordExtrasByKey,
  after: NewRecordExtrasByKey,
  collection: string,
): boolean =>
  ((before.get(collection)?.limit ?? null) === null) !== ((after.get(collection)?.limit ?? null) === null)

/**
 * Adds a `meters` entry of `app.json` for each limit, and rules under which only routes of the app write. A collection that lost its
 * limit gets its normal rules again.
 */
function withLimits(
  manifest: ScaffoldManifest,
  before: NewRecordExtrasByKey,
  after: NewRecordExtrasByKey,
): ScaffoldManifest {
  const lists = [...new Set([...before.keys(), ...after.keys()])].filter(
    (collection) => before.get(collection)?.limit ?? after.get(collection)?.limit,
  )
  if (lists.length === 0) return manifest
  const ours = new Set(lists.map(meterOf))
  const meters = [
    ...(manifest.meters ?? []).filter(({ key }) => !ours.has(key)),
    ...[...after].flatMap(([collection, { limit }]) =>
      limit === null
        ? []
        : [{ key: meterOf(collection), per: 'user', window: limit.window, limit: limit.count }],
    ),
  ]
  const ruled = lists.reduce((app, collection) => {
    const access = writableAccess(manifest, collection)
    if (access === null || app.collections?.[collection] === undefined) return app
    const has = (after.get(collection)?.limit ?? null) !== null
    // Keep rules that another change gave the collection.
    if (!has && accessIn(manifest, collection) === null) return app
    return withRules(app, [collection], has ? limitedRules(access) : ACCESS_RULES[access])
  }, manifest)
  const { meters: _before, ...rest } = ruled
  return meters.length === 0 ? rest : { ...rest, meters }
}
