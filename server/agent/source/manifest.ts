import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../../capability-catalog/catalog.ts'
import {
  type CollectionDeclaration,
  type FieldDeclaration,
  type Manifest,
  ManifestSchema,
} from './manifest-schema.ts'
import * as z from 'zod'
import { nestingProblem } from './nesting.ts'

export type { Manifest } from './manifest-schema.ts'

/** `path` is dotted (`collections.tasks.fields.due`), empty for the whole file. */
export interface ManifestIssue {
  path: string
  message: string
  /** True when the text is not JSON, so that the issue has no path in it. */
  isSyntax?: true
}

export type ManifestResult = { ok: true; manifest: Manifest } | { ok: false; issues: ManifestIssue[] }

/** Reads and checks the text of `app.json`, without the checks that need other files. */
export function readManifest(text: string): ManifestResult {
  // A value may be any JSON, and the code that reads or prints a value recurses once per level.
  const problem = nestingProblem('app.json', text)
  if (problem !== null) return { ok: false, issues: [{ path: '', message: problem }] }
  let value: unknown
  let hasProto = false
  try {
    value = JSON.parse(text, (key, part) => {
      hasProto ||= key === '__proto__'
      return part
    })
  } catch (error) {
    const message = `is not JSON: ${(error as Error).message}`
    return { ok: false, issues: [{ path: '', message, isSyntax: true }] }
  }
  // The schema drops the key without an issue, so the collection or field would be missing without a reason.
  if (hasProto)
    return { ok: false, issues: [{ path: '', message: 'has the key "__proto__": give it another name' }] }
  const parsed = ManifestSchema.safeParse(value)
  if (!parsed.success) {
    const issues = parsed.error.issues.map((issue) => ({
      path: issue.path.map(String).join('.'),
      // Zod puts the reason for an invalid key inside the issue of the key.
      message:
        issue.code === 'invalid_key' ? (issue.issues[0]?.message ?? issue.message) : issueMessage(issue),
    }))
    return { ok: false, issues }
  }
  const issues = [
    ...useIssues(parsed.data),
    ...pageIssues(parsed.data),
    ...collectionIssues(parsed.data),
    ...meterIssues(parsed.data),
    ...roleIssues(parsed.data),
    ...roomIssues(parsed.data),
    ...callIssues(parsed.data),
    ...taskIssues(parsed.data),
    ...messageIssues('hooks', parsed.data),
    ...messageIssues('mailboxes', parsed.data),
  ]
  return issues.length === 0 ? { ok: true, manifest: parsed.data } : { ok: false, issues }
}

/** Returns the message of an issue. For an unknown key, it lists the keys that are allowed at that place. */
function issueMessage(issue: z.core.$ZodIssue): string {
  if (issue.code !== 'unrecognized_keys') return issue.message
  const keys = keysAt(ManifestSchema, issue.path)
  return keys.length === 0 ? issue.message : `${issue.message}; the keys here are ${keys.join(', ')}`
}

function keysAt(schema: z.core.$ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema
  for (const step of [...path, null]) {
    while (at instanceof z.ZodOptional || at instanceof z.ZodDefault || at instanceof z.ZodNullable)
      at = at.unwrap()
    if (step === null) break
    if (at instanceof z.ZodObject) at = at.shape[String(step)]
    else if (at instanceof z.ZodArray) at = at.element
    else if (at instanceof z.ZodRecord) at = at.valueType
    else return []
  }
  return at instanceof z.ZodObject ? Object.keys(at.shape) : []
}

