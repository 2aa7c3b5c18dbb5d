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
    ['server/capabilities/declarations.ts', exportsOf('', (key) => `${key}/declaration.ts`)],
    ['server/capabilities/routes.ts', exportsOf('Routes', (key) => `${key}/${key}.routes.ts`)],
    ['runtime/mounts.ts', partsModule('mount', 'Mount', 'MOUNTS')],
    ['runtime/operators.ts', partsModule('operator', 'OperatorRoutes', 'OPERATORS')],
    ['runtime/object-parts.ts', objectPartsModule()],
    ['runtime/object-types.ts', objectTypesModule()],
  ])

function exportsOf(suffix: string, fileOf: (key: string) => string): string {
  const keys = [...CAPABILITY_KEYS].sort()
  const there = keys.filter((key) => existsSync(join(ROOT, 'server/capabilities', fileOf(key))))
  const named = (key: string) => (suffix === '' ? key : `${key}${suffix} as ${key}`)
  return `${GENERATED_HEADER}${there.map((key) => `export { ${named(key)} } from './${fileOf(key)}'\n`).join('')}`
}

const keysWith = (file: string) =>
  CAPABILITY_KEYS.filter((key) => existsSync(join(ROOT, 'runtime', key, `${file}.ts`)))

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
  const reads = keys.map((key) => `    ReadsOf<typeof ${key}>`).join(',\n')
  return `${GENERATED_HEADER}${importsOf('part')}import type { ReadsOf, SomePart } from './kernel/part.ts'

export const PARTS: readonly SomePart[] = [
${keys.map((key) => `  ${key},\n`).join('')}]

/** The methods of all capabilities that only the admin worker may call. */
export interface PartReads
  extends
${reads} {}
`
}

/**
 * Returns a module of types only. Workers that call an object by its name import it, because the other module would bundle the object's
 * code.
 */
function objectTypesModule(): string {
  const keys = keysWith('object-types')
  const imports = [...keys].sort().map((key) => `import type * as ${key} from './${key}/object-types.ts'\n`)
  const merged = (name: string) => {
    const declares = new RegExp(`^export interface ${name} `, 'm')
    const textOf = (key: string) => readFileSync(join(ROOT, 'runtime', key, 'object-types.ts'), 'utf8')
    const those = keys.filter((key) => declares.test(textOf(key))).map((key) => `${key}.${name}`)
    const line = `  extends ${those.join(', ')} {}`
    // Break a long line as the formatter does.
    return line.length <= 110 ? `${line}\n` : `  extends\n    ${those.join(',\n    ')} {}\n`
  }
  return `${GENERATED_HEADER}${imports.join('')}
/** The methods that all capabilities add to the project's Durable Object class. */
export interface PartMethods
${merged('Methods')}
/** The data of all capabilities that is copied when an app moves to another account. */
export interface PartHeads
${merged('Head')}`
}
