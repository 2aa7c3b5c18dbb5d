import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { CAPABILITY_KEYS } from '../runtime/capabilities.ts'
import { ROOT } from './lib.ts'

const HEADER = '// Made by `npm run generate` from the folders of the capabilities. Do not edit.\n'

/**
 * The generated modules that name the capabilities, by path: what the app's worker and the admin worker import of
 * `runtime/<key>/`, and what the service imports of `server/capabilities/<key>/`.
 */
export const capabilityParts = (): Map<string, string> =>
  new Map([
    ['server/capabilities/declarations.ts', exportsOf('', (key) => `${key}/declaration.ts`)],
    ['server/capabilities/routes.ts', exportsOf('Routes', (key) => `${key}/${key}.routes.ts`)],
    ['runtime/mounts.ts', partsModule('mount', 'Mount', 'MOUNTS')],
    ['runtime/operators.ts', partsModule('operator', 'OperatorRoutes', 'OPERATORS')],
  ])

function exportsOf(suffix: string, fileOf: (key: string) => string): string {
  const keys = [...CAPABILITY_KEYS].sort()
  const there = keys.filter((key) => existsSync(join(ROOT, 'server/capabilities', fileOf(key))))
  const named = (key: string) => (suffix === '' ? key : `${key}${suffix} as ${key}`)
  return `${HEADER}${there.map((key) => `export { ${named(key)} } from './${fileOf(key)}'\n`).join('')}`
}

function partsModule(file: string, type: string, name: string): string {
  const keys = CAPABILITY_KEYS.filter((key) => existsSync(join(ROOT, 'runtime', key, `${file}.ts`)))
  const imports = [...keys].sort().map((key) => `import { ${file} as ${key} } from './${key}/${file}.ts'\n`)
  return `${HEADER}${imports.join('')}import type { ${type} } from './kernel/mount.ts'

export const ${name}: Readonly<Record<string, ${type}>> = {
${keys.map((key) => `  ${key},\n`).join('')}}
`
}
