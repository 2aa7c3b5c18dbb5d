import { accessIn, isForMembers, isLimited } from '../reading/access.ts'
import { type AppFiles, hasNoRoutes, writeManifest } from './changes.ts'
import { type ScaffoldManifest, manifestAfter, manifestCall } from './manifest.ts'
import { type ToolCall, writeFileCall } from './tool-call.ts'
import {
  pdfHandler,
  pdfNames,
  pdfPage,
  pdfTest,
  summaryNames,
  summaryPage,
  summaryTask,
  summaryTest,
} from './extra-sources.ts'
import { type Extra, DOCUMENT_HEADINGS } from '../reading/extras.ts'
import { DATA_IMPORT, NO_ROUTES } from './pages.ts'

export const CAPABILITY_OF = {
  summary: 'ai',
  pdf: 'render',
  mail: 'email',
  guard: 'guard',
  push: 'push',
  limit: 'meter',
  visits: 'events',
} as const

const ROUTES_FILE = 'server/routes.ts'

/**
 * The extras that this file handles: summaries, PDF files and visitor counts. Extras that run when a record is added are in
 * `new-record-app.ts`.
 */
export type PageExtra = Exclude<Extra, { is: 'mail' | 'guard' | 'push' | 'limit' }>
type ListExtra = Extract<Extra, { is: 'summary' | 'pdf' }>
const isOfList = (extra: PageExtra): extra is ListExtra => extra.is !== 'visits'

/**
 * Returns the reason why an app cannot get this extra; null when it can. `there`: the app has it already. `team`: each team
 * has separate records. `foreign`: the scaffold did not write the access rules of the list, or another file has the path of a file of the
 * extra.
 */
export function extraObstacle(
  files: AppFiles,
  manifest: ScaffoldManifest,
  extra: PageExtra,
): 'there' | 'team' | 'foreign' | null {
  if (!isOfList(extra)) return manifest.uses?.includes('events') === true ? 'there' : null
  const { is, collection } = extra
  if (extrasIn(files, manifest).some((one) => one.is === is && one.collection === collection)) return 'there'
  const list = manifest.collections?.[collection]
  const access = accessIn(manifest, collection)
  if (access === 'team') return 'team'
  const isKnown = list !== undefined && access !== null
  return isKnown && !extraFiles(manifest, extra).some(([path]) => files.has(path)) ? null : 'foreign'
}

/** Returns the app's extras. Omits extras whose files were edited. */
function extrasIn(files: AppFiles, manifest: ScaffoldManifest): ListExtra[] {
  const all = Object.keys(manifest.collections ?? {}).flatMap((collection): ListExtra[] => [
    { is: 'summary', collection },
    ...[null, ...DOCUMENT_HEADINGS].map((heading) => ({ is: 'pdf' as const, collection, heading })),
  ])
  return all.filter((extra) => {
    const sources = extraFiles(manifest, extra)
    return sources.length > 0 && sources.every(([path, source]) => files.get(path)?.trim() === source.trim())
  })
}

/** Returns the files of an extra; none when the list has access rules that the scaffold does not write. */
function extraFiles(manifest: ScaffoldManifest, extra: ListExtra): [path: string, source: string][] {
  const { collection } = extra
  const list = manifest.collections?.[collection]
  const access = accessIn(manifest, collection)
  if (list === undefined || access === null || access === 'team') return []
  if (extra.is === 'summary') {
    const { pagePath, testPath } = summaryNames(collection)
    return [
      [pagePath, summaryPage(collection)],
      [testPath, summaryTest(collection, access)],
    ]
  }
  const { pagePath, handlerPath, testPath } = pdfNames(collection)
  return [
    [pagePath, pdfPage(collection)],
    [handlerPath, pdfHandler(collection, list.fields, extra.heading)],
    [
      testPath,
      pdfTest(collection, list.fields, access, {
        heading: extra.heading,
        adding: isLimited(manifest, collection) ? 'limited' : list.write === 'nobody' ? 'guarded' : 'free',
      }),
    ],
  ]
}

const extraPage = ({ is, collection }: ListExtra) =>
  is === 'summary' ? summaryNames(collection).page : pdfNames(collection).page

/**
 * Returns the tool calls that change an app, extended by those for extras: adds the wanted extras, rewrites the extras of a changed list,
 * and deletes the extras of a removed list.
 */
