import type { Endpoint } from '../../server/http/endpoint.ts'
import { requiredAccess, failuresOf } from '../../server/http/openapi.ts'

const GENERATED_NOTE = '<!-- Made by `npm run generate`. Do not edit. -->\n'

/** Returns a table with one row per route. The table is checked in, so that a change of the API shows as a diff. */
export function routesMarkdown(endpoints: Endpoint[]): string {
  const sections = [...Map.groupBy(endpoints, (endpoint) => endpoint.tag)].map(([tag, group]) => {
    const rows = group.map((endpoint) => {
      const failures = failuresOf(endpoint).filter((code) => !COMMON_CODES.has(code))
      return `| ${endpoint.method} | \`${endpoint.path}\` | ${requiredAccess(endpoint)} | ${endpoint.summary} | ${failures.map((code) => `\`${code}\``).join(' ')} |`
    })
    return `## ${tag}\n\n| Method | Path | Access | What | Own errors |\n|---|---|---|---|---|\n${rows.join('\n')}\n`
  })
  return `${GENERATED_NOTE}
# Routes

Paths are below \`/api/v1\` (and its older alias \`/api\`), except those under Ingest ingress and Operations, which
lie at the root.
Every route may also answer \`rate_limited\`, \`unavailable\` and \`server_error\`; every route with credentials
\`unauthorized\`, \`forbidden\`, \`two_factor_required\` and \`ip_not_allowed\`; every route with a scope \`forbidden_scope\`.

${sections.join('\n')}`
}

const COMMON_CODES: ReadonlySet<string> = new Set([
  'rate_limited',
  'unavailable',
  'server_error',
  'unauthorized',
  'two_factor_required',
  'ip_not_allowed',
  'forbidden',
  'forbidden_scope',
])

interface DescribedSetting {
  name: string
  meaning: string
}

/** Returns the tables of the settings: those of the service, and those that only the stand-ins of the local world read. */
export function settingsMarkdown(
  settings: readonly DescribedSetting[],
  localSettings: readonly DescribedSetting[],
): string {
  return `${GENERATED_NOTE}
# Settings

No setting is required. All of them are read from the environment at the start; with a wrong value the start ends with
a message that names it.

${settingsTable(settings)}

## The local world

The local world, the process with the stand-ins for the providers, reads these as well. The service passes them on to it.

${settingsTable(localSettings)}
`
}

const settingsTable = (settings: readonly DescribedSetting[]): string =>
  [
    '| Name | Meaning |',
    '|---|---|',
    ...settings.map(({ name, meaning }) => `| \`${name}\` | ${meaning} |`),
  ].join('\n')
