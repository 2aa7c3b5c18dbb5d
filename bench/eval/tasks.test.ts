import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { starterTree } from '../../server/agent/source/tree.ts'
import { startApp } from '../../server/agent/testing/bundle.ts'
import { launchBrowser } from '../../test/browser/browser.ts'
import { startFakeService } from './fake-service.ts'
import { loadTasks, OWN_TASKS } from './load-tasks.ts'
import { CHECK_LIMITS, runCheck } from './run-checks.ts'
import { skipReason } from './run-task.ts'
import type { Task } from './task.ts'

/** The tasks that the scaffold can build. Never remove one from this list: the scaffold must remain able to build all of them. */
const SCAFFOLD = [
  'books',
  'bug-list',
  'contacts',
  'orders',
  'plants',
  'projects-and-tasks',
  'suppliers',
  'vague',
]

/**
 * Selects the only task that this test builds, because building all tasks would take long. `npm run eval -- --provider scripted` builds all
 * of them.
 */
const isProven = (task: Task) => task.name === 'team-sprint'

const AT_ONCE = 4

describe('the tasks of the evaluation', () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser.close())

  test('the scripted model runs every evaluation task, and the generator without AI (`scaffold`) only the tasks listed for it', async () => {
    const tasks = await loadTasks(OWN_TASKS)
    const doneBy = (kind: 'scripted' | 'scaffold') =>
      tasks.filter((task) => skipReason({ kind }, task) === null).map((task) => task.name)
    assert.deepEqual(
      doneBy('scripted'),
      tasks.map((task) => task.name),
    )
    assert.deepEqual(doneBy('scaffold'), SCAFFOLD)
  })

  test('every check of every evaluation task fails in an app that has only a heading', async () => {
    const empty = await startFakeService([], [])
    const checks = (await loadTasks(OWN_TASKS)).flatMap((task) =>
      task.tickets.flatMap((step) => step.checks.map((check) => ({ task: task.name, check }))),
    )
    const passing: string[] = []
    const work = async () => {
      for (let next = checks.pop(); next !== undefined; next = checks.pop()) {
        const limits = { ...CHECK_LIMITS, actionMs: 150 }
        if ((await runCheck(browser, `${empty.url}/app`, next.check, limits)) === null)
          passing.push(`${next.task}: ${next.check.name}`)
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, work))
    await empty.close()
    assert.deepEqual(passing, [])
  })

  test('the scripted app of the evaluation task team-sprint passes the checks of every ticket', async () => {
    const tasks = (await loadTasks(OWN_TASKS)).filter(isProven)
    assert.ok(tasks.length > 0)
    for (const task of tasks) {
      const tree = new Map(starterTree(task.name))
      for (const step of task.tickets) {
        const calls = (step.script ?? []).flatMap((turn) => turn.toolCalls)
        const writes = calls.filter((call) => call.name === 'write_file')
        for (const { args } of writes) {
          const { path, content } = args as { path: string; content: string }
          tree.set(path, content)
        }
        const { uses = [] } = JSON.parse(tree.get('app.json') ?? '{}') as { uses?: string[] }
        const app = await startApp(tree, { enabled: uses, tier: 'preview' })
        try {
          for (const check of writes.length === 0 ? [] : step.checks)
            assert.equal(await runCheck(browser, app.url.href, check), null, task.name)
        } finally {
          await app.stop()
        }
      }
    }
  })
})