/** Matches imports of video calls. A check starts no call, so only the imports show that an app lacks the capability `call`. */
const CALL_IMPORT =
  /import\s*\{[^}]*\b(?:call|useCall|CallVideo)\b[^}]*\}\s*from\s*['"]@slipway\/app\/(?:react|client)['"]/

/**
 * Returns an issue for each file, such as a page or a job, that the manifest names and the tree lacks, and for video calls
 * without the capability `call`.
 */
export function fileIssues(manifest: Manifest, tree: ReadonlyMap<string, string>): ManifestIssue[] {
  const missing = (path: string, file: string): ManifestIssue[] =>
    tree.has(file) ? [] : [{ path, message: `${file} does not exist` }]
  const caller = manifest.uses.includes('call')
    ? undefined
    : [...tree].find(([path, text]) => path.startsWith('web/') && CALL_IMPORT.test(text))?.[0]
  return [
    ...(caller === undefined ? [] : needsKey(manifest.uses, 'call', 'uses', `${caller} makes calls`)),
    ...manifest.pages.flatMap(({ file }, i) => missing(`pages.${i}.file`, `web/pages/${file}`)),
    ...(['schedules', 'queues', 'flows'] as const).flatMap((field) =>
      (manifest[field] ?? []).flatMap(({ handler }, i) =>
        missing(`${field}.${i}.handler`, `server/jobs/${handler}.ts`),
      ),
    ),
    ...(['hooks', 'mailboxes'] as const).flatMap((field) =>
      (manifest[field] ?? []).flatMap(({ handler }, i) =>
        handler === undefined ? [] : missing(`${field}.${i}.handler`, `server/jobs/${handler}.ts`),
      ),
    ),
  ]
}

function useIssues(manifest: Manifest): ManifestIssue[] {
  const issues: ManifestIssue[] = []
  const declared = new Map(Object.entries(manifest))
  for (const key of CAPABILITY_KEYS)
    for (const field of capabilityOf(key).impliedBy) {
      if (Object.keys(declared.get(field) ?? {}).length === 0) continue
      if (!manifest.uses.includes(key))
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
      ...(/^\/(?:api|_app)(?:\/|$)/.test(page.path)
        ? [{ path: `pages.${i}.path`, message: '/api and /_app belong to the server' }]
        : []),
      ...(page.access === undefined || page.access === 'public'
        ? []
        : needsKey(uses, 'auth', `pages.${i}.access`, `${page.access} needs sign-in`)),
    ]
  })
}

function meterIssues({ meters = [], uses }: Manifest): ManifestIssue[] {
  return meters.flatMap(({ per }, i) =>
    per === 'app'
      ? []
      : needsKey(uses, per === 'user' ? 'auth' : 'team', `meters.${i}.per`, `${per} needs app users`),
  )
}

function roomIssues({ rooms = [], uses }: Manifest): ManifestIssue[] {
  return rooms.flatMap(({ access }, i) =>
    access === 'public'
      ? []
      : needsKey(uses, access === 'team' ? 'team' : 'auth', `rooms.${i}.access`, `${access} needs app users`),
  )
}

function callIssues({ rooms = [], uses }: Manifest): ManifestIssue[] {
  if (!uses.includes('call')) return []
  const lacking =
    rooms.length > 0 ? [] : [{ path: 'uses', message: 'call needs a room: declare one in "rooms"' }]
  return [...needsKey(uses, 'live', 'uses', 'call happens in rooms'), ...lacking]
}

function taskIssues({ ai = [], uses }: Manifest): ManifestIssue[] {
  return ai.flatMap(({ access }, i) =>
    access === 'members' || access === 'staff'
      ? needsKey(uses, 'auth', `ai.${i}.access`, `${access} needs app users`)
      : [],
  )
}

function roleIssues({ roles = [] }: Manifest): ManifestIssue[] {
  return roles.flatMap((role, i) => {
    const path = `roles.${i}`
    if (role === 'owner' || role === 'member') return [{ path, message: `${role} is there in every team` }]
    return roles.indexOf(role) < i ? [{ path, message: `${role} is there twice` }] : []
  })
}

/** The fields that the runtime sets in a record for a webhook message or a mail. Any other required field needs a default. */
const FILLED_FIELDS: Readonly<Record<'hooks' | 'mailboxes', ReadonlySet<string>>> = {
  hooks: new Set(['endpoint', 'deliveryId', 'receivedAt', 'headers', 'body', 'attempts']),
  mailboxes: new Set(['mailbox', 'from', 'to', 'subject', 'text', 'messageId', 'receivedAt', 'attachments']),
}

/** Returns an issue for each collection of webhook messages or mail that cannot store them as records. */
function messageIssues(field: 'hooks' | 'mailboxes', manifest: Manifest): ManifestIssue[] {
  const { collections } = manifest
  return (manifest[field] ?? []).flatMap(({ collection: name }, i, all) => {
    const path = `${field}.${i}.collection`
    const collection = Object.hasOwn(collections, name) ? collections[name] : undefined
    if (collection === undefined) return [{ path, message: `there is no collection ${name}` }]
    if (collection.partition !== 'app')
      return [{ path, message: `${name} is kept per ${collection.partition}: messages belong to the app` }]
    // The operator assigns a mailbox to a collection, so a second handler of the same collection could never run.
    if (field === 'mailboxes' && all.findIndex((one) => one.collection === name) < i)
      return [{ path, message: `${name} is there twice` }]
    return Object.entries(collection.fields).flatMap(([key, { required, default: preset }]) =>
      required === true && preset === undefined && !FILLED_FIELDS[field].has(key)
        ? [{ path, message: `${name} requires ${key}, which no message has: give it a default` }]
        : [],
    )
  })
}