export function withExtras(
  files: AppFiles,
  before: ScaffoldManifest,
  calls: ToolCall[],
  wanted: PageExtra[],
): ToolCall[] {
  const known = extrasIn(files, before)
  if (known.length + wanted.length === 0) return calls
  const changed = manifestCall(calls)
  const after = manifestAfter(before, calls)
  // Remove duplicates, because a text may request the same extra twice.
  const extras = [
    ...new Map(
      [...wanted.filter(isOfList), ...known].map((one) => [`${one.is} ${one.collection}`, one]),
    ).values(),
  ].filter(({ collection }) => Object.hasOwn(after.collections ?? {}, collection))
  const sources = new Map(extras.flatMap((extra) => extraFiles(after, extra)))
  const gone = known.flatMap((extra) => extraFiles(before, extra)).filter(([path]) => !sources.has(path))
  const routes = fileTextAfter(files, calls, ROUTES_FILE)
  const nextRoutes = withRoutes(routes, known.flatMap(handlerRoutesOf), extras.flatMap(handlerRoutesOf))
  const hasRoutes = nextRoutes !== files.get(ROUTES_FILE)
  return [
    writeManifest(withManifest(after, known, extras, wanted)),
    ...calls.filter((call) => call !== changed && call.args['path'] !== ROUTES_FILE),
    ...(hasRoutes && nextRoutes !== '' ? [writeFileCall(ROUTES_FILE, nextRoutes)] : []),
    ...[...sources]
      .filter(([path, source]) => files.get(path)?.trim() !== source.trim())
      .map(([path, source]) => writeFileCall(path, source)),
    ...gone.map(([path]) => ({ name: 'delete_file', args: { path } })),
  ]
}

export const fileTextAfter = (files: AppFiles, calls: ToolCall[], path: string): string =>
  calls
    .filter(({ args }) => args['path'] === path)
    .reduce(
      (text, { name, args }) =>
        name === 'edit_file'
          ? text.replace(String(args['old']), () => String(args['new']))
          : String(args['content'] ?? ''),
      files.get(path) ?? '',
    )

export interface HandlerRoute {
  handler: string
  /** The name of the file; by default the name of the handler. */
  file?: string
  /** Method and path as source text: `get('/orders/:id/pdf'`. */
  at: string
}

const handlerRoutesOf = ({ is, collection }: ListExtra): HandlerRoute[] =>
  is === 'pdf' ? [{ handler: pdfNames(collection).handler, at: `get('/${collection}/:id/pdf'` }] : []

const routeLine = ({ handler, at }: HandlerRoute) => `routes.${at}, ${handler})\n`

const importsOf = (routes: HandlerRoute[]) =>
  [...Map.groupBy(routes, ({ handler, file = handler }) => file)].map(
    ([file, from]) => `import { ${from.map(({ handler }) => handler).join(', ')} } from './${file}.ts'\n`,
  )

const linesOf = (routes: HandlerRoute[]) => [...importsOf(routes), ...routes.map(routeLine)]

/** Returns the source of routes.ts with the routes `wanted` in place of the extras' previous routes `known`. */
export function withRoutes(before: string, known: HandlerRoute[], wanted: HandlerRoute[]): string {
  if (wanted.length + known.length === 0) return before
  const [knownLines, wantedLines] = [linesOf(known), linesOf(wanted)]
  const isThere =
    knownLines.join('') === wantedLines.join('') && knownLines.every((line) => before.includes(line))
  const stripped = isThere ? before : knownLines.reduce((text, line) => text.replace(line, ''), before)
  const start = hasNoRoutes(stripped) ? NO_ROUTES : stripped
  // Remove the import of `data` when only the removed routes used it.
  const used = /\bdata\./.test(start) ? start : start.replace(DATA_IMPORT, '')
  // Nothing changes, so keep the lines in place: in a restructured file they could not be added again.
  if (isThere) return used
  const imports = importsOf(wanted).join('')
  const routes = wanted.map(routeLine).join('')
  return used
    .replace(/^import \{ Hono \} from 'hono'\n/m, (line) => line + imports)
    .replace(/^export const routes = new Hono\(\)\n/m, (line) => line + routes)
}

/** Returns the manifest with the pages and AI tasks of `extras`, and without those of all other `known` extras. */
function withManifest(
  manifest: ScaffoldManifest,
  known: ListExtra[],
  extras: ListExtra[],
  wanted: PageExtra[],
): ScaffoldManifest {
  const ours = [...known, ...extras]
  const pageFiles = new Set(ours.map((extra) => extraPage(extra).file))
  const tasks = new Set(ours.map(({ collection }) => summaryNames(collection).task))
  const pages = [
    ...(manifest.pages ?? []).filter(({ file }) => !pageFiles.has(file)),
    ...extras.map((extra) => ({
      ...extraPage(extra),
      ...(isForMembers(accessFor(manifest, extra)) && { access: 'members' }),
    })),
  ]
  const ai = [
    ...(manifest.ai ?? []).filter(({ task }) => !tasks.has(task)),
    ...extras
      .filter(({ is }) => is === 'summary')
      .map((extra) => summaryTask(extra.collection, accessFor(manifest, extra))),
  ]
  const { ai: _before, ...rest } = manifest
  const uses = new Set([...(manifest.uses ?? []), ...wanted.map(({ is }) => CAPABILITY_OF[is])])
  return { ...rest, uses: [...uses], pages, ...(ai.length > 0 && { ai }) }
}

const accessFor = (manifest: ScaffoldManifest, { collection }: ListExtra) =>
  accessIn(manifest, collection) ?? 'members'
