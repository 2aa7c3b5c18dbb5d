import type { Fields } from './fields.ts'
import type { Wanted } from './lists.ts'
import { EMPTY_PAGE, EMPTY_ROUTES, NO_ROUTES, namesOf, pageSource, routeSource, testSource } from './pages.ts'

/** The parts of `app.json` that this program reads and writes. Everything else in it is kept. */
export interface Manifest {
  slipway: 1
  name: string
  uses?: string[]
  pages?: { path: string; file: string; title: string; access?: string }[]
  collections?: Record<string, { title?: string; fields: Fields; [rule: string]: unknown }>
  migrations?: { id: string; collection: string; steps: { op: string; field?: string; to?: string }[] }[]
  [other: string]: unknown
}

export interface ToolCall {
  name: string
  args: Record<string, unknown>
}

export type Files = ReadonlyMap<string, string>

const write = (path: string, content: string): ToolCall => ({ name: 'write_file', args: { path, content } })

/** Returns the writes that add these lists, which the app does not have yet. */
export function addCollections(files: Files, manifest: Manifest, wanted: Wanted[]): ToolCall[] {
  const known = manifest.collections ?? {}
  const next: Manifest = {
    ...manifest,
    // A new app is named after its first collection.
    name: Object.keys(known).length === 0 ? (wanted[0]?.title ?? manifest.name) : manifest.name,
    uses: [...new Set([...(manifest.uses ?? []), 'data'])],
    pages: wanted.reduce(addPage, manifest.pages ?? []),
    collections: {
      ...known,
      ...Object.fromEntries(wanted.map((item) => [item.collection, collectionOf(item)])),
    },
  }
  return [
    writeManifest(next),
    ...wanted.map((item) => write(`web/pages/${namesOf(item.collection).component}.tsx`, pageSource(item))),
    addRoutes(files, wanted),
    ...wanted.map(({ collection, fields }) => writeTest(collection, fields)),
    ...removeStarterPage(files, manifest, next),
  ]
}

/** Adds fields to an existing list, after its own. */
export function addFields(manifest: Manifest, collection: string, fields: Fields): ToolCall[] {
  return [writeManifest(withFields(manifest, collection, { ...fieldsOf(manifest, collection), ...fields }))]
}

/** Adds values to an existing choice, after its own. */
export function addChoices(
  manifest: Manifest,
  collection: string,
  name: string,
  values: string[],
): ToolCall[] {
  const before = fieldsOf(manifest, collection)
  const field = {
    ...before[name],
    type: 'enum' as const,
    values: [...(before[name]?.values ?? []), ...values],
  }
  return [writeManifest(withFields(manifest, collection, { ...before, [name]: field }))]
}

/** Renames a field; a migration keeps the values in records. */
export function renameField(manifest: Manifest, collection: string, field: string, to: string): ToolCall[] {
  const fields = Object.fromEntries(
    Object.entries(fieldsOf(manifest, collection)).map(([name, value]) => [
      name === field ? to : name,
      value,
    ]),
  )
  const next = withFields(manifest, collection, fields)
  return [
    writeManifest(withMigration(next, collection, [{ op: 'rename', field, to }])),
    writeTest(collection, fields),
  ]
}

/** Removes fields; a migration drops the values in records. */
export function dropFields(manifest: Manifest, collection: string, names: string[]): ToolCall[] {
  const fields = Object.fromEntries(
    Object.entries(fieldsOf(manifest, collection)).filter(([name]) => !names.includes(name)),
  )
  const steps = names.map((field) => ({ op: 'drop', field }))
  const next = withFields(manifest, collection, fields)
  return [writeManifest(withMigration(next, collection, steps)), writeTest(collection, fields)]
}

const writeManifest = (manifest: Manifest) => write('app.json', `${JSON.stringify(manifest, null, 2)}\n`)
const writeTest = (collection: string, fields: Fields) =>
  write(`tests/${collection}.test.ts`, testSource(collection, fields))
const fieldsOf = (manifest: Manifest, collection: string): Fields =>
  manifest.collections?.[collection]?.fields ?? {}

const withFields = (manifest: Manifest, collection: string, fields: Fields): Manifest => ({
  ...manifest,
  collections: { ...manifest.collections, [collection]: { ...manifest.collections?.[collection], fields } },
})

type Steps = NonNullable<Manifest['migrations']>[number]['steps']

function withMigration(manifest: Manifest, collection: string, steps: Steps): Manifest {
  const before = manifest.migrations ?? []
  const number = String(before.length + 1).padStart(4, '0')
  const id = `${number}-${steps[0]?.op}-${collection.toLowerCase()}`
  return { ...manifest, migrations: [...before, { id, collection, steps }] }
}

function collectionOf(wanted: Wanted) {
  return { title: wanted.title, partition: 'app', read: 'public', write: 'public', fields: wanted.fields }
}

/** Adds a page. The first collection replaces the starter's start page; later ones get their own. */
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

/** Adds routes with one edit after the Hono app; a file without an app is rewritten. */
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

/** Returns the existing routes of a file that must be rewritten for its imports. */
function keptRoutes(before: string | undefined): string {
  const from = before?.search(/^routes\./m) ?? -1
  return from < 0 ? '' : `\n${before!.slice(from)}`
}

/** Removes a list with its page, test and routes; a migration drops its records. */
export function removeCollection(files: Files, manifest: Manifest, collection: string): ToolCall[] {
  const { component } = namesOf(collection)
  const { [collection]: _gone, ...others } = manifest.collections ?? {}
  const pages = (manifest.pages ?? []).filter((page) => page.file !== `${component}.tsx`)
  const [first] = pages
  if (first !== undefined && !pages.some((page) => page.path === '/')) first.path = '/'
  const isEmpty = first === undefined
  const next = Object.keys(others).reduce(
    (app, other) => withoutRefs(app, other, collection),
    withMigration({ ...manifest, collections: others }, collection, [{ op: 'drop' }]),
  )
  const gone = [`web/pages/${component}.tsx`, `tests/${collection}.test.ts`].filter((path) => files.has(path))
  return [
    writeManifest({ ...next, pages: isEmpty ? [{ path: '/', file: STARTER_PAGE, title: 'Home' }] : pages }),
    ...(isEmpty ? [write(`web/pages/${STARTER_PAGE}`, EMPTY_PAGE)] : []),
    ...gone.map((path) => ({ name: 'delete_file', args: { path } })),
    ...removeRoutes(files, collection),
  ]
}

function removeRoutes(files: Files, collection: string): ToolCall[] {
  const path = 'server/routes.ts'
  const before = files.get(path)
  const block = routeSource(collection).trim()
  if (before?.includes(block) !== true) return []
  // Without a route, the import of the data would be unused.
  return /\broutes\.\w+\(/.test(before.replace(block, ''))
    ? [{ name: 'edit_file', args: { path, old: block, new: '' } }]
    : [write(path, NO_ROUTES)]
}

/** Removes the fields that reference records of a removed list. */
function withoutRefs(manifest: Manifest, collection: string, target: string): Manifest {
  const fields = fieldsOf(manifest, collection)
  const refs = Object.keys(fields).filter((name) => fields[name]?.ref === target)
  if (refs.length === 0) return manifest
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !refs.includes(name)))
  return withMigration(
    withFields(manifest, collection, rest),
    collection,
    refs.map((field) => ({ op: 'drop', field })),
  )
}
