import {
  type AccessLevel,
  accessIn,
  capabilitiesFor,
  isForMembers,
  isLimited,
  ACCESS_RULES,
} from '../reading/access.ts'
import { type ScaffoldFields, hasFile, hasPlainField } from '../reading/fields.ts'
import type { WantedList } from '../reading/lists.ts'
import { namesOf } from '../reading/names.ts'
import {
  addRouteNames,
  DATA_IMPORT,
  EMPTY_PAGE,
  EMPTY_ROUTES,
  NO_ROUTES,
  routeSource,
  testSource,
} from './pages.ts'
import { type ScaffoldManifest, manifestAfter, manifestCall } from './manifest.ts'
import { appIdentityOf } from './look.ts'
import { pageSource } from './list-page.ts'
import { type ToolCall, writeFileCall } from './tool-call.ts'
import { sentenceCase } from '../reading/words.ts'

export type AppFiles = ReadonlyMap<string, string>

/** Adds lists that the app does not have yet. */
export function addCollections(
  files: AppFiles,
  manifest: ScaffoldManifest,
  wanted: WantedList[],
): ToolCall[] {
  const known = manifest.collections ?? {}
  const next: ScaffoldManifest = {
    ...manifest,
    // A new app gets the name and the look of its first list.
    ...(Object.keys(known).length === 0 &&
      wanted[0] !== undefined && { ...appIdentityOf(wanted[0]), ...pickLook(manifest) }),
    uses: usesOf(manifest, capabilitiesOf(wanted)),
    pages: wanted.reduce(addPage, pagesToKeep(files, manifest)),
    collections: {
      ...known,
      ...Object.fromEntries(wanted.map((item) => [item.collection, collectionSpec(item)])),
    },
  }
  return [
    writeManifest(next),
    ...wanted.map((item) => writeFileCall(pagePathOf(item.collection), pageSource(item))),
    ...addRoutes(files, wanted.filter(isOpen)),
    ...wanted.map(({ collection }) => writeTest(next, collection)),
    ...removeStarterPage(files, manifest, next),
  ]
}

const pickLook = ({ look }: ScaffoldManifest) => (look === undefined ? {} : { look })

const isOpen = ({ access = 'open' }: Pick<WantedList, 'access'>) => access === 'open'

export const capabilitiesOf = (wanted: WantedList[]): string[] => [
  ...capabilitiesFor(wanted.map(({ access }) => access ?? 'open')),
  ...(wanted.some(({ fields }) => hasFile(fields)) ? ['files'] : []),
]

const usesOf = ({ uses = [] }: ScaffoldManifest, needed: string[]): string[] => [
  ...new Set([...uses, 'data', ...needed]),
]

/** Returns false when the page was edited and so must not be overwritten. */
export function isOwnPage(files: AppFiles, manifest: ScaffoldManifest, collection: string): boolean {
  const access = accessIn(manifest, collection)
  const page = files.get(pagePathOf(collection))
  return access !== null && page?.trim() === pageSource(wantedIn(files, manifest, collection, access)).trim()
}

const pagePathOf = (collection: string) => `web/pages/${namesOf(collection).component}.tsx`

/** Rewrites the page of a list whose fields changed, unless the page was edited. */
function rewritePage(
  files: AppFiles,
  before: ScaffoldManifest,
  after: ScaffoldManifest,
  collection: string,
): ToolCall[] {
  const access = accessIn(after, collection)
  if (access === null || !isOwnPage(files, before, collection)) return []
  const next = pageSource(wantedIn(files, after, collection, access))
  return next.trim() === files.get(pagePathOf(collection))?.trim()
    ? []
    : [writeFileCall(pagePathOf(collection), next)]
}

const wantedIn = (
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
  access: AccessLevel,
): WantedList => {
  const { title = sentenceCase(collection), fields = {} } = manifest.collections?.[collection] ?? {}
  const isPosted = files.has(addRouteNames(collection).handlerPath)
  const shared = { collection, title, fields, hasOwnFields: true, access, isPosted }
  return isLimited(manifest, collection) ? { ...shared, isLimited: true } : shared
}

/**
 * Returns the tool call that writes the page of a list. With `isPosted`, its form sends new records to a
 * route of the app and not to the data API.
 */
export const writePage = (
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
  { isPosted }: { isPosted: boolean },
): ToolCall =>
  writeFileCall(
    pagePathOf(collection),
    pageSource({
      ...wantedIn(files, manifest, collection, accessIn(manifest, collection) ?? 'open'),
      isPosted,
    }),
  )

