import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openCheckers } from '../../agent/check/pool/pool.ts'
import { Workspace } from '../../agent/loop/workspace.ts'
import { starterTree } from '../../agent/source/tree.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { Platform } from '../../platform.ts'
import { silentLog } from '../../testing/database.ts'
import { checkOf } from './check.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Plants',
  uses: ['auth', 'data', 'files'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const TREE = new Map([
  ...starterTree('Plants'),
  ['app.json', JSON.stringify(MANIFEST, null, 2)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\n\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])

describe('the check of a build', () => {
  const checkers = openCheckers({ size: 1, log: silentLog })
  after(() => checkers.close())
  const run = checkOf(
    // Nothing else of either is read, and the app has no packages of its own.
    { checkers, packages: { folderFor: async () => null } } as unknown as Platform,
    { org_id: 'org_plants', base_sha: null } as RunRow,
  )

  async function warningsWith(enabled: string[]) {
    const workspace = new Workspace({ base: TREE, tree: TREE, enabled, known: [] })
    const report = await run(workspace, AbortSignal.timeout(60_000))
    assert.ok(report.ok, JSON.stringify(report.checks.flatMap(({ errors }) => errors)))
    return report.checks.flatMap(({ warnings = [] }) => warnings)
  }

  test('an app that uses capabilities which are off is checked as if they were on, and one warning names each that is off', async () => {
    const warnings = await warningsWith(['auth'])
    assert.deepEqual(
      warnings.map(({ phase, file, code, message }) => ({ phase, file, code, message })),
      ['data', 'files'].map((key) => ({
        phase: 'manifest',
        file: 'app.json',
        code: 'capability_off',
        message: `${key} is used but off in this project. Switch it on, or tell the user to.`,
      })),
    )
  })

  test('an app whose capabilities are all on has no warning of one that is off', async () => {
    assert.deepEqual(await warningsWith(['auth', 'data', 'files']), [])
  })
})
