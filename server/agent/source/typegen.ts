import { createHash } from 'node:crypto'
import type { FieldDeclaration, Manifest } from './manifest-schema.ts'

const HEADER = '// Generated from app.json. Do not edit.\n'

/** What the runtime knows of an app: the part of `app.json` that outlives a request. */
function compileManifest({ name, collections, migrations }: Manifest) {
  const compiled = Object.entries(collections).map(([key, collection]) => [
    key,
    {
      title: collection.title ?? titleOf(key),
      partition: collection.partition,
      read: collection.read ?? 'members',
      write: collection.write ?? 'staff',
      fields: collection.fields,
    },
  ])
  return { name, collections: Object.fromEntries(compiled), migrations }
}

/** The generated modules of `platform/`, by path. */
export function generateModules(manifest: Manifest, tree: ReadonlyMap<string, string>): Map<string, string> {
  return new Map([
    ['platform/types.gen.ts', generateTypes(manifest)],
    ['platform/manifest.gen.ts', generateManifest(manifest)],
    ['platform/pages.gen.ts', generatePages(manifest)],
    ['platform/handlers.gen.ts', generateHandlers(tree)],
  ])
}

/** The compiled manifest and the hash that names it in the objects. */
export function compileApp(manifest: Manifest) {
  const compiled = compileManifest(manifest)
  // The name is only shown; a rename must not make the object prepare its tables again.
  const { name: _name, ...judged } = compiled
  const hash = createHash('sha256').update(JSON.stringify(judged)).digest('hex').slice(0, 32)
  return { hash, manifest: compiled }
}

/** The module from which an app knows its manifest. */
function generateManifest(manifest: Manifest): string {
  const { hash, manifest: compiled } = compileApp(manifest)
  return `${HEADER}import type { Manifest } from './kernel/manifest.ts'

export const manifest: Manifest = ${JSON.stringify(compiled, null, 2)}
export const manifestHash: string = '${hash}'
`
}

/** Records, inputs and page names as types, so that the compiler catches a wrong field. */
function generateTypes(manifest: Manifest): string {
  // Without the capability there is nothing to name, and every call of it is a type error.
  const names = manifest.uses.includes('data') ? Object.keys(manifest.collections) : []
  const entries = names.map((name) => {
    const { fields } = manifest.collections[name]!
    const indexed = Object.entries(fields)
      .filter(([, field]) => field.index === true || field.unique === true || field.type === 'ref')
      .map(([field]) => `'${field}'`)
    return `  ${name}: { record: ${pascal(name)}Record; input: ${pascal(name)}Input; indexed: ${indexed.join(' | ') || 'never'} }`
  })
  const paths = manifest.pages.map((page) => `'${page.path}'`)
  return [
    HEADER,
    ...names.map((name) => recordTypes(name, manifest)),
    `export interface Collections {\n${entries.join('\n')}\n}\n`,
    `export type PagePath = ${paths.join(' | ') || 'never'}\n`,
  ].join('\n')
}

function recordTypes(name: string, manifest: Manifest): string {
  const fields = Object.entries(manifest.collections[name]!.fields)
  const record = fields.map(
    ([key, field]) => `  ${key}: ${typeOf(field)}${isAlwaysSet(field) ? '' : ' | null'}`,
  )
  const input = fields.map(([key, field]) =>
    isNeeded(field) ? `  ${key}: ${typeOf(field)}` : `  ${key}?: ${typeOf(field)} | null | undefined`,
  )
  return `export interface ${pascal(name)}Record {
  id: string
${record.join('\n')}
  ownerId: string | null
  rev: number
  createdAt: string
  updatedAt: string
}
export interface ${pascal(name)}Input {
${input.join('\n')}
}
`
}

const isAlwaysSet = (field: FieldDeclaration) => field.required === true
const isNeeded = (field: FieldDeclaration) => field.required === true && field.default === undefined

function typeOf(field: FieldDeclaration): string {
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

/** The app's pages, and with accounts those that every such app has. */
function generatePages({ pages, uses }: Manifest): string {
  const imports = pages.map(({ file }, i) => `import Page${i} from '../web/pages/${file}'`)
  const entries = pages.map(
    ({ path, title, file, access = 'public' }, i) =>
      `  { path: ${JSON.stringify(path)}, title: ${JSON.stringify(title)}, file: 'web/pages/${file}', access: '${access}', component: Page${i} },`,
  )
  return `${HEADER}import type { ComponentType } from 'react'
${uses.includes('auth') ? '' : "import type { People } from './web/people.ts'\n"}${imports.join('\n')}

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
${
  // Only an app with accounts has their pages in its bundle.
  uses.includes('auth')
    ? "export { people } from './auth/ui/people.tsx'"
    : 'export const people: People | null = null'
}
`
}

function generateHandlers(tree: ReadonlyMap<string, string>): string {
  return tree.has('server/routes.ts')
    ? `${HEADER}import * as routes from '../server/routes.ts'\n\nexport const routeModule: object = routes\n`
    : `${HEADER}export const routeModule: object = {}\n`
}

const pascal = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const titleOf = (name: string): string =>
  pascal(name).replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
