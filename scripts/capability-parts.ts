import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CAPABILITY_KEYS } from '../runtime/capabilities.ts'
import { ROOT } from './lib.ts'

const GENERATED_HEADER = '// Made by `npm run generate` from the folders of the capabilities. Do not edit.\n'

/**
 * Returns the generated modules that import a file of each capability, by path: from `runtime/<key>/` for the app's worker and the admin
 * worker, from `server/capabilities/<key>/` for the service.
 */
export const capabilityParts = (): Map<string, string> =>
  new Map([
    [
      'server/capability-catalog/declarations.ts',
      exportsOf('../capabilities', '', (key) => `${key}/declaration.ts`),
    ],
    ['server/capabilities/routes.ts', exportsOf('.', 'Routes', (key) => `${key}/${key}.routes.ts`)],
    ['runtime/mounts.ts', partsModule('mount', 'Mount', 'MOUNTS')],
    ['runtime/operators.ts', partsModule('operator', 'OperatorRoutes', 'OPERATORS')],
    ['runtime/object-parts.ts', objectPartsModule()],
    ['runtime/object-types.ts', objectTypesModule()],
  ])

function exportsOf(from: string, suffix: string, fileOf: (key: string) => string): string {
  const keys = [...CAPABILITY_KEYS].sort()
  const there = keys.filter((key) => existsSync(join(ROOT, 'server/capabilities', fileOf(key))))
  const named = (key: string) => (suffix === '' ? key : `${key}${suffix} as ${key}`)
  return `${GENERATED_HEADER}${there.map((key) => `export { ${named(key)} } from '${from}/${fileOf(key)}'\n`).join('')}`
}

/** The folders whose files are listed: `directory` is the read model that every project has, and no capability. */
const FOLDERS = [...CAPABILITY_KEYS, 'directory']

const keysWith = (file: string) =>
  FOLDERS.filter((key) => existsSync(join(ROOT, 'runtime', key, `${file}.ts`)))

const textOf = (key: string, file: string) => readFileSync(join(ROOT, 'runtime', key, `${file}.ts`), 'utf8')

const importsOf = (file: string) =>
  keysWith(file)
    .sort()
    .map((key) => `import { ${file} as ${key} } from './${key}/${file}.ts'\n`)
    .join('')

function partsModule(file: string, type: string, name: string): string {
  const keys = keysWith(file)
  return `${GENERATED_HEADER}${importsOf(file)}import type { ${type} } from './kernel/mount.ts'

export const ${name}: Readonly<Record<string, ${type}>> = {
${keys.map((key) => `  ${key},\n`).join('')}}
`
}

function objectPartsModule(): string {
  const keys = keysWith('part')
  const reads = keys.map((key) => `      ReadsOf<typeof ${key}>`).join(',\n')
  const providers = keys.filter((key) => /^ {2}members: /m.test(textOf(key, 'part')))
  const members = providers.map((key) => `  | MembersOf<typeof ${key}>\n`).join('')
  return `${GENERATED_HEADER}${importsOf('part')}import type { MembersOf, ReadsOf, SomePart } from './kernel/part.ts'

export const PARTS: readonly SomePart[] = [
${keys.map((key) => `  ${key},\n`).join('')}]

/** The members of \`PartPlace\` that the parts provide. */
export type ProvidedMember =
${members}
declare module './kernel/admin.ts' {
  interface OperatorBinding
    extends
${reads} {}
}
`
}

/** Returns a module of types only: what each folder adds to the methods of the objects and to what a move copies. */
function objectTypesModule(): string {
  const keys = keysWith('object-types')
  const imports = [...keys].sort().map((key) => `import type * as ${key} from './${key}/object-types.ts'\n`)
  const merged = (target: string, name: string) => {
    const declares = new RegExp(`^export interface ${name} `, 'm')
    const those = keys
      .filter((key) => declares.test(textOf(key, 'object-types')))
      .map((key) => `      ${key}.${name}`)
    return `  interface ${target}\n    extends\n${those.join(',\n')} {}\n`
  }
  return `${GENERATED_HEADER}${imports.join('')}
declare module './kernel/objects.ts' {
${merged('AppObjectStub', 'Methods')}${merged('PartitionHead', 'Head')}}
`
}
