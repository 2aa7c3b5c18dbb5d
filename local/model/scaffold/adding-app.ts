import { accessOf, GUARDED_RULES, type Rules, RULES } from './access.ts'
import { type Adding, addingHandler, addingTest, NO_ADDING, readAdding } from './adding-sources.ts'
import {
  type Files,
  isOwnPage,
  isOwnTest,
  type Manifest,
  type ToolCall,
  withMigration,
  write,
  writeManifest,
  writePage,
  writeTest,
} from './changes.ts'
import { CAPABILITY_OF, textAfter, withRoutes } from './extra-app.ts'
import type { Extra } from './extras.ts'
import { addingNames } from './pages.ts'
import { isWatchers, WATCHERS, WATCHERS_SPEC, watchPage, withoutWatchers } from './watching-sources.ts'

/** An extra that follows a new record of a list. */
export type AddingExtra = Extract<Extra, { is: 'mail' | 'guard' | 'push' }>
export const isAdding = (extra: Extra): extra is AddingExtra =>
  extra.is === 'mail' || extra.is === 'guard' || extra.is === 'push'

const ROUTES = 'server/routes.ts'

/**
 * Why a new record of a list cannot have this, or null. `team`: each team has records of its own. `foreign`: the rules, the page, the test or the route of the list are
 * not from this program. `no-address`: the text does not say where mail goes. `shut`: visitors add no records anyway. `own`: its
 * records belong to single people. `taken`: a list of the user has the name of that of watchers.
 */
export function addingObstacle(
  files: Files,
  manifest: Manifest,
  extra: AddingExtra,
): 'there' | 'team' | 'foreign' | 'no-address' | 'shut' | 'own' | 'taken' | null {
  const { collection } = extra
  const known = addingsIn(files, manifest).get(collection)
  if (known !== undefined && has(known, extra)) return 'there'
  if (extra.is === 'mail' && extra.to === null) return 'no-address'
  const access = accessOf(manifest.collections?.[collection] ?? {})
  if (access === 'team') return 'team'
  if (extra.is === 'guard' && access !== null && access !== 'open') return 'shut'
  if (extra.is === 'push' && access === 'own') return 'own'
  if (extra.is === 'push' && isTakenByOthers(manifest)) return 'taken'
  const isTaken = known === undefined && files.has(addingNames(collection).handlerPath)
  const isOwn =
    isOwnPage(files, manifest, collection) &&
    (extra.is !== 'guard' || isOwnTest(files, manifest, collection)) &&
    (extra.is !== 'push' || !files.has(watchPage(collection).pagePath))
  return isTaken || !isOwn ? 'foreign' : null
}

function has(known: Adding, extra: AddingExtra): boolean {
  if (extra.is === 'guard') return known.isGuarded
  if (extra.is === 'push') return known.isWatched
  return known.mailTo !== null && [known.mailTo, null].includes(extra.to)
}

/** Whether a list of the user has the name of that of watchers. */
export const isTakenByOthers = ({ collections = {} }: Manifest) =>
  Object.hasOwn(withoutWatchers(collections), WATCHERS)

/** What follows a new record, by list. Of a list whose route or test was edited, nothing is known. */
function addingsIn(files: Files, manifest: Manifest): Map<string, Adding> {
  const addings = Object.keys(manifest.collections ?? {}).flatMap((collection) => {
    const adding = readAdding(files.get(addingNames(collection).handlerPath) ?? '')
    const sources = filesOf(manifest, collection, adding)
    const isOurs =
      sources.length > 0 && sources.every(([path, source]) => files.get(path)?.trim() === source.trim())
    return isOurs ? [[collection, adding] as const] : []
  })
  return new Map(addings)
}

function filesOf(manifest: Manifest, collection: string, adding: Adding): [path: string, source: string][] {
  const list = manifest.collections?.[collection]
  const access = accessOf(list ?? {})
  if (list === undefined || access === null) return []
  const { handlerPath, testPath } = addingNames(collection)
  const { pagePath, source } = watchPage(collection)
  return [
    ...(adding.isWatched ? [[pagePath, source] as [string, string]] : []),
    [handlerPath, addingHandler({ collection, fields: list.fields, access }, adding)],
    [testPath, addingTest({ collection, fields: list.fields, access }, adding)],
  ]
}

/**
 * Returns the calls of a change, extended by what follows new records: wanted things are added, the routes of a changed list
 * are updated, `stopped` ones and those of a removed list are removed.
 */
