import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAPABILITY_KEYS } from '../../runtime/capabilities.ts'
import { ROOT } from '../lib.ts'

const GENERATED_HEADER = '// Made by `npm run generate` from the folders of the capabilities. Do not edit.\n'

/**
 * Throws when the declaration of a capability is missing. Otherwise the modules that read all declarations would fail at their import, with
 * an error that names neither the capability nor the file.
 */
export function requireDeclarations(keys: readonly string[] = CAPABILITY_KEYS): void {
  const files = keys.map((key) => `server/capabilities/${key}/declaration.ts`)
  const missing = files.filter((file) => !existsSync(join(ROOT, file)))
  if (missing.length > 0)
    throw new Error(`Missing: ${missing.join(', ')}. Each key in runtime/capabilities.ts needs this file.`)
}

/**
 * Returns generated modules by their path. Each module imports the same file of every capability that has this file: from `runtime/<key>/`
 * for the app's worker, its Durable Objects and the admin worker, from `server/capabilities/<key>/` for the service, or from
 * `console/screens/capabilities/<key>/` for the console.
 */
export const capabilityParts = (): Map<string, string> =>
  new Map([
    [
      'server/capability-catalog/declarations.ts',
      exportsOf('../capabilities', '', (key) => `${key}/declaration.ts`),
    ],
    ['server/capabilities/routes.ts', exportsOf('.', 'Routes', (key) => `${key}/${key}.routes.ts`)],
    ['server/capabilities/actions.ts', actionsModule()],
    ['console/screens/capabilities/live-tabs.ts', liveTabsModule()],
    ['runtime/server-parts.ts', appImportsModule('server.ts')],
    ['runtime/client-parts.ts', appImportsModule('client.ts')],
    ['runtime/mounts.ts', partsModule('mount', 'Mount', 'MOUNTS')],
    ['runtime/operators.ts', partsModule('operator', 'OperatorRoutes', 'OPERATORS')],
    ['runtime/workers/live/rpc.ts', rpcModule()],
    ['runtime/workers/live/rpc-names.ts', rpcNamesModule()],
    ['runtime/workers/live/lazy-parts.ts', lazyPartsModule()],
    ['runtime/object-parts.ts', objectPartsModule()],
    ['runtime/object-types.ts', objectTypesModule()],
  ])

function exportsOf(from: string, suffix: string, fileOf: (key: string) => string): string {
  const keys = [...CAPABILITY_KEYS].sort()
  const there = keys.filter((key) => existsSync(join(ROOT, 'server/capabilities', fileOf(key))))
  const named = (key: string) => (suffix === '' ? key : `${key}${suffix} as ${key}`)
  return `${GENERATED_HEADER}${there.map((key) => `export { ${named(key)} } from '${from}/${fileOf(key)}'\n`).join('')}`
}

/** Returns the keys of capabilities whose folder `<root>/<key>` contains `file`, in the order of `keys`. */
const keysWith = (root: string, file: string, keys: readonly string[] = CAPABILITY_KEYS) =>
  keys.filter((key) => existsSync(join(ROOT, root, key, file)))

const textOf = (key: string, file: string) => readFileSync(join(ROOT, 'runtime', key, `${file}.ts`), 'utf8')

const importsOf = (keys: readonly string[], name: string, file: string) =>
  [...keys]
    .sort()
    .map((key) => `import { ${name} as ${key} } from './${key}/${file}'\n`)
    .join('')

const entriesOf = (keys: readonly string[]) => keys.map((key) => `  ${key},\n`).join('')

function actionsModule(): string {
  const keys = keysWith('server/capabilities', 'actions.ts')
  return `${GENERATED_HEADER}import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
${importsOf(keys, 'actions', 'actions.ts')}import type { CapabilityActions } from './capability-actions.ts'

export const ACTIONS: Readonly<Partial<Record<CapabilityKey, CapabilityActions>>> = {
${entriesOf(keys)}}
`
}

/**
 * Lists the first component that each `live-tab.tsx` exports, and the title, which is the first text of the `text.en.ts` beside that file.
 */
function liveTabsModule(): string {
  const folder = 'console/screens/capabilities'
  const firstExport = (path: string, pattern: RegExp): string => {
    const name = pattern.exec(readFileSync(join(ROOT, folder, path), 'utf8'))?.[1]
    if (name === undefined) throw new Error(`${folder}/${path} exports nothing of the form ${pattern.source}`)
    return name
  }
  const tabs = keysWith(folder, 'live-tab.tsx').map((key) => ({
    key,
    name: firstExport(`${key}/live-tab.tsx`, /^export function ([A-Z]\w*)/m),
    text: firstExport(`${key}/text.en.ts`, /^export const (\w+Text) /m),
  }))
  const imports = tabs
    .toSorted((a, b) => (a.key < b.key ? -1 : 1))
    .map(
      ({ key, name, text }) =>
        `import { ${name} } from './${key}/live-tab.tsx'\nimport { ${text} } from './${key}/text.en.ts'\n`,
    )
  return `${GENERATED_HEADER}${imports.join('')}
/** The tab of each capability that shows data of the live app. */
export const LIVE_TABS = {
${tabs.map(({ key, name, text }) => `  ${key}: { title: ${text}.tab, Tab: ${name} },\n`).join('')}} as const
`
}