function collectionIssues(manifest: Manifest): ManifestIssue[] {
  return Object.entries(manifest.collections).flatMap(([name, collection]) => {
    const at = `collections.${name}`
    return [
      ...partitionIssues(at, collection, manifest),
      ...accessIssues(at, collection, manifest),
      ...Object.entries(collection.fields).flatMap(([field, declaration]) => [
        ...fieldIssues(`${at}.fields.${field}`, declaration),
        ...(declaration.type === 'file'
          ? needsKey(manifest.uses, 'files', `${at}.fields.${field}.type`, 'a file needs uploads')
          : []),
        ...(declaration.similar === true
          ? needsKey(manifest.uses, 'ai', `${at}.fields.${field}.similar`, 'comparing needs a model')
          : []),
        ...refIssues(`${at}.fields.${field}`, declaration, collection, manifest),
      ]),
    ]
  })
}

/** Returns an issue that tells how to add the capability `key`, unless the app uses it. */
function needsKey(
  uses: readonly CapabilityKey[],
  key: CapabilityKey,
  path: string,
  what: string,
): ManifestIssue[] {
  return uses.includes(key) ? [] : [{ path, message: `${what}: add "${key}" to "uses"` }]
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
  { partition, read, write }: CollectionDeclaration,
  { uses }: Manifest,
): ManifestIssue[] {
  const issuesOf = (field: 'read' | 'write', word: string | undefined) =>
    word === 'members' || word === 'owner'
      ? needsKey(uses, 'auth', `${at}.${field}`, `${word} needs app users`)
      : word === 'team'
        ? partition === 'team'
          ? needsKey(uses, 'team', `${at}.${field}`, 'team needs teams')
          : [{ path: `${at}.${field}`, message: 'team needs "partition": "team"' }]
        : []
  // By default only members may read the records of the partition `app`, so an app without accounts must state who may
  // read these records.
  const isUnsaid = read === undefined && partition === 'app' && !uses.includes('auth')
  const missing = {
    path: `${at}.read`,
    message: 'say who may read: "public", "members", "owner", "team", "staff" or "nobody"',
  }
  return [...(isUnsaid ? [missing] : []), ...issuesOf('read', read), ...issuesOf('write', write)]
}

function fieldIssues(at: string, field: FieldDeclaration): ManifestIssue[] {
  const issues: ManifestIssue[] = []
  const add = (message: string) => issues.push({ path: at, message })
  if (field.type === 'enum' && field.values === undefined) add('an enum needs "values"')
  if (field.type !== 'enum' && field.values !== undefined) add('only an enum has "values"')
  if (field.similar === true && field.type !== 'text') add('only text has "similar"')
  if (field.as !== undefined && field.type !== 'text') add('only text has "as"')
  if (field.currency !== undefined && field.type !== 'integer')
    add('only an integer has "currency": it is an amount in cents')
  const isUnordered = field.type === 'json' || field.type === 'list' || field.type === 'file'
  if (isUnordered && (field.index === true || field.unique === true)) add(`a ${field.type} has no index`)
  if (field.type === 'file' && (field.search === true || field.default !== undefined))
    add('a file has no "search" and no "default"')
  if (field.default !== undefined && !fitsType(field, field.default)) add('"default" does not fit the type')
  return issues
}

/**
 * A reference must point to a collection of the same partition or of the partition `app`. Only a reference within the same partition may
 * have `onRemove`.
 */
function refIssues(
  at: string,
  field: FieldDeclaration,
  { partition }: CollectionDeclaration,
  manifest: Manifest,
): ManifestIssue[] {
  const issue = (message: string) => [{ path: at, message }]
  const { ref, onRemove } = field
  if (ref === undefined) {
    if (field.type === 'ref') return issue('a ref needs "ref", the name of a collection')
    return onRemove === undefined ? [] : issue('only a field with "ref" has "onRemove"')
  }
  if (field.type !== 'ref' && field.type !== 'list') return issue('only a ref or a list has "ref"')
  const target = Object.hasOwn(manifest.collections, ref) ? manifest.collections[ref] : undefined
  if (target === undefined) return issue(`there is no collection ${ref}`)
  if (target.partition !== partition) {
    if (target.partition !== 'app')
      return issue(`${ref} is kept per ${target.partition}: refer to it from such a collection only`)
    return onRemove === undefined ? [] : issue(`"onRemove" needs ${ref} in the same partition`)
  }
  if (onRemove === 'clear' && field.type === 'ref' && field.required === true)
    return issue('a required ref cannot be cleared: "onRemove" is "refuse" or "cascade"')
  if (onRemove === 'cascade' && field.type === 'list')
    return issue('a list of refs has "onRemove": "refuse" or "clear"')
  return []
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
