import { createHash } from 'node:crypto'
import { patternOf } from '@slipway/runtime/schedule/repeat.ts'
import { withDefaultAccess } from './access.ts'
import { iconLine, lookFiles } from './look/look.ts'
import type { DeclaredSchedule, FieldDeclaration, Manifest } from './manifest-schema.ts'

const GENERATED_HEADER = '// Generated from app.json. Do not edit.\n'

/** Returns the part of `app.json` that the runtime stores. */
function compileManifest({
  name,
  uses,
  collections,
  migrations,
  ai = [],
  meters = [],
  queues = [],
  flows = [],
  schedules = [],
  hooks = [],
  mailboxes = [],
  rooms = [],
  events = [],
  providers = [],
  pages,
  roles = [],
}: Manifest) {
  const compiled = Object.entries(collections).map(([key, collection]) => [
    key,
    {
      title: collection.title ?? titleFromName(key),
      partition: collection.partition,
      // Write out the default access rules, because the runtime has no defaults. A stored manifest then keeps its meaning when the defaults
      // change.
      ...withDefaultAccess(collection),
      fields: compileFields(collection.fields),
    },
  ])
  return {
    name,
    collections: { ...(uses.includes('hook') && RECEIVED_COLLECTIONS), ...Object.fromEntries(compiled) },
    migrations,
    // Empty lists are left out, so that a release with a new kind of list does not change the hash of apps without it.
    ...(ai.length > 0 && { ai }),
    ...(meters.length > 0 && { meters }),
    ...(queues.length > 0 && { queues }),
    ...(flows.length > 0 && { flows }),
    ...(roles.length > 0 && { roles }),
    ...(hooks.length > 0 && { hooks }),
    ...(mailboxes.length > 0 && { mailboxes }),
    ...(rooms.length > 0 && { rooms }),
    ...(providers.length > 0 && { providers }),
    ...(uses.includes('events') && { events, paths: pages.map(({ path }) => path) }),
    ...(schedules.length > 0 && { schedules: schedules.map(compileSchedule) }),
  }
}

/**
 * The collection for messages to webhook endpoints that the operator has configured and `app.json` does not name. A collection
 * `hookEvents` that the app declares replaces this collection.
 */
const RECEIVED_COLLECTIONS = {
  hookEvents: {
    title: 'Messages',
    partition: 'app',
    read: 'staff',
    write: 'nobody',
    fields: {
      endpoint: { type: 'text', required: true, index: true },
      deliveryId: { type: 'text' },
      receivedAt: { type: 'text', index: true },
      headers: { type: 'json' },
      body: { type: 'json' },
    },
  },
} as const

const compileSchedule = ({ every, cron, ...spec }: DeclaredSchedule) => ({
  ...spec,
  repeat: every ?? cron ?? '',
  cron: cron ?? patternOf(every ?? '') ?? '',
})

/** Writes out the removal rule of every reference, because a missing rule has another meaning in the manifest of an older release. */
const compileFields = (fields: Record<string, FieldDeclaration>) =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      field.ref === undefined ? field : { ...field, onRemove: field.onRemove ?? 'refuse' },
    ]),
  )

/** Returns the generated modules as path → text. */
export function generateModules(manifest: Manifest, tree: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([
    ['platform/types.gen.ts', generateTypes(manifest, tree)],
    ['platform/manifest.gen.ts', generateManifest(manifest)],
    ['platform/pages.gen.ts', generatePages(manifest)],
    ...lookFiles(manifest),
    ['platform/handlers.gen.ts', generateHandlers(tree)],
  ])
}

/** Returns the manifest for the runtime and the manifest's hash, by which the app's Durable Objects recognize a new manifest. */
export function compileApp(manifest: Manifest) {
  const compiled = compileManifest(manifest)
  // The name is only shown, so renaming an app must not make its Durable Objects prepare their tables again.
  const { name: _name, ...judged } = compiled
  const hash = createHash('sha256').update(JSON.stringify(judged)).digest('hex').slice(0, 32)
  return { hash, manifest: compiled }
}