/**
 * The folders of `runtime/` whose files the generated modules import. `directory`, the read model of every project, is not a capability.
 */
const RUNTIME_FOLDERS = [...CAPABILITY_KEYS, 'directory']

function partsModule(file: string, type: string, name: string): string {
  const keys = keysWith('runtime', `${file}.ts`, RUNTIME_FOLDERS)
  return `${GENERATED_HEADER}${importsOf(keys, file, `${file}.ts`)}import type { ${type} } from './kernel/worker/mount.ts'

export const ${name}: Readonly<Record<string, ${type}>> = {
${entriesOf(keys)}}
`
}

/**
 * Returns the methods of the live worker by the key of their capability: `timers` for `schedule`, whose `rpc.ts` exports `handleTimers`.
 */
function rpcMethods(): [key: string, method: string, handler: string][] {
  return keysWith('runtime', 'rpc.ts').map((key) => {
    const [, name] = /^export (?:const|function|async function) handle(\w+)/m.exec(textOf(key, 'rpc')) ?? []
    if (name === undefined)
      throw new Error(`runtime/${key}/rpc.ts exports no function with a name of handle...`)
    return [key, name.charAt(0).toLowerCase() + name.slice(1), `handle${name}`]
  })
}

const rpcModule = (): string =>
  GENERATED_HEADER +
  rpcMethods()
    .map(([key, method, handler]) => `export { ${handler} as ${method} } from '../../${key}/rpc.ts'\n`)
    .join('')

const rpcNamesModule = (): string => `${GENERATED_HEADER}
/** The methods of the live worker that a capability handles in its \`rpc.ts\`, which the first call of one of them loads. */
export const RPC_NAMES = [
${rpcMethods()
  .map(([, method]) => `  '${method}',\n`)
  .join('')}] as const
`

/** Exports everything that this file of each capability exports, which is what apps may import. */
const appImportsModule = (file: 'server.ts' | 'client.ts'): string =>
  GENERATED_HEADER +
  keysWith('runtime', file)
    .toSorted()
    .map((key) => `export * from './${key}/${file}'\n`)
    .join('')

/** Exports the functions that capabilities declare as members of `LazyParts` in their `object-types.ts`. */
function lazyPartsModule(): string {
  const exports = keysWith('runtime', 'object-types.ts')
    .toSorted()
    .flatMap((key) => {
      const text = textOf(key, 'object-types')
      const name = /^ {2}interface LazyParts \{\n {4}(\w+): typeof \1\n/m.exec(text)?.[1]
      if (name === undefined) return []
      const file = new RegExp(`^import type \\{ ${name} \\} from '\\./(.+)'$`, 'm').exec(text)?.[1]
      if (file === undefined) throw new Error(`runtime/${key}/object-types.ts does not import ${name} alone.`)
      return [`export { ${name} } from '../../${key}/${file}'\n`]
    })
  return `${GENERATED_HEADER}// One chunk for the parts that record reads and writes do not need, so that an object which only stores records starts faster.
${exports.join('')}`
}

function objectPartsModule(): string {
  const keys = keysWith('runtime', 'part.ts', RUNTIME_FOLDERS)
  const reads = keys.map((key) => `      ReadsOf<typeof ${key}>`).join(',\n')
  const providers = keys.filter((key) => /^ {2}members: /m.test(textOf(key, 'part')))
  const members = providers.map((key) => `  | MembersOf<typeof ${key}>\n`).join('')
  return `${GENERATED_HEADER}${importsOf(keys, 'part', 'part.ts')}import type { MembersOf, ReadsOf, SomePart } from './kernel/objects/part.ts'

export const PARTS: readonly SomePart[] = [
${entriesOf(keys)}]

/** The members of \`PartContext\` that the parts provide. */
export type ProvidedMember =
${members}
declare module './kernel/objects/admin.ts' {
  interface OperatorBinding
    extends
${reads} {}
}
`
}

/**
 * Returns a module that contains only types. The module adds the types of each folder to the methods of the Durable Objects and to the data
 * that a move to another cloud account copies.
 */
function objectTypesModule(): string {
  const keys = keysWith('runtime', 'object-types.ts', RUNTIME_FOLDERS)
  const imports = [...keys].sort().map((key) => `import type * as ${key} from './${key}/object-types.ts'\n`)
  const merged = (target: string, name: string) => {
    const declares = new RegExp(`^export interface ${name} `, 'm')
    const those = keys
      .filter((key) => declares.test(textOf(key, 'object-types')))
      .map((key) => `      ${key}.${name}`)
    return `  interface ${target}\n    extends\n${those.join(',\n')} {}\n`
  }
  return `${GENERATED_HEADER}${imports.join('')}
declare module './kernel/objects/objects.ts' {
${merged('AppObjectStub', 'Methods')}${merged('PartitionHead', 'Head')}}
`
}