export function changeAccess(
  files: AppFiles,
  manifest: ScaffoldManifest,
  access: AccessLevel,
  lists: string[],
): ToolCall[] {
  const wanted = lists.map((collection) => wantedIn(files, manifest, collection, access))
  const rest = removedRoutes(files, lists)
  const changed = Object.fromEntries(
    lists.map((collection) => [
      collection,
      {
        ...manifest.collections?.[collection],
        ...ACCESS_RULES[access],
        fields: collectionFields(manifest, collection),
      },
    ]),
  )
  const components = new Set(lists.map((collection) => `${namesOf(collection).component}.tsx`))
  const pages = manifest.pages?.map((page) => (components.has(page.file) ? withAccess(page, access) : page))
  const next = {
    ...manifest,
    uses: usesOf(manifest, capabilitiesFor([access])),
    ...(pages && { pages }),
    collections: { ...manifest.collections, ...changed },
  }
  return [
    writeManifest(next),
    ...wanted.map((item) => writeFileCall(pagePathOf(item.collection), pageSource(item))),
    ...rest,
    ...lists.map((collection) => writeTest(next, collection)),
  ]
}

/** Removes the routes of lists that are no longer open, because routes bypass the access rules. */
function removedRoutes(files: AppFiles, lists: string[]): ToolCall[] {
  const path = 'server/routes.ts'
  const before = files.get(path)
  if (before === undefined) return []
  const after = lists.reduce((text, collection) => text.replace(routeSource(collection).trim(), ''), before)
  if (after === before) return []
  const isUsed = !hasNoRoutes(after)
  return [writeFileCall(path, isUsed ? `${after.replaceAll(/\n{3,}/g, '\n\n').trimEnd()}\n` : NO_ROUTES)]
}

/**
 * Returns true when a route that the scaffold did not write changes records of the list. Such a route
 * bypasses the access rules, and the scaffold cannot remove it.
 */
export function hasForeignRoutes(files: AppFiles, collection: string): boolean {
  const { handler, changer, remover } = addRouteNames(collection)
  const rest = (files.get('server/routes.ts') ?? '').replace(routeSource(collection).trim(), '')
  const writes = rest.matchAll(
    new RegExp(
      String.raw`\broutes\.(?:post|put|patch|delete)\(\s*['"\`]/${collection}(?:/:\w+)?['"\`],\s*(\w+\))?`,
      'g',
    ),
  )
  const own = new Set([handler, changer, remover].map((name) => `${name})`))
  return [...writes].some(([, called = '']) => !own.has(called))
}

type ManifestPage = NonNullable<ScaffoldManifest['pages']>[number]

const withAccess = ({ access: _before, ...page }: ManifestPage, access: AccessLevel): ManifestPage =>
  isForMembers(access) ? { ...page, access: 'members' } : page

/** Adds fields after the existing fields. */
export function addFields(
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
  fields: ScaffoldFields,
): ToolCall[] {
  const grown = withFields(manifest, collection, { ...collectionFields(manifest, collection), ...fields })
  const next = hasFile(fields) ? { ...grown, uses: usesOf(manifest, ['files']) } : grown
  return [writeManifest(next), ...rewritePage(files, manifest, next, collection)]
}

export function addChoices(
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
  name: string,
  values: string[],
): ToolCall[] {
  const before = collectionFields(manifest, collection)
  const field = {
    ...before[name],
    type: 'enum' as const,
    values: [...(before[name]?.values ?? []), ...values],
  }
  const next = withFields(manifest, collection, { ...before, [name]: field })
  // The test sets required fields to their last choice. A later change rewrites the test only when the test is what the scaffold would
  // write.
  const isTestAffected = testOf(next, collection) !== testOf(manifest, collection)
  return [writeManifest(next), ...(isTestAffected ? rewriteTest(files, manifest, next, collection) : [])]
}

/** Renames a field, with a migration that keeps its values in records. */
export function renameField(
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
  field: string,
  to: string,
): ToolCall[] {
  const fields = Object.fromEntries(
    Object.entries(collectionFields(manifest, collection)).map(([name, value]) => [
      name === field ? to : name,
      value,
    ]),
  )
  const next = withFields(manifest, collection, fields)
  return [
    writeManifest(withMigration(next, collection, [{ op: 'rename', field, to }])),
    ...rewritePage(files, manifest, next, collection),
    ...rewriteTest(files, manifest, next, collection),
  ]
}

/** Removes fields, with a migration that removes their values from records. */
export function dropFields(
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
  names: string[],
): ToolCall[] {
  const fields = Object.fromEntries(
    Object.entries(collectionFields(manifest, collection)).filter(([name]) => !names.includes(name)),
  )
  const steps = names.map((field) => ({ op: 'drop', field }))
  const next = withFields(manifest, collection, fields)
  return [
    writeManifest(withMigration(next, collection, steps)),
    ...rewritePage(files, manifest, next, collection),
    ...rewriteTest(files, manifest, next, collection),
  ]
}