function generateManifest(manifest: Manifest): string {
  const { hash, manifest: compiled } = compileApp(manifest)
  return `${GENERATED_HEADER}import type { Manifest } from './kernel/manifest.ts'

export const manifest: Manifest = ${JSON.stringify(compiled, null, 2)}
export const manifestHash: string = '${hash}'
`
}

/** Generates types of records, inputs and page names, so that the compiler finds a wrong field. */
function generateTypes(manifest: Manifest, tree: ReadonlyMap<string, string>): string {
  // Without the data capability the types contain no collections, so every call of the capability is a type error.
  const collections = manifest.uses.includes('data') ? Object.entries(manifest.collections) : []
  const entries = collections.map(([name, { fields }]) => {
    const namesOf = (isMeant: (field: FieldDeclaration) => boolean) => {
      const meant = Object.entries(fields).filter(([, field]) => isMeant(field))
      return meant.map(([field]) => `'${field}'`).join(' | ') || 'never'
    }
    const indexed = namesOf((field) => field.index === true || field.unique === true || field.type === 'ref')
    const unique = namesOf((field) => field.unique === true)
    return `  ${name}: { record: ${pascalCase(name)}Record; input: ${pascalCase(name)}Input; indexed: ${indexed}; unique: ${unique} }`
  })
  const paths = manifest.pages.map((page) => `'${page.path}'`)
  const hasSchemas = manifest.ai?.some(({ schema }) => schema !== undefined) === true
  return [
    GENERATED_HEADER,
    ...(hasSchemas ? ["import type { FromSchema } from './ai/schema.ts'\n"] : []),
    ...collections.map(([name, { fields }]) => recordTypes(name, fields)),
    `export interface Collections {\n${entries.join('\n')}\n}\n`,
    taskTypes(manifest),
    `export type MeterKey = ${(manifest.meters ?? []).map(({ key }) => `'${key}'`).join(' | ') || 'never'}`,
    `export type TeamRole = 'owner' | 'member'${(manifest.roles ?? []).map((role) => ` | '${role}'`).join('')}`,
    `export type QueueName = ${(manifest.queues ?? []).map(({ name }) => `'${name}'`).join(' | ') || 'never'}`,
    `export type FlowName = ${(manifest.flows ?? []).map(({ name }) => `'${name}'`).join(' | ') || 'never'}`,
    `export type RoomName = ${(manifest.rooms ?? []).map(({ room }) => `'${room}'`).join(' | ') || 'never'}`,
    `export type EventName = ${(manifest.events ?? []).map(({ name }) => `'${name}'`).join(' | ') || 'never'}`,
    `export type ProviderId = ${(manifest.providers ?? []).map(({ id }) => `'${id}'`).join(' | ') || 'never'}`,
    `export type JobName = ${
      jobsOf(tree)
        .map((name) => `'${name}'`)
        .join(' | ') || 'never'
    }`,
    `export type PagePath = ${paths.join(' | ') || 'never'}\n`,
  ].join('\n')
}

/** Generates types of the results of the AI tasks that pages may run, without tasks for the server only. */
function taskTypes({ ai = [] }: Manifest): string {
  const entries = ai
    .filter(({ access = 'nobody' }) => access !== 'nobody')
    .map(
      ({ task, schema }) =>
        `  '${task}': ${schema === undefined ? '{ text: string }' : `FromSchema<${JSON.stringify(schema)}>`}`,
    )
  const tasks = entries.length === 0 ? 'Record<never, never>' : `{\n${entries.join('\n')}\n}`
  return `export type AiTasks = ${tasks}\nexport type AiTaskName = keyof AiTasks & string`
}

function recordTypes(name: string, declared: Record<string, FieldDeclaration>): string {
  const fields = Object.entries(declared)
  const record = fields.map(
    ([key, field]) =>
      `${docComment(field)}  ${key}: ${fieldType(field)}${isAlwaysSet(field) ? '' : ' | null'}`,
  )
  const input = fields.map(([key, field]) =>
    isRequiredOnCreate(field)
      ? `${docComment(field)}  ${key}: ${fieldType(field)}`
      : `${docComment(field)}  ${key}?: ${fieldType(field)} | null | undefined`,
  )
  return `export interface ${pascalCase(name)}Record {
  id: string
${record.join('\n')}
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
}
export interface ${pascalCase(name)}Input {
${input.join('\n')}
}
`
}

