import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CAPABILITY_KEYS } from '../runtime/capabilities.ts'
import { ROOT } from './lib.ts'

const GENERATED_FILE = 'server/endpoint-groups.ts'

/**
 * Returns the generated module that lists the groups of endpoints of all files `*.routes.ts`. Operator routes of a capability are left out,
 * because `operatorRoutes` contains them. Groups keep the order of the checked-in module, which is that of the contract, and new ones are
 * last.
 */
export function endpointGroups(): [path: string, text: string] {
  const written = readText(GENERATED_FILE)
  const groups = globSync('server/**/*.routes.ts', { cwd: ROOT })
    .filter((path) => !OPERATOR_ROUTES.has(path))
    .sort()
    .flatMap((path) =>
      [...readText(path).matchAll(/^export const (\w+Routes)\b/gm)].map(([, name = '']) => ({ name, path })),
    )
  const placeOf = (name: string) => {
    const at = written.search(new RegExp(`^  ${name},$`, 'm'))
    return at < 0 ? written.length : at
  }
  const ordered = groups.toSorted((a, b) => placeOf(a.name) - placeOf(b.name))
  const imports = [...Map.groupBy(groups, ({ path }) => path)].map(([path, those]) => {
    const names = those.map(({ name }) => name).join(', ')
    return `import { ${names} } from './${relative(dirname(GENERATED_FILE), path)}'\n`
  })
  return [
    GENERATED_FILE,
    `// Made by \`npm run generate\` from the files \`*.routes.ts\`. Do not edit.
${imports.join('')}import type { Endpoint } from './http/endpoint.ts'

export const ENDPOINT_GROUPS: readonly Endpoint[][] = [
${ordered.map(({ name }) => `  ${name},\n`).join('')}]
`,
  ]
}

const OPERATOR_ROUTES: ReadonlySet<string> = new Set(
  CAPABILITY_KEYS.map((key) => `server/capabilities/${key}/${key}.routes.ts`),
)

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