export const writeManifest = (manifest: ScaffoldManifest): ToolCall =>
  writeFileCall('app.json', `${JSON.stringify(manifest, null, 2)}\n`)

/** Writes the test of a list, which asserts its access rules. */
export const writeTest = (manifest: ScaffoldManifest, collection: string): ToolCall =>
  writeFileCall(`tests/${collection}.test.ts`, testOf(manifest, collection))

const testOf = (manifest: ScaffoldManifest, collection: string): string =>
  testSource(
    collection,
    collectionFields(manifest, collection),
    accessIn(manifest, collection) ?? 'open',
    isLimited(manifest, collection)
      ? 'limited'
      : manifest.collections?.[collection]?.write === 'nobody'
        ? 'guarded'
        : 'free',
  )

/** Rewrites the test of a list whose fields changed, unless the test was edited or none of the fields can be in a test. */
const rewriteTest = (
  files: AppFiles,
  before: ScaffoldManifest,
  after: ScaffoldManifest,
  collection: string,
): ToolCall[] =>
  mayWriteTest(files, before, collection) && hasPlainField(collectionFields(after, collection))
    ? [writeTest(after, collection)]
    : []

/** Returns whether the test of a list may be written: it does not exist, or is exactly what the scaffold wrote. */
export const mayWriteTest = (files: AppFiles, manifest: ScaffoldManifest, collection: string): boolean =>
  !files.has(`tests/${collection}.test.ts`) || isOwnTest(files, manifest, collection)

/** Returns whether the test exists and is exactly what the scaffold wrote. */
export const isOwnTest = (files: AppFiles, manifest: ScaffoldManifest, collection: string): boolean =>
  hasPlainField(collectionFields(manifest, collection)) &&
  files.get(`tests/${collection}.test.ts`)?.trim() === testOf(manifest, collection).trim()
const collectionFields = (manifest: ScaffoldManifest, collection: string): ScaffoldFields =>
  manifest.collections?.[collection]?.fields ?? {}

const withFields = (
  manifest: ScaffoldManifest,
  collection: string,
  fields: ScaffoldFields,
): ScaffoldManifest => ({
  ...manifest,
  collections: { ...manifest.collections, [collection]: { ...manifest.collections?.[collection], fields } },
})

type MigrationSteps = NonNullable<ScaffoldManifest['migrations']>[number]['steps']

export function withMigration(
  manifest: ScaffoldManifest,
  collection: string,
  steps: MigrationSteps,
): ScaffoldManifest {
  const before = manifest.migrations ?? []
  const number = String(before.length + 1).padStart(4, '0')
  const id = `${number}-${steps[0]?.op}-${collection.toLowerCase()}`
  return { ...manifest, migrations: [...before, { id, collection, steps }] }
}

export function collectionSpec(wanted: WantedList) {
  return { title: wanted.title, ...ACCESS_RULES[wanted.access ?? 'open'], fields: wanted.fields }
}

/** The page of the first list replaces the start page of an empty app. Each later list gets another page. */
function addPage(
  pages: NonNullable<ScaffoldManifest['pages']>,
  wanted: WantedList,
): NonNullable<ScaffoldManifest['pages']> {
  const { component, path } = namesOf(wanted.collection)
  const page = { file: `${component}.tsx`, title: wanted.title }
  const hasStart = pages.some((item) => item.path === '/')
  return [...pages, withAccess({ path: hasStart ? path : '/', ...page }, wanted.access ?? 'open')]
}

/** Returns the pages of the app without the empty start page that a new app has. */
const pagesToKeep = (files: AppFiles, { pages = [] }: ScaffoldManifest) =>
  pages.filter(({ file }) => file !== STARTER_PAGE || !isEmptyPage(files.get(`web/pages/${file}`) ?? ''))

/** Returns whether this is the start page of a new app. The text is empty when the prompt only names unchanged starter files. */
const isEmptyPage = (text: string) => text.trim() === '' || text.includes('title="This app is empty')

/** Returns the first file of the app that a new list would overwrite; null when there is none. */
export const findOverwrittenFile = (files: AppFiles, wanted: WantedList[]): string | null =>
  wanted
    .flatMap(({ collection }) => [pagePathOf(collection), `tests/${collection}.test.ts`])
    .find((path) => files.has(path)) ?? null

const STARTER_PAGE = 'Home.tsx'

function removeStarterPage(files: AppFiles, before: ScaffoldManifest, after: ScaffoldManifest): ToolCall[] {
  const path = `web/pages/${STARTER_PAGE}`
  const isUsed = (manifest: ScaffoldManifest) =>
    manifest.pages?.some((page) => page.file === STARTER_PAGE) ?? false
  return files.has(path) && isUsed(before) && !isUsed(after) ? [{ name: 'delete_file', args: { path } }] : []
}

