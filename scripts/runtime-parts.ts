import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BUILT_KEYS } from '../runtime/capabilities.ts'
import { ROOT } from './lib.ts'

const HEADER = '// Made by `npm run generate` from the folders of runtime/. Do not edit.\n'

/**
 * The generated modules that import `runtime/<key>/`, by path: one for the app's worker, one for the admin
 * worker.
 */
export const runtimeParts = (): Map<string, string> =>
  new Map([
    ['runtime/mounts.ts', partsModule('mount', 'Mount', 'MOUNTS')],
    ['runtime/operators.ts', partsModule('operator', 'OperatorRoutes', 'OPERATORS')],
  ])

function partsModule(file: string, type: string, name: string): string {
  const keys = BUILT_KEYS.filter((key) => existsSync(join(ROOT, 'runtime', key, `${file}.ts`)))
  const imports = [...keys].sort().map((key) => `import { ${file} as ${key} } from './${key}/${file}.ts'\n`)
  return `${HEADER}${imports.join('')}import type { ${type} } from './kernel/mount.ts'

export const ${name}: Readonly<Record<string, ${type}>> = {
${keys.map((key) => `  ${key},\n`).join('')}}
`
}