export function withAddings(
  files: Files,
  before: Manifest,
  calls: ToolCall[],
  { wanted, stopped }: { wanted: AddingExtra[]; stopped: Stop | null },
): ToolCall[] {
  const known = addingsIn(files, before)
  if (known.size + wanted.length === 0) return calls
  const changed = calls.findLast(({ args }) => args['path'] === 'app.json')
  const after = changed === undefined ? before : (JSON.parse(String(changed.args['content'])) as Manifest)
  const addings = new Map(
    [...known].filter(([collection]) => Object.hasOwn(after.collections ?? {}, collection)),
  )
  for (const extra of wanted) {
    const adding = addings.get(extra.collection) ?? NO_ADDING
    addings.set(extra.collection, { ...adding, ...moreOf(extra) })
  }
  for (const collection of stopped?.collections ?? []) {
    const rest = { ...(addings.get(collection) ?? NO_ADDING), ...(stopped !== null && OFF[stopped.is]) }
    if (isNothing(rest)) addings.delete(collection)
    else addings.set(collection, rest)
  }
  const shut = wanted.filter(({ is }) => is === 'guard').map(({ collection }) => collection)
  const isShut = (collection: string) => after.collections?.[collection]?.write === GUARDED_RULES.write
  const opened = stopped?.is === 'guard' ? stopped.collections.filter(isShut) : []
  const needed = wanted.flatMap(({ is }) => (is === 'push' ? ['auth', 'push'] : [CAPABILITY_OF[is]]))
  const uses = [...new Set([...(after.uses ?? []), ...needed])]
  const watched = [...addings].filter(([, { isWatched }]) => isWatched).map(([collection]) => collection)
  const ruled = withRules(withRules({ ...after, uses }, shut, GUARDED_RULES), opened, RULES.open)
  const next = withWatchers(ruled, [...known.keys()], watched)
  const sources = new Map([...addings].flatMap(([collection, adding]) => filesOf(next, collection, adding)))
  const gone = [...known]
    .flatMap(([collection, adding]) => filesOf(before, collection, adding))
    .filter(([path]) => !sources.has(path))
  const routes = withRoutes(
    textAfter(files, calls, ROUTES),
    [...known.keys()].map(routeOf),
    [...addings.keys()].map(routeOf),
  )
  const fresh = [...addings.keys()].filter((collection) => !known.has(collection))
  const plain = [...known.keys()].filter(
    (collection) => !addings.has(collection) && Object.hasOwn(next.collections ?? {}, collection),
  )
  const tested = [...shut, ...opened.filter((collection) => isOwnTest(files, before, collection))]
  const written = [
    writeManifest(next),
    ...(routes === files.get(ROUTES) ? [] : [write(ROUTES, routes)]),
    ...fresh.map((collection) => writePage(files, next, collection, { isPosted: true })),
    ...plain.map((collection) => writePage(files, next, collection, { isPosted: false })),
    ...tested.map((collection) => writeTest(next, collection)),
  ]
  const paths = new Set([ROUTES, ...written.map(({ args }) => args['path'])])
  return [
    ...written,
    ...calls.filter(({ args }) => !paths.has(args['path'])),
    ...[...sources]
      .filter(([path, source]) => files.get(path)?.trim() !== source.trim())
      .map(([path, source]) => write(path, source)),
    ...gone.map(([path]) => ({ name: 'delete_file', args: { path } })),
  ]
}

/** Something that follows new records, and the lists that stop it. */
interface Stop {
  is: AddingExtra['is']
  collections: string[]
}

/** Why it cannot end, or null. `none`: no list has it. `foreign`: the page or the route was edited. */
export function stopObstacle(
  files: Files,
  manifest: Manifest,
  { is, collections }: Stop,
): 'none' | 'foreign' | null {
  const known = addingsIn(files, manifest)
  const all = collections.filter((collection) => files.has(addingNames(collection).handlerPath))
  if (all.some((one) => !known.has(one) || !isOwnPage(files, manifest, one))) return 'foreign'
  return all.some((one) => !isNothing(known.get(one) ?? NO_ADDING, is)) ? null : 'none'
}

/** Whether nothing follows a new record, or not this. */
function isNothing({ mailTo, isGuarded, isWatched }: Adding, of?: AddingExtra['is']): boolean {
  const isOn = { mail: mailTo !== null, guard: isGuarded, push: isWatched }
  return of === undefined ? !Object.values(isOn).includes(true) : !isOn[of]
}

const OFF: Record<AddingExtra['is'], Partial<Adding>> = {
  mail: { mailTo: null },
  guard: { isGuarded: false },
  push: { isWatched: false },
}

/** Returns the manifest in which these lists have these rules. */
const withRules = (manifest: Manifest, lists: string[], rules: Rules): Manifest =>
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

/** Returns the manifest with a page of notifications for each of these lists, and with the list of their watchers. */
function withWatchers(manifest: Manifest, known: string[], watched: string[]): Manifest {
  const ours = new Set([...known, ...watched].map((collection) => watchPage(collection).page.file))
  const pages = [
    ...(manifest.pages ?? []).filter(({ file }) => !ours.has(file)),
    ...watched.map((collection) => watchPage(collection).page),
  ]
  const { [WATCHERS]: before, ...lists } = manifest.collections ?? {}
  if (watched.length > 0) return { ...manifest, pages, collections: { ...lists, [WATCHERS]: WATCHERS_SPEC } }
  return before !== undefined && isWatchers(before)
    ? withMigration({ ...manifest, pages, collections: lists }, WATCHERS, [{ op: 'drop' }])
    : { ...manifest, pages }
}

const moreOf = (extra: AddingExtra): Partial<Adding> =>
  extra.is === 'mail'
    ? { mailTo: extra.to }
    : extra.is === 'guard'
      ? { isGuarded: true }
      : { isWatched: true }

const routeOf = (collection: string) => ({
  handler: addingNames(collection).handler,
  at: `post('/${collection}'`,
})
