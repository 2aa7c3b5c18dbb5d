import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { CheckReport } from '../check-report.ts'
import { Workspace } from './workspace.ts'
import { checkWorkspace, endTools } from './finish.ts'

const TREE = new Map([['app.json', '{}']])
const GREEN: CheckReport = { ok: true, checks: [] }
const RED: CheckReport = { ok: false, checks: [{ name: 'types', ok: false, ms: 1, errors: [] }] }
const { signal } = new AbortController()

/** Returns the tools for an app. The k-th check returns the k-th report, and later checks return the last report. */
function openTools({
  reports = [GREEN],
  refusal = null,
}: { reports?: CheckReport[]; refusal?: string | null } = {}) {
  const workspace = new Workspace({ base: TREE, tree: TREE, enabled: [] })
  let checks = 0
  const runCheck = async () => reports[Math.min(checks++, reports.length - 1)] ?? GREEN
  const tools = endTools(workspace, { runCheck, mayAsk: () => refusal })
  const run = (name: string, args: object = {}) => {
    const tool = tools.find((one) => one.name === name)
    assert.ok(tool)
    return tool.run(args, { key: 'k', signal })
  }
  const parse = (args: object) => tools.find((one) => one.name === 'ask_user')?.input.safeParse(args).success
  return { workspace, run, parse, runCheck, checks: () => checks }
}
const question = (id: string, more: object = {}) => ({
  id,
  question: 'Which?',
  options: ['a', 'b'],
  default: 'a',
  ...more,
})

describe('the tools that check an app or end the work on it', () => {
  test('repeated checks of unchanged app files run once, and changed files are checked again', async () => {
    const { workspace, runCheck, checks } = openTools({ reports: [GREEN, RED] })
    assert.deepEqual(await checkWorkspace(workspace, runCheck, signal), GREEN)
    assert.deepEqual(await checkWorkspace(workspace, runCheck, signal), GREEN)
    assert.equal(checks(), 1)
    workspace.set('web/a.ts', 'x')
    assert.deepEqual(await checkWorkspace(workspace, runCheck, signal), RED)
    workspace.delete('web/a.ts')
    assert.deepEqual(await checkWorkspace(workspace, runCheck, signal), GREEN)
    assert.equal(checks(), 2)
  })

  test('when a file changes during a check, the report of the check is not stored for the changed files', async () => {
    const { workspace } = openTools()
    await checkWorkspace(
      workspace,
      async () => {
        workspace.set('web/a.ts', 'x')
        return GREEN
      },
      signal,
    )
    assert.equal(workspace.reportOf(workspace.hash), undefined)
  })

  test('no check report is stored when the check of an app throws', async () => {
    const { workspace } = openTools()
    const broken = checkWorkspace(workspace, () => Promise.reject(new Error('no process')), signal)
    await assert.rejects(broken, /no process/)
    assert.equal(workspace.reportOf(workspace.hash), undefined)
  })

  test('the result of the check tool says whether the check passed and lists the failed phases', async () => {
    const { run, workspace } = openTools({ reports: [GREEN, RED] })
    assert.deepEqual(await run('check'), { ok: true, text: 'The check is green.', report: GREEN })
    workspace.set('web/a.ts', 'x')
    const red = await run('check')
    assert.deepEqual([red.ok, red.code, red.report], [false, 'check_failed', RED])
    assert.match(red.text, /^The check is red\.\nRED types \(1 ms\)\n/)
  })

  test('a finish call in a run that changed no file ends the run with its summary and without a check', async () => {
    const { run, checks } = openTools({ reports: [RED] })
    assert.deepEqual(await run('finish', { summary: 'Nothing to do.' }), {
      ok: true,
      text: 'Finished without changes.',
      end: { kind: 'finish', summary: 'Nothing to do.' },
    })
    assert.equal(checks(), 0)
  })

  test('a finish call in a run that changed files ends the run only when the check passes', async () => {
    const { run, workspace } = openTools({ reports: [RED, GREEN] })
    workspace.set('web/a.ts', 'x')
    const red = await run('finish', { summary: 'Done.' })
    assert.deepEqual([red.ok, red.code, red.report, red.end], [false, 'check_failed', RED, undefined])
    assert.match(red.text, /^check_failed: the work is not finished\.\nThe check is red\./)
    workspace.set('web/a.ts', 'y')
    assert.deepEqual(await run('finish', { summary: 'Done.' }), {
      ok: true,
      text: 'Finished.',
      report: GREEN,
      end: { kind: 'finish', summary: 'Done.' },
    })
  })

  test('a run whose only file change was undone counts as unchanged and ends without a check', async () => {
    const { run, workspace, checks } = openTools({ reports: [RED] })
    workspace.set('web/a.ts', 'x')
    workspace.delete('web/a.ts')
    assert.equal((await run('finish', { summary: 's' })).text, 'Finished without changes.')
    assert.equal(checks(), 0)
  })

  test('a question to the user ends the run, and unknown fields of the question are dropped', async () => {
    const { run } = openTools()
    const questions = [question('colour', { multiple: true }), question('size')]
    assert.deepEqual(await run('ask_user', { questions: [{ ...questions[0], extra: 1 }, questions[1]] }), {
      ok: true,
      text: 'The questions were put to the user.',
      end: { kind: 'ask', questions },
    })
  })

  test('a question to the user is refused when the run may no longer ask, or when two questions have the same id', async () => {
    const late = openTools({ refusal: 'decide yourself' })
    assert.deepEqual(await late.run('ask_user', { questions: [question('a')] }), {
      ok: false,
      code: 'too_late',
      text: 'too_late: decide yourself',
    })
    assert.deepEqual(await openTools().run('ask_user', { questions: [question('a'), question('a')] }), {
      ok: false,
      code: 'invalid_arguments',
      text: 'invalid_arguments: questions: every id must be different',
    })
  })

  test('a question whose default is not one of its options is refused, because the user could neither see nor deselect it', async () => {
    const questions = [question('a'), question('b', { default: 'something else' })]
    assert.deepEqual(await openTools().run('ask_user', { questions }), {
      ok: false,
      code: 'invalid_arguments',
      text: 'invalid_arguments: questions: the default of b must be one of its options',
    })
  })

  test('the model may ask one to three questions, each with two to five options and a lower-case id of at most 40 characters', () => {
    const { parse } = openTools()
    const ask = (...questions: object[]) => parse({ questions })
    assert.equal(ask(), false)
    assert.equal(ask(question('a'), question('b'), question('c')), true)
    assert.equal(ask(question('a'), question('b'), question('c'), question('d')), false)
    for (const id of ['A', '1a', '', `a${'b'.repeat(40)}`]) assert.equal(ask(question(id)), false, id)
    assert.equal(ask(question(`a${'b'.repeat(39)}`)), true)
    const options = (count: number) => Array.from({ length: count }, (_, n) => `o${n}`)
    for (const [count, fits] of [
      [1, false],
      [2, true],
      [5, true],
      [6, false],
    ] as const)
      assert.equal(ask(question('a', { options: options(count) })), fits)
  })
})
