import { CAPABILITY_KEYS, type CapabilityKey, isBuilt } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../../capabilities/catalog.ts'
import {
  type CollectionDeclaration,
  type FieldDeclaration,
  type Manifest,
  ManifestSchema,
} from './manifest-schema.ts'
import { nestingProblem } from '../text/nesting.ts'

export type { Manifest } from './manifest-schema.ts'

/** Something wrong with `app.json`; `path` is dotted (`collections.tasks.fields.due`), empty for the whole file. */
export interface ManifestIssue {
  path: string
  message: string
}

export type ManifestResult = { ok: true; manifest: Manifest } | { ok: false; issues: ManifestIssue[] }

const unavailable = (key: string) => `the capability ${key} is not available yet`

/** Reads and checks the text of `app.json`, as far as it can be judged without the other files. */
export function readManifest(text: string): ManifestResult {
  // A value may be any JSON, and what reads or prints one calls itself for each level.
  const problem = nestingProblem('app.json', text)
  if (problem !== null) return { ok: false, issues: [{ path: '', message: problem }] }
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    return { ok: false, issues: [{ path: '', message: `is not JSON: ${(error as Error).message}` }] }
  }
  const parsed = ManifestSchema.safeParse(value)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({
      path: issue.path.map(String).join('.'),
      // What is wrong with a name stands inside the issue of its key.
      message: issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issue.message,
    }))
    return { ok: false, issues }
  }
  const issues = [...useIssues(parsed.data), ...pageIssues(parsed.data), ...collectionIssues(parsed.data)]
  return issues.length === 0 ? { ok: true, manifest: parsed.data } : { ok: false, issues }
}

/** What the manifest names must be there: every page has its file. */
export function fileIssues(manifest: Manifest, tree: ReadonlyMap<string, string>): ManifestIssue[] {
  return manifest.pages.flatMap(({ file }, i) =>
    tree.has(`web/pages/${file}`)
      ? []
      : [{ path: `pages.${i}.file`, message: `web/pages/${file} does not exist` }],
  )
}

function useIssues(manifest: Manifest): ManifestIssue[] {
  const issues = manifest.uses.flatMap((key, i) =>
    isBuilt(key) ? [] : [{ path: `uses.${i}`, message: unavailable(key) }],
  )
  const declared = new Map(Object.entries(manifest))
  for (const key of CAPABILITY_KEYS)
    for (const field of capabilityOf(key).impliedBy) {
      if (Object.keys(declared.get(field) ?? {}).length === 0) continue
      if (!isBuilt(key)) issues.push({ path: field, message: unavailable(key) })
      else if (!manifest.uses.includes(key))
        issues.push({ path: 'uses', message: `must list "${key}": ${field} needs it` })
    }
  return issues
}

function pageIssues({ pages, uses }: Manifest): ManifestIssue[] {
  return pages.flatMap((page, i) => {
    const shape = page.path.replaceAll(/:[^/]+/g, ':')
    const isTwin = pages.slice(0, i).some((other) => other.path.replaceAll(/:[^/]+/g, ':') === shape)
    return [
      ...(isTwin ? [{ path: `pages.${i}.path`, message: `${page.path} is there twice` }] : []),
      ...(page.path.startsWith('/api') || page.path.startsWith('/_app')
        ? [{ path: `pages.${i}.path`, message: '/api and /_app belong to the server' }]
        : []),
      ...(page.access === undefined || page.access === 'public'
        ? []
        : needsKey(uses, 'auth', `pages.${i}.access`, `${page.access} needs sign-in`)),
    ]
  })
}

function collectionIssues(manifest: Manifest): ManifestIssue[] {
  return Object.entries(manifest.collections).flatMap(([name, collection]) => {
    const at = `collections.${name}`
    return [
      ...partitionIssues(at, collection, manifest),
      ...accessIssues(at, collection, manifest),
      ...Object.entries(collection.fields).flatMap(([field, declaration]) =>
        fieldIssues(`${at}.fields.${field}`, declaration, manifest),
      ),
    ]
  })
}

/** Returns an issue unless the app has what `what` needs; says how to get it. */
function needsKey(
  uses: readonly CapabilityKey[],
  key: CapabilityKey,
  path: string,
  what: string,
): ManifestIssue[] {
  if (uses.includes(key) && isBuilt(key)) return []
  const message = isBuilt(key) ? `${what}: add "${key}" to "uses"` : `${what}: ${unavailable(key)}`
  return [{ path, message }]
}

function partitionIssues(
  at: string,
  { partition }: CollectionDeclaration,
  { uses }: Manifest,
): ManifestIssue[] {
  if (partition === 'app') return []
  const key = partition === 'user' ? 'auth' : 'team'
  return needsKey(uses, key, `${at}.partition`, `${partition} needs app users`)
}

function accessIssues(
  at: string,
  { read, write }: CollectionDeclaration,
  { uses }: Manifest,
): ManifestIssue[] {
  const issuesOf = (field: 'read' | 'write', word: string | undefined) =>
    word === 'members' || word === 'owner'
      ? needsKey(uses, 'auth', `${at}.${field}`, `${word} needs app users`)
      : word === 'team'
        ? needsKey(uses, 'team', `${at}.${field}`, 'team needs teams')
        : []
  const missing = {
    path: `${at}.read`,
    message: 'say who may read: "public", "members", "owner", "staff" or "nobody"',
  }
  return [...(read === undefined ? [missing] : []), ...issuesOf('read', read), ...issuesOf('write', write)]
}

function fieldIssues(at: string, field: FieldDeclaration, manifest: Manifest): ManifestIssue[] {
  const issues: ManifestIssue[] = []
  const add = (message: string) => issues.push({ path: at, message })
  if (field.type === 'enum' && field.values === undefined) add('an enum needs "values"')
  if (field.type !== 'enum' && field.values !== undefined) add('only an enum has "values"')
  if (field.type === 'ref' && field.ref === undefined) add('a ref needs "ref", the name of a collection')
  if (field.type !== 'ref' && field.ref !== undefined) add('only a ref has "ref"')
  if (field.ref !== undefined && !Object.hasOwn(manifest.collections, field.ref))
    add(`there is no collection ${field.ref}`)
  if (field.type === 'file') add(unavailable('files'))
  if (field.as !== undefined && field.type !== 'text') add('only text has "as"')
  const isUnordered = field.type === 'json' || field.type === 'list'
  if (isUnordered && (field.index === true || field.unique === true)) add(`a ${field.type} has no index`)
  if (field.default !== undefined && !fitsType(field, field.default)) add('"default" does not fit the type')
  return issues
}

function fitsType(field: FieldDeclaration, value: unknown): boolean {
  switch (field.type) {
    case 'text':
    case 'date':
    case 'ref':
    case 'file':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isSafeInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'enum':
      return field.values?.includes(value as string) === true
    case 'list':
      return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    case 'json':
      return true
  }
}
