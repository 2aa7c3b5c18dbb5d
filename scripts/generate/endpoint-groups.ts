import { globSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { CAPABILITY_KEYS } from '../../runtime/capabilities.ts'
import { ROOT } from '../lib.ts'

const GENERATED_FILE = 'server/tables/endpoint-groups.ts'

/** Operator routes of capabilities are left out, because the group `operatorRoutes` contains them. */
const OPERATOR_ROUTES: ReadonlySet<string> = new Set(
  CAPABILITY_KEYS.map((key) => `server/capabilities/${key}/${key}.routes.ts`),
)

const readText = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** Returns the path and the text of the generated module that lists the groups of endpoints of all files `*.routes.ts`. */
export function endpointGroups(): [path: string, text: string] {
  const sources = globSync('server/**/*.routes.ts', { cwd: ROOT })
    .filter((path) => !OPERATOR_ROUTES.has(path))
    .sort()
    .map((path) => ({ path, text: readText(path) }))
  return [GENERATED_FILE, groupsModule(sources, readText(GENERATED_FILE))]
}

/**
 * Returns the text of the generated module. Groups keep their order in the checked-in module, because the API contract has the same order.
 * New groups come last.
 */
export function groupsModule(sources: readonly { path: string; text: string }[], checkedIn: string): string {
  const modules = sources.map(({ path, text }) => ({
    path,
    names: [...text.matchAll(/^export const (\w+Routes)\b/gm)].map(([, name = '']) => name),
  }))
  const placeOf = (name: string) => {
    const at = checkedIn.indexOf(`\n  ${name},\n`)
    return at < 0 ? checkedIn.length : at
  }
  const imports = modules
    .filter(({ names }) => names.length > 0)
    .map(({ path, names }) => {
      const from = relative(dirname(GENERATED_FILE), path)
      return `import { ${names.join(', ')} } from '${from}'\n`
    })
  const ordered = modules.flatMap(({ names }) => names).toSorted((a, b) => placeOf(a) - placeOf(b))
  return `// Made by \`npm run generate\` from the files \`*.routes.ts\`. Do not edit.
${imports.join('')}import type { Endpoint } from '../http/endpoint.ts'

export const ENDPOINT_GROUPS: readonly Endpoint[][] = [
${ordered.map((name) => `  ${name},\n`).join('')}]
`
}
