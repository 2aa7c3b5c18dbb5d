import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { launchBrowser } from '../../test/browser/browser.ts'
import { type FakeBuild, startFakeService } from './fake-service.ts'
import { NO_USAGE, type TaskResult, totalOf } from './figures.ts'
import { loadTasks, OWN_TASKS } from './load-tasks.ts'
import { formatMarkdown, formatReport } from './report.ts'
import { runCheck } from './run-checks.ts'
import { earlierPromises, runTask, skipReason } from './run-task.ts'
import { joinTarget } from './target.ts'
import type { Check, Task } from './task.ts'

const checkText = (text: string, until?: number): Check => ({
  name: `shows ${text}`,
  // No waiting is needed, because the fake service's page is complete when it is loaded.
  run: async (page) => assert.ok(await page.getByText(text).isVisible(), 'it does not'),
  ...(until !== undefined && { until }),
})
const failingCheck = (name: string): Check => ({ name, run: () => Promise.reject(new Error('it does not')) })

const run = { type: 'run', run: 'run_1', ticketId: 'tkt_1', attempt: 1, seq: 1 }
const builtFrames = (url: string, ...files: object[]): FakeBuild => [
  run,
  ...files.map((file, i) => ({ type: 'file', bytes: 1, added: 1, removed: 0, seq: i + 2, ...file })),
  { type: 'done', status: 'built', run: 'run_1', previewUrl: `${url}/app`, seq: files.length + 2 },
]

