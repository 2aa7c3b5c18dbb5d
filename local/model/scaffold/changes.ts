import type { Field, Fields } from './fields.ts'
import type { Wanted } from './intent.ts'
import { EMPTY_ROUTES, namesOf, pageSource, routeSource, testSource } from './pages.ts'

/** The parts of `app.json` this program reads and writes; everything else in it is kept as it is. */
export interface Manifest {
  slipway: 1
  name: string
  uses?: string[]
  pages?: { path: string; file: string; title: string; access?: string }[]
  collections?: Record<string, { title?: string; fields: Fields; [rule: string]: unknown }>
  migrations?: { id: string; collection: string; steps: { op: string; field?: string }[] }[]
  [other: string]: unknown
}

export interface ToolCall {
  name: string
  args: Record<string, unknown>
}

export type Files = ReadonlyMap<string, string>

const write = (path: string, content: string): ToolCall => ({ name: 'write_file', args: { path, content } })

/** The writes that give an app these collections; one that exists gains the fields it lacks. */
export function addCollections(files: Files, manifest: Manifest, wanted: Wanted[]): ToolCall[] {
  const known = manifest.collections ?? {}
  const fresh = wanted.filter((item) => !Object.hasOwn(known, item.collection))
  const grown = wanted.filter((item) => Object.hasOwn(known, item.collection))
  const next: Manifest = {
    ...manifest,
    // Its first collection is what a new app is called after.
    name: Object.keys(known).length === 0 ? (wanted[0]?.title ?? manifest.name) : manifest.name,
    uses: [...new Set([...(manifest.uses ?? []), 'data'])],
    pages: fresh.reduce(addPage, manifest.pages ?? []),
    collections: { ...known },
  }
  for (const item of fresh) next.collections![item.collection] = collectionOf(item)
  for (const item of grown) {
    const before = known[item.collection]!
    next.collections![item.collection] = { ...before, fields: { ...optional(item.fields), ...before.fields } }
  }
  return [
    write('app.json', `${JSON.stringify(next, null, 2)}\n`),
    ...fresh.map((item) => write(`web/pages/${namesOf(item.collection).component}.tsx`, pageSource(item))),
    ...(fresh.length > 0 ? [addRoutes(files, fresh)] : []),
    ...fresh.map((item) => write(`tests/${item.collection}.test.ts`, testSource(item))),
    ...removeStarterPage(files, manifest, next),
  ]
}

function collectionOf(wanted: Wanted) {
  return { title: wanted.title, partition: 'app', read: 'public', write: 'public', fields: wanted.fields }
}

/** A field added to records that exist already cannot be required. */
function optional(fields: Fields): Fields {
  return Object.fromEntries(
    Object.entries(fields).map(([name, { required: _required, ...field }]) => [name, field satisfies Field]),
  )
}

/** The first collection takes the start page over from the starter, later ones get a page of their own. */
function addPage(pages: NonNullable<Manifest['pages']>, wanted: Wanted): NonNullable<Manifest['pages']> {
  const { component, path } = namesOf(wanted.collection)
  const page = { file: `${component}.tsx`, title: wanted.title }
  const hasOwnStart = pages.some((item) => item.path === '/' && item.file !== STARTER_PAGE)
  const others = pages.filter((item) => item.file !== STARTER_PAGE)
  return [...others, { path: hasOwnStart ? path : '/', ...page }]
}

const STARTER_PAGE = 'Home.tsx'

function removeStarterPage(files: Files, before: Manifest, after: Manifest): ToolCall[] {
  const path = `web/pages/${STARTER_PAGE}`
  const isUsed = (manifest: Manifest) => manifest.pages?.some((page) => page.file === STARTER_PAGE) ?? false
  return files.has(path) && isUsed(before) && !isUsed(after) ? [{ name: 'delete_file', args: { path } }] : []
}

/** Adds routes by one edit behind the Hono app; a file without one is written anew. */
function addRoutes(files: Files, wanted: Wanted[]): ToolCall {
  const path = 'server/routes.ts'
  const added = wanted.map((item) => routeSource(item.collection)).join('')
  const before = files.get(path)
  const anchor = /^export const routes = new Hono\(\)$/m.exec(before ?? '')?.[0]
  const hasData = /import \{[^}]*\bdata\b[^}]*\} from '@slipway\/app\/server'/.test(before ?? '')
  if (before === undefined || anchor === undefined || !/routes\.\w+\(/.test(before) || !hasData)
    return write(path, EMPTY_ROUTES + added + keptRoutes(before))
  return { name: 'edit_file', args: { path, old: anchor, new: `${anchor}\n${added.trimEnd()}` } }
}

/** Routes somebody wrote into a file that has to be rewritten for its imports. */
function keptRoutes(before: string | undefined): string {
  const from = before?.search(/^routes\./m) ?? -1
  return from < 0 ? '' : `\n${before!.slice(from)}`
}

/** Takes a collection out: its page, test and routes go, its records are dropped by a migration. */
export function removeCollection(files: Files, manifest: Manifest, collection: string): ToolCall[] {
  const { component } = namesOf(collection)
  const { [collection]: _gone, ...collections } = manifest.collections ?? {}
  const pages = (manifest.pages ?? []).filter((page) => page.file !== `${component}.tsx`)
  const [first] = pages
  if (first !== undefined && !pages.some((page) => page.path === '/')) first.path = '/'
  const number = String((manifest.migrations?.length ?? 0) + 1).padStart(4, '0')
  const next: Manifest = {
    ...manifest,
    pages,
    collections,
    migrations: [
      ...(manifest.migrations ?? []),
      { id: `${number}-drop-${collection.toLowerCase()}`, collection, steps: [{ op: 'drop' }] },
    ],
  }
  const gone = [`web/pages/${component}.tsx`, `tests/${collection}.test.ts`].filter((path) => files.has(path))
  const routes = files.get('server/routes.ts')
  const block = routeSource(collection).trim()
  return [
    write('app.json', `${JSON.stringify(next, null, 2)}\n`),
    ...gone.map((path) => ({ name: 'delete_file', args: { path } })),
    ...(routes?.includes(block) === true
      ? [{ name: 'edit_file', args: { path: 'server/routes.ts', old: block, new: '' } }]
      : []),
  ]
}
