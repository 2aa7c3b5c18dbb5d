import { accessOf } from './access.ts'
import { type Adding, addingHandler, addingTest, readAdding } from './adding-sources.ts'
import {
  type Files,
  isOwnPage,
  type Manifest,
  pageOf,
  postingPage,
  type ToolCall,
  write,
  writeManifest,
} from './changes.ts'
import { textAfter, withRoutes } from './extra-app.ts'
import type { Extra } from './extras.ts'
import { addingNames } from './pages.ts'

/** An extra that follows a new record of a list. */
export type AddingExtra = Extract<Extra, { is: 'mail' }>
export const isAdding = (extra: Extra): extra is AddingExtra => extra.is === 'mail'

const ROUTES = 'server/routes.ts'

/**
 * Why a new record of a list cannot have this, or null. `foreign`: the rules, the page or the route of the list are not from
 * this program. `no-address`: the text does not say where mail goes.
 */
export function addingObstacle(
  files: Files,
  manifest: Manifest,
  extra: AddingExtra,
): 'there' | 'foreign' | 'no-address' | null {
  const { collection, to } = extra
  const known = addingsIn(files, manifest).get(collection)
  if (known?.mailTo === to) return 'there'
  if (to === null) return known === undefined ? 'no-address' : 'there'
  const isTaken = known === undefined && files.has(addingNames(collection).handlerPath)
  return isTaken || !isOwnPage(files, manifest, collection) ? 'foreign' : null
}

/** What follows a new record, by list. Of a list whose route or test was edited, nothing is known. */
function addingsIn(files: Files, manifest: Manifest): Map<string, Adding> {
  const addings = Object.keys(manifest.collections ?? {}).flatMap((collection) => {
    const adding = readAdding(files.get(addingNames(collection).handlerPath) ?? '')
    const sources = adding === null ? [] : filesOf(manifest, collection, adding)
    const isOurs =
      sources.length > 0 && sources.every(([path, source]) => files.get(path)?.trim() === source.trim())
    return adding !== null && isOurs ? [[collection, adding] as const] : []
  })
  return new Map(addings)
}

function filesOf(manifest: Manifest, collection: string, adding: Adding): [path: string, source: string][] {
  const list = manifest.collections?.[collection]
  const access = accessOf(list ?? {})
  if (list === undefined || access === null) return []
  const { handlerPath, testPath } = addingNames(collection)
  return [
    [handlerPath, addingHandler(collection, list.fields, adding)],
    [testPath, addingTest(collection, list.fields, access, adding)],
  ]
}

/**
 * Returns the calls of a change, extended by what follows new records: wanted things are added, the routes of a changed list
 * are updated, those of a removed list are removed.
 */
export function withAddings(
  files: Files,
  before: Manifest,
  calls: ToolCall[],
  wanted: AddingExtra[],
): ToolCall[] {
  const known = addingsIn(files, before)
  if (known.size + wanted.length === 0) return calls
  const changed = calls.findLast(({ args }) => args['path'] === 'app.json')
  const after = changed === undefined ? before : (JSON.parse(String(changed.args['content'])) as Manifest)
  const addings = new Map(
    [...known].filter(([collection]) => Object.hasOwn(after.collections ?? {}, collection)),
  )
  for (const { collection, to } of wanted) if (to !== null) addings.set(collection, { mailTo: to })
  const sources = new Map([...addings].flatMap(([collection, adding]) => filesOf(after, collection, adding)))
  const gone = [...known]
    .flatMap(([collection, adding]) => filesOf(before, collection, adding))
    .filter(([path]) => !sources.has(path))
  const routes = withRoutes(
    textAfter(files, calls, ROUTES),
    [...known.keys()].map(routeOf),
    [...addings.keys()].map(routeOf),
  )
  const fresh = [...addings.keys()].filter((collection) => !known.has(collection))
  const pages = fresh.map((collection) => postingPage(files, after, collection))
  const rewritten = new Set([ROUTES, 'app.json', ...fresh.map(pageOf)])
  const uses = [...new Set([...(after.uses ?? []), ...(wanted.length > 0 ? ['email'] : [])])]
  return [
    writeManifest({ ...after, uses }),
    ...calls.filter(({ args }) => !rewritten.has(String(args['path']))),
    ...(routes === files.get(ROUTES) ? [] : [write(ROUTES, routes)]),
    ...pages,
    ...[...sources]
      .filter(([path, source]) => files.get(path)?.trim() !== source.trim())
      .map(([path, source]) => write(path, source)),
    ...gone.map(([path]) => ({ name: 'delete_file', args: { path } })),
  ]
}

const routeOf = (collection: string) => ({
  handler: addingNames(collection).handler,
  at: `post('/${collection}'`,
})
