import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { openCheckers } from '../../agent/check/pool/pool.ts'
import { Workspace } from '../../agent/tools/workspace.ts'
import { removedStepIssues } from '../../agent/source/flow-steps.ts'
import { type AppTree, starterTree } from '../../agent/source/tree.ts'
import type { RunRow } from '../../db/tables/runs.ts'
import type { Ports } from '../../platform.ts'
import { silentLog } from '../../testing/database.ts'
import { createRunCheck } from './check.ts'

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

  async function warningsOf(base: AppTree, tree: AppTree, given: { enabled: string[]; sha: string | null }) {
    const run = createRunCheck(
      // `createRunCheck` uses only these ports and these columns of the run.
      { checkers, packages: { folderFor: async () => null } } as unknown as Pick<
        Ports,
        'checkers' | 'packages'
      >,
      { org_id: 'org_plants', base_sha: given.sha } as RunRow,
    )
    const workspace = new Workspace({ base, tree, enabled: given.enabled })
    const report = await run(workspace, AbortSignal.timeout(60_000))
    assert.ok(report.ok, JSON.stringify(report.checks.flatMap(({ errors }) => errors)))
    return report.checks.flatMap(({ warnings = [] }) => warnings)
  }
  const warningsWith = (enabled: string[]) => warningsOf(TREE, TREE, { enabled, sha: null })

  test('code that uses disabled capabilities gets one warning per capability and is checked as if all were enabled', async () => {
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

  test('an app whose capabilities are all enabled gets no warning about a disabled one', async () => {
    assert.deepEqual(await warningsWith(['auth', 'data', 'files']), [])
  })

  test('removing or renaming a workflow or a workflow step gives one warning, because waiting runs find their steps by name', async () => {
    const appWith = (flows: string[], lines: string[]) =>
      new Map([
        ...TREE,
        [
          'app.json',
          JSON.stringify({
            ...MANIFEST,
            uses: ['flow'],
            flows: flows.map((name) => ({ name, handler: 'order' })),
          }),
        ],
        [
          'tests/order.test.ts',
          `import { expect, test } from '@slipway/app/testing'\n\ntest('one', () => expect(1).toBe(1))\n`,
        ],
        [
          'server/jobs/order.ts',
          `import type { FlowStep } from '@slipway/app/server'\n\nexport default async (_: unknown, step: FlowStep) => {\n${lines.join('\n')}\n}\n`,
        ],
      ])
    const base = appWith(
      ['order', 'refund'],
      [
        "  await step.do('reserve', () => null)",
        '  await step.waitFor<{ euro: number }>("paid", { timeoutSeconds: 60 })',
        "  await step.do('ship', { retries: 5 }, () => null)",
      ],
    )
    const tree = appWith(
      ['order'],
      [
        "  await step.do('hold', () => null)",
        "  await step.waitFor('paid')",
        "  await step.do('ship', () => null)",
      ],
    )
    const given = { enabled: ['flow'], sha: 'b45e' }
    const seen = (await warningsOf(base, tree, given)).filter(({ code }) => code === 'flow_step')
    assert.deepEqual(
      seen.map(({ file, message }) => [file, message.slice(0, 36)]),
      [
        ['server/jobs/order.ts', 'The flow order had a step "reserve".'],
        ['app.json', 'The flow refund is gone: a run that '],
      ],
    )
    assert.deepEqual(removedStepIssues(tree, tree), [])
    assert.deepEqual(
      removedStepIssues(base, new Map([...tree, ['server/steps.ts', "step.do('reserve')"]])).length,
      1,
    )
  })
})