/** Returns the title and help of a field as a comment. The text must not end the comment. */
function docComment({ title, help }: FieldDeclaration): string {
  const text = [title, help].filter((part) => part !== undefined).join(': ')
  return text === '' ? '' : `  /** ${text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')} */\n`
}

const isAlwaysSet = (field: FieldDeclaration) => field.required === true
const isRequiredOnCreate = (field: FieldDeclaration) => field.required === true && field.default === undefined

function fieldType(field: FieldDeclaration): string {
  switch (field.type) {
    case 'number':
    case 'integer':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'enum':
      return (field.values ?? []).map((value) => JSON.stringify(value)).join(' | ') || 'never'
    case 'list':
      return 'string[]'
    case 'json':
      return 'unknown'
    default:
      return 'string'
  }
}

/** Imports the account and team pages only for an app with accounts or teams, so that other bundles do not contain these pages. */
function peopleLines(uses: Manifest['uses']): string {
  if (uses.includes('team'))
    return `import { people as accounts } from './auth/ui/people.tsx'
import { withTeams } from './team/ui/with-teams.tsx'
export const people = withTeams(accounts)`
  return uses.includes('auth')
    ? "export { people } from './auth/ui/people.tsx'"
    : 'export const people: AccountComponents | null = null'
}

/** Imports the form control for files only for an app with uploads, so that other bundles do not contain the control. */
const fileFieldLine = (uses: Manifest['uses']): string =>
  uses.includes('files')
    ? "export { FileField } from './files/ui/file-field.tsx'"
    : 'export const FileField: ComponentType<FileFieldProps> | null = null'

/**
 * Generates the module with the app's pages. Account pages and the file control are included only if the app uses the
 * corresponding capability.
 */
function generatePages({ pages, uses, ...app }: Manifest): string {
  const types = [
    ...(uses.includes('files') ? [] : ["import type { FileFieldProps } from './files/ui/file-field.tsx'"]),
    ...(uses.includes('auth') || uses.includes('team')
      ? []
      : ["import type { AccountComponents } from './web/people.ts'"]),
  ]
  const imports = pages.map(({ file }, i) => `import Page${i} from '../web/pages/${file}'`)
  const entries = pages.map(
    ({ path, title, file, access = 'public' }, i) =>
      `  { path: ${JSON.stringify(path)}, title: ${JSON.stringify(title)}, file: 'web/pages/${file}', access: '${access}', component: Page${i} },`,
  )
  return `${GENERATED_HEADER}import type { ComponentType } from 'react'
${[...types, ...imports].join('\n')}

export interface PageEntry {
  path: string
  title: string
  file: string
  access: 'public' | 'members' | 'staff'
  component: ComponentType
}
export const pages: PageEntry[] = [
${entries.join('\n')}
]
${peopleLines(uses)}
${fileFieldLine(uses)}
${iconLine(app)}
${uses.includes('events') ? "export { trackView } from './events/send-events.ts'" : 'export const trackView: (() => void) | null = null'}
`
}

const JOB_FILE = /^server\/jobs\/([a-z][A-Za-z0-9-]{0,59})\.ts$/

export const jobsOf = (tree: ReadonlyMap<string, string>): string[] =>
  [...tree.keys()].flatMap((path) => JOB_FILE.exec(path)?.[1] ?? []).sort()

function generateHandlers(tree: ReadonlyMap<string, string>): string {
  const hasRoutes = tree.has('server/routes.ts')
  const jobs = jobsOf(tree)
  const imports = [
    ...(hasRoutes ? ["import * as routes from '../server/routes.ts'"] : []),
    ...jobs.map((name, i) => `import * as job${i} from '../server/jobs/${name}.ts'`),
  ]
  const entries = jobs.map((name, i) => `  '${name}': job${i},`)
  return `${GENERATED_HEADER}${imports.map((line) => `${line}\n`).join('')}
export const routeModule: object = ${hasRoutes ? 'routes' : '{}'}
export const jobModules: Readonly<Record<string, { default?: unknown }>> = {
${entries.join('\n')}
}
`
}

const pascalCase = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const titleFromName = (name: string): string =>
  pascalCase(name).replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
