import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describeLocalSettings } from '../local/config.ts'
import { describeSettings } from '../server/environment.ts'
import { openApiDocument } from '../server/http/openapi.ts'
import { testDatabase } from '../server/testing/database.ts'
import { DEFAULT_PALETTE } from '../server/agent/source/look/look.ts'
import { paletteCss } from '../server/agent/source/look/palettes.ts'
import { VERSION } from '../server/version.ts'
import { capabilityParts, requireDeclarations } from './generate/capability-parts.ts'
import { endpointGroups } from './generate/endpoint-groups.ts'
import { withKitDigest } from './generate/kit-digest.ts'
import { ROOT } from './lib.ts'
import { routesMarkdown, settingsMarkdown } from './generate/markdown.ts'
import { dumpSchema } from './generate/schema-dump.ts'
import { writeSdkClient } from './generate/sdk-client.ts'

/**
 * Writes every generated file from the endpoint table, the settings and the migrations. With `--check` it writes to a temporary folder
 * instead, and fails with the names of the files that differ from the checked-in ones.
 */
const isCheck = process.argv.includes('--check')
const targetFolder = isCheck ? mkdtempSync(join(tmpdir(), 'slipway-generate-')) : ROOT

requireDeclarations()
// Write these modules first, because the modules below import them.
const partWrites = [...capabilityParts(), endpointGroups()].map(([path, text]) => writeGenerated(path, text))
const { ENDPOINTS } = await import('../server/tables/endpoints.ts')
const { appLock } = await import('./app-lock.ts')
const { capabilityCatalog, capabilityTable } = await import('./generate/capability-catalog.ts')

// An almost empty table means an error in the declarations and would produce an empty contract, so stop.
if (ENDPOINTS.length < 10)
  throw new Error('The endpoint table is almost empty; nothing is generated from that.')

const openApiText = `${JSON.stringify(openApiDocument(ENDPOINTS, VERSION), null, 2)}\n`
const writtenPaths = [
  ...partWrites,
  writeGenerated('docs/api/openapi.json', openApiText),
  writeGenerated('docs/api/routes.md', routesMarkdown(ENDPOINTS)),
  writeGenerated('docs/guides/settings.md', settingsMarkdown(describeSettings(), describeLocalSettings())),
  writeGenerated('server/agent/source/locked-packages.json', appLock()),
  writeGenerated('sdk/capabilities.gen.ts', capabilityCatalog()),
  writeGenerated('runtime/look.gen.css', paletteCss(DEFAULT_PALETTE)),
  writeGenerated('server/db/schema.sql', await migratedSchema()),
  writeGenerated('docs/api/capabilities.md', capabilityTable()),
  writeGenerated('docs/guides/app.md', withKitDigest(readFileSync(join(ROOT, 'docs/guides/app.md'), 'utf8'))),
  ...(await writeClient()),
]
if (isCheck) reportStale(writtenPaths)

function writeGenerated(path: string, text: string): string {
  const file = join(targetFolder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  return path
}

async function migratedSchema(): Promise<string> {
  const database = await testDatabase()
  try {
    return await dumpSchema(database.pool)
  } finally {
    await database.drop()
  }
}

async function writeClient(): Promise<string[]> {
  await writeSdkClient(join(targetFolder, 'docs/api/openapi.json'), join(targetFolder, 'sdk/client'))
  return globSync('sdk/client/**/*.ts', { cwd: targetFolder })
}

function reportStale(paths: string[]): void {
  const text = (folder: string, path: string) => {
    const file = join(folder, path)
    return existsSync(file) ? readFileSync(file, 'utf8') : null
  }
  const stale = paths.filter((path) => text(targetFolder, path) !== text(ROOT, path))
  const orphans = globSync('sdk/client/**/*.ts', { cwd: ROOT }).filter((path) => !paths.includes(path))
  rmSync(targetFolder, { recursive: true })
  if (stale.length + orphans.length === 0) return
  process.stderr.write(
    `Stale: ${[...stale, ...orphans].join(', ')}\nRun npm run generate and commit the result.\n`,
  )
  process.exitCode = 1
}