describe('evaluating a model', () => {
  let browser: Browser
  before(async () => {
    browser = await launchBrowser()
  })
  after(() => browser.close())

  /**
   * Runs a task against a fake service with scripted builds. After each build, the app of the fake service shows the next entry of `pages`.
   */
  async function evaluate(
    tickets: Task['tickets'],
    builds: (url: string) => FakeBuild[],
    pages: string[],
    limitMs = 10_000,
  ) {
    const list: FakeBuild[] = []
    const service = await startFakeService(list, pages)
    list.push(...builds(service.url))
    try {
      const target = await joinTarget(`${service.url}/`, 'svk_test')
      const task: Task = { name: 'sample', about: '', tickets }
      const result = await runTask(target, browser, task, {
        run: 1,
        limitMs,
        pictures: null,
        judge: null,
        label: null,
      })
      return { result, asked: service.asked }
    } finally {
      await service.close()
    }
  }

  test('an evaluated ticket passes when its build and all its checks pass, and its edits, rewrites and tokens are counted', async () => {
    const { result } = await evaluate(
      [{ title: 'One', checks: [checkText('red')] }],
      (url) => [
        builtFrames(
          url,
          { path: 'web/pages/Home.tsx', op: 'write' },
          { path: 'shared/new.ts', op: 'write' },
          { path: 'shared/new.ts', op: 'edit' },
        ),
      ],
      ['red'],
    )
    const [ticket] = result.tickets
    assert.equal(result.passed, true, JSON.stringify(ticket?.problems))
    assert.deepEqual([ticket?.edits, ticket?.rewrites, ticket?.checks], [1, 1, { passed: 1, total: 1 }])
    assert.deepEqual(ticket?.usage, { input: 10, output: 5, cacheRead: 2, cacheWrite: 0 })
  })

  test('a failed check of an evaluated app fails the ticket, and the result has the name of the check and the reason', async () => {
    const { result } = await evaluate(
      [{ title: 'One', checks: [checkText('red'), failingCheck('opens the door')] }],
      (url) => [builtFrames(url)],
      ['red'],
    )
    assert.equal(result.passed, false)
    assert.deepEqual(result.tickets[0]?.problems, ['opens the door: it does not'])
    assert.deepEqual(result.tickets[0]?.checks, { passed: 1, total: 2 })
  })

  test('a check of an earlier ticket that fails after a later ticket counts as a regression, unless it applies only until that ticket', async () => {
    const kept = { name: 'shows red', run: checkText('red').run }
    const takenBack = checkText('apple', 2)
    const { result } = await evaluate(
      [
        { title: 'One', checks: [kept, takenBack] },
        { title: 'Two', checks: [checkText('blue')] },
      ],
      (url) => [builtFrames(url), builtFrames(url)],
      ['red apple', 'blue'],
    )
    assert.deepEqual(
      result.tickets.map((ticket) => [ticket.passed, ticket.regressions]),
      [
        [true, 0],
        [false, 1],
      ],
    )
    assert.match(result.tickets[1]?.problems[0] ?? '', /^broke what worked before: shows red/)
  })

  test('an evaluation reports the kind and message of a failed build, and cancels a build that never ends', async () => {
    const error = {
      type: 'error',
      kind: 'stuck',
      message: 'The same error came back.',
      retryable: true,
      seq: 2,
    }
    const failed = await evaluate([{ title: 'One', checks: [] }], () => [[run, error]], [])
    assert.match(
      failed.result.tickets[0]?.problems[0] ?? '',
      /^ended as stuck instead of built\. The same error came back\.$/,
    )
    const { result, asked } = await evaluate([{ title: 'Two', checks: [] }], () => ['silence'], [], 700)
    assert.equal(result.tickets[0]?.outcome, 'timeout')
    assert.ok(asked.some(({ route }) => route.endsWith('/build/cancel')))
  })

  test('questions that a build asks during an evaluation get the answers of the task or, without one, their default answers', async () => {
    const questions = [
      { id: 'q1', question: 'What should the app TRACK?', options: ['a', 'b'], default: 'a' },
      { id: 'q2', question: 'Which colour?', options: ['red', 'blue'], default: 'red' },
    ]
    const awaiting = { type: 'done', status: 'awaiting', run: 'run_1', questions, seq: 2 }
    const { result, asked } = await evaluate(
      [{ title: 'One', answers: { track: 'b' }, checks: [] }],
      (url) => [[run, awaiting], builtFrames(url)],
      ['', ''],
    )
    assert.deepEqual([result.passed, result.tickets[0]?.questions], [true, 2])
    const [, second] = asked.filter(({ route }) => route.endsWith('/build/stream'))
    assert.deepEqual(second?.body, {
      answers: [
        { id: 'q1', value: 'b' },
        { id: 'q2', value: 'red' },
      ],
    })
  })

  test('an evaluation aborts a check that takes longer than its time limit', async () => {
    const service = await startFakeService([], [])
    const endless: Check = { name: 'waits', run: () => new Promise(() => {}) }
    const problem = await runCheck(browser, `${service.url}/app`, endless, { actionMs: 5000, checkMs: 300 })
    await service.close()
    assert.equal(problem, 'waits: took longer than 0.3 s')
  })

  test('the generator without AI (`scaffold`) skips tasks with free-form code, and the scripted model skips tasks without a script', () => {
    const plain: Task = { name: 'a', about: '', tickets: [{ title: 'One', checks: [] }] }
    const free: Task = { ...plain, requires: ['free-form'] }
    assert.equal(skipReason({ kind: 'scaffold' }, plain), null)
    assert.match(skipReason({ kind: 'scaffold' }, free) ?? '', /scaffold/)
    assert.match(skipReason({ kind: 'scripted' }, plain) ?? '', /script/)
    assert.equal(skipReason({ kind: 'model' }, free), null)
  })

  test('the checks of a ticket are repeated for each later ticket until the ticket that their `until` names', () => {
    const tickets = [
      { title: '1', checks: [checkText('a'), checkText('b', 3)] },
      { title: '2', checks: [] },
      { title: '3', checks: [] },
    ]
    const task: Task = { name: 'a', about: '', tickets }
    const names = [0, 1, 2].map((index) => earlierPromises(task, index).map((check) => check.name))
    assert.deepEqual(names, [[], ['shows a', 'shows b'], ['shows a']])
  })

  test('all thirty evaluation tasks load, and an unknown task, an empty folder or a task not named like its file is an error', async () => {
    const tasks = await loadTasks(OWN_TASKS)
    assert.equal(tasks.length, 30)
    assert.deepEqual(
      (await loadTasks(OWN_TASKS, ['plants'])).map((task) => task.name),
      ['plants'],
    )
    await assert.rejects(loadTasks(OWN_TASKS, ['nope']), /No task nope\. There are: .*plants/)
    const folder = mkdtempSync(join(tmpdir(), 'slipway-eval-'))
    await assert.rejects(loadTasks(folder), /No \*\.task\.ts/)
    writeFileSync(join(folder, 'one.task.ts'), `export const task = { name: 'two', about: '', tickets: [] }`)
    await assert.rejects(loadTasks(folder), /must be one/)
    rmSync(folder, { recursive: true })
  })

  test('the report of an evaluation names the failed checks and counts the passed tasks, tickets and checks', () => {
    const ticket = {
      title: 'One',
      outcome: 'built',
      passed: false,
      problems: ['shows red: it does not'],
      checks: { passed: 1, total: 2 },
      regressions: 0,
      questions: 1,
      edits: 3,
      rewrites: 1,
      usage: { ...NO_USAGE, input: 100, output: 20 },
      seconds: 1.26,
    }
    const result = {
      task: 'plants',
      model: 'm',
      run: 1,
      passed: false,
      skipped: null,
      judged: null,
      label: null,
      tickets: [ticket],
    }
    const skipped: TaskResult = { ...result, task: 'tips', skipped: 'too hard', tickets: [] }
    assert.deepEqual(
      { ...totalOf([result, skipped]) },
      {
        tasks: 1,
        skipped: 1,
        passedTasks: 0,
        tickets: 1,
        passedTickets: 0,
        passedChecks: 1,
        checks: 2,
        regressions: 0,
        questions: 1,
        edits: 3,
        rewrites: 1,
        tokens: 120,
        cached: 0,
        seconds: 1.26,
        score: null,
      },
    )
    const text = formatReport([result, skipped])
    for (const part of [
      'plants',
      'One: shows red: it does not',
      'skipped: too hard',
      '50 % of the checks',
      '0 % (0 to 79) of the tasks',
    ])
      assert.ok(text.includes(part), `${part} in\n${text}`)
    assert.ok(!text.includes('judge'))
    const judged = { ...result, judged: { score: 0.5, remark: '' } }
    assert.match(
      formatMarkdown('m', [judged, skipped]),
      /\| plants \|.* 0\.50 \|[^]*## What failed[^]*- plants: One: shows red/,
    )
  })
})