/** Inserts the routes with one edit. Rewrites the whole file when it has no Hono app, no route or no import of `data`. */
function addRoutes(files: AppFiles, wanted: WantedList[]): ToolCall[] {
  if (wanted.length === 0) return []
  const path = 'server/routes.ts'
  const added = wanted.map((item) => routeSource(item.collection)).join('')
  const before = files.get(path) ?? ''
  const anchor = ROUTES_START.exec(before)?.[0]
  if (anchor === undefined || hasNoRoutes(before)) return [writeFileCall(path, EMPTY_ROUTES + added)]
  const edited = { old: anchor, new: `${anchor}\n${added.trimEnd()}` }
  const hasData = /import \{[^}]*\bdata\b[^}]*\} from '@slipway\/app\/server'/.test(before)
  return hasData
    ? [{ name: 'edit_file', args: { path, ...edited } }]
    : [writeFileCall(path, DATA_IMPORT + before.replace(edited.old, () => edited.new))]
}

const ROUTES_START = /^export const routes = new Hono\(\)$/m

/** Returns whether the file can be replaced because it contains only imports and the empty Hono app. */
export const hasNoRoutes = (text: string): boolean =>
  text
    .replaceAll(/^import .*$/gm, '')
    .replace(ROUTES_START, '')
    .trim() === ''

/**
 * Returns whether routes can be added to the app's routes. False when a person or a real model has structured the file differently, for
 * example with chained routes: adding a route would replace these.
 */
export function canAddRoutes(files: AppFiles): boolean {
  const text = files.get('server/routes.ts') ?? ''
  return hasNoRoutes(text) || (ROUTES_START.test(text) && /^import \{ Hono \} from 'hono'$/m.test(text))
}

/** Removes a list with its page, test and routes, and its records by a migration. */
export function removeCollection(
  files: AppFiles,
  manifest: ScaffoldManifest,
  collection: string,
): ToolCall[] {
  const { component } = namesOf(collection)
  const { [collection]: _gone, ...others } = manifest.collections ?? {}
  const pages = (manifest.pages ?? []).filter((page) => page.file !== `${component}.tsx`)
  const next = Object.keys(others).reduce(
    (app, other) => withoutRefs(app, other, collection),
    withMigration({ ...manifest, collections: others }, collection, [{ op: 'drop' }]),
  )
  const gone = [`web/pages/${component}.tsx`, `tests/${collection}.test.ts`].filter((path) => files.has(path))
  return [
    writeManifest({ ...next, pages }),
    ...gone.map((path) => ({ name: 'delete_file', args: { path } })),
    ...removeRoutes(files, collection),
  ]
}

/**
 * Makes another page the start page when the tool calls have removed the current start page. Adds an empty start page when no page is left.
 */
export function withStartPage(before: ScaffoldManifest, calls: ToolCall[]): ToolCall[] {
  const changed = manifestCall(calls)
  const after = manifestAfter(before, calls)
  if (!hasStart(before) || hasStart(after)) return calls
  const { pages: [first, ...others] = [] } = after
  const start = first ?? { file: STARTER_PAGE, title: 'Home' }
  return [
    writeManifest({ ...after, pages: [{ ...start, path: '/' }, ...others] }),
    ...calls.filter((call) => call !== changed),
    ...(first === undefined ? [writeFileCall(`web/pages/${STARTER_PAGE}`, EMPTY_PAGE)] : []),
  ]
}

const hasStart = ({ pages = [] }: ScaffoldManifest) => pages.some(({ path }) => path === '/')

function removeRoutes(files: AppFiles, collection: string): ToolCall[] {
  const path = 'server/routes.ts'
  const before = files.get(path)
  const block = routeSource(collection).trim()
  if (before?.includes(block) !== true) return []
  // Without any route the import of `data` would be unused, so write an empty file.
  return hasNoRoutes(before.replace(block, ''))
    ? [writeFileCall(path, NO_ROUTES)]
    : [{ name: 'edit_file', args: { path, old: block, new: '' } }]
}

/** Removes references to a removed list, which would make `app.json` invalid. */
function withoutRefs(manifest: ScaffoldManifest, collection: string, target: string): ScaffoldManifest {
  const fields = collectionFields(manifest, collection)
  const refs = Object.keys(fields).filter((name) => fields[name]?.ref === target)
  if (refs.length === 0) return manifest
  const rest = Object.fromEntries(Object.entries(fields).filter(([name]) => !refs.includes(name)))
  return withMigration(
    withFields(manifest, collection, rest),
    collection,
    refs.map((field) => ({ op: 'drop', field })),
  )
}
