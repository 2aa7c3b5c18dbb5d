import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transformSync } from 'esbuild'
import { patternOf } from '@slipway/runtime/schedule/repeat.ts'
import { unfulfilledRequests, readIntent } from './intent.ts'
import { selectionPhrase } from '../writing/reminder-sources.ts'
import { readReminder } from './reminders.ts'
import { PEOPLE_SENTENCES } from '../testing/people-sentences.ts'
import { FIRST_SENTENCES, REMINDER_SENTENCES, SECOND_SENTENCES } from '../testing/sentences.ts'
import {
  withAnswer,
  filesAfterBuild,
  callsOf,
  EMPTY_APP,
  manifestIn,
  openingOf,
  replyTo,
} from '../ticket-fixture.ts'

const everyOf = (said: string) => {
  const wish = readReminder(said)
  return wish?.is === 'wanted' ? wish.every : wish
}

describe('sentences about reminders', () => {
  test('the list, the time and the record filter of a requested reminder are recognized, and nothing is reported as omitted', () => {
    for (const [said, collection, every, words] of REMINDER_SENTENCES) {
      const intent = readIntent(said)
      assert.ok(intent.kind === 'lists' && intent.reminder !== undefined, said)
      const list = intent.wanted.find((one) => one.collection === collection)
      assert.ok(list, said)
      assert.deepEqual(
        [intent.reminder.collection, intent.reminder.every, selectionPhrase(list.fields, intent.reminder)],
        [collection, every, words],
      )
      assert.deepEqual(unfulfilledRequests(said, intent), [])
    }
  })

  test('a sentence that does not request a reminder at set times is not mistaken for such a request', () => {
    for (const { said } of [...FIRST_SENTENCES, ...SECOND_SENTENCES])
      assert.equal(readReminder(said), null, said)
    for (const [said] of PEOPLE_SENTENCES) assert.equal(readReminder(said), null, said)
    for (const said of ['Remind me of open tasks', 'Every Monday I clean the kitchen', 'Keep reminders'])
      assert.equal(readReminder(said), null, said)
  })

  test('the time of a reminder may be in 12-hour or 24-hour form, and an invalid time is rejected', () => {
    const times = [
      ['remind me every day at 7', 'day at 07:00'],
      ['remind me every day at 7:05 pm', 'day at 19:05'],
      ['remind me every day at 12 am', 'day at 00:00'],
      ['remind me every tuesday at noon', 'tuesday at 12:00'],
      ["remind me once a week at 8 o'clock", 'monday at 08:00'],
      ['remind me every day at 25', null],
      ['remind me every day at 13 pm', null],
      ['remind me every day at 9:75', null],
    ] as const
    for (const [said, every] of times) {
      assert.equal(everyOf(said), every, said)
      assert.equal(patternOf(every ?? 'day') === null, false, said)
    }
  })
})

describe('reminders in an app with lists', () => {
  const open = filesAfterBuild('Track tasks: title, due date, done', EMPTY_APP)
  const reminded = filesAfterBuild('Every Monday remind me of open tasks', open)

  test('a requested reminder adds a schedule, a job with its test, a read-only collection and a page to the app', () => {
    const { uses, schedules, collections, pages } = manifestIn(reminded)
    assert.deepEqual(uses, ['data', 'schedule'])
    assert.deepEqual(schedules, [{ name: 'remindTasks', every: 'monday at 09:00', handler: 'remindTasks' }])
    assert.equal(collections?.['reminders']?.write, 'nobody')
    assert.deepEqual(pages?.at(-1), { path: '/reminders', file: 'Reminders.tsx', title: 'Reminders' })
    assert.match(
      reminded.get('server/jobs/remindTasks.ts') ?? '',
      /if \(!record\.done\) names\.push\(record\.title\)/,
    )
    assert.ok(reminded.has('tests/remindTasks.test.ts'))
  })

  test('adding a reminder enables the capability schedule; the reply says when its page is updated and that nothing is sent', () => {
    const opening = openingOf('Every Monday remind me of open tasks', open, 'data')
    const calls = callsOf(opening)
    assert.deepEqual(
      calls.flatMap(({ args }) => args['key'] ?? []),
      ['schedule'],
    )
    const written = withAnswer(opening, calls, () => 'Done.')
    const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
    assert.match(
      String(callsOf(checked)[0]?.args['summary']),
      /every Monday at 09:00 which are the tasks that are not done, from the time the app is live\. Nothing is sent\./,
    )
  })

  test("requesting a reminder again replaces its time, and a change of the list's fields updates its job", () => {
    const later = filesAfterBuild('Remind me every evening of the tasks that are due', reminded)
    assert.deepEqual(
      manifestIn(later).schedules?.map(({ every }) => every),
      ['day at 18:00'],
    )
    assert.match(later.get('server/jobs/remindTasks.ts') ?? '', /!record\.done && record\.dueDate !== null/)
    const renamed = filesAfterBuild('Rename title to name', reminded)
    assert.match(renamed.get('server/jobs/remindTasks.ts') ?? '', /record\.name/)
    const without = filesAfterBuild('Remove the done field', reminded)
    assert.doesNotMatch(without.get('server/jobs/remindTasks.ts') ?? '', /done/)
  })

  test("a new field goes to the user's only list, even if the app also has a collection of reminders", () => {
    const { collections } = manifestIn(filesAfterBuild('Add a phone field', reminded))
    assert.ok(Object.hasOwn(collections?.['tasks']?.fields ?? {}, 'phone'))
  })

  test('only members may read reminders about records that only members may read', () => {
    const { collections, pages } = manifestIn(filesAfterBuild('People should sign in', reminded))
    assert.equal(collections?.['reminders']?.read, 'members')
    assert.equal(pages?.find(({ file }) => file === 'Reminders.tsx')?.access, 'members')
  })

  test('stopping the only reminder, or removing the list it is about, removes the schedule, collection and page of reminders', () => {
    for (const said of ['Stop reminding me', 'Remove the tasks', 'I do not want reminders any more']) {
      const { uses, schedules, collections, pages } = manifestIn(filesAfterBuild(said, reminded))
      assert.equal(schedules, undefined, said)
      assert.equal(collections?.['reminders'], undefined, said)
      assert.ok(!uses?.includes('schedule'), said)
      assert.equal(pages?.length, 1, said)
    }
  })

  test('the reminder job and its test are valid TypeScript when choices contain quotes, backslashes or placeholders', () => {
    for (const last of ["it's done", String.raw`c:\\`, String.raw`c:\u00`, '${done}', '"done"']) {
      const files = filesAfterBuild(
        `Track tasks: title, status (open, ${last}). Every Monday remind me of tasks.`,
        EMPTY_APP,
      )
      assert.deepEqual(manifestIn(files).collections?.['tasks']?.fields['status']?.values, ['open', last])
      for (const path of ['server/jobs/remindTasks.ts', 'tests/remindTasks.test.ts'])
        assert.doesNotThrow(
          () => transformSync(files.get(path) ?? '}', { loader: 'ts' }),
          `${path} with ${last}`,
        )
    }
  })

  test('a reminder job that the user has edited is not overwritten', () => {
    const changed = new Map([...reminded, ['server/jobs/remindTasks.ts', 'export default () => null\n']])
    const later = filesAfterBuild('Rename title to name', changed)
    assert.equal(later.get('server/jobs/remindTasks.ts'), 'export default () => null\n')
    assert.equal(manifestIn(later).schedules?.length, 1)
  })

  test('when a reminder cannot be added, the reply explains why and no file is changed', () => {
    const own = filesAfterBuild(
      'Keep track of expenses: amount, paid. Everyone sees only their own.',
      EMPTY_APP,
    )
    const two = filesAfterBuild('Also keep track of suppliers with name and phone', open)
    const taken = filesAfterBuild('Also keep track of reminders with text and day', open)
    for (const [said, files, words] of [
      ['Every Monday remind me of expenses', own, /Not everyone may read the expense list/],
      ['Every Monday remind me', two, /Say of which list, for example: Every Monday at 9 remind me of tasks/],
      ['Every Monday remind me of open tasks', taken, /a list of reminders of its own/],
      ['Every Monday remind me of the weather', EMPTY_APP, /needs an AI model/],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
    }
  })

  test('a reminder whose job or test the user has edited is not replaced by another one, and the reply says so', () => {
    for (const path of ['server/jobs/remindTasks.ts', 'tests/remindTasks.test.ts']) {
      const changed = new Map([...reminded, [path, `${reminded.get(path)}// mine\n`]])
      const turn = replyTo('Every Monday remind me of open tasks', changed)
      assert.equal(turn.toolCalls, undefined, path)
      assert.match(turn.text ?? '', /^The task list or its reminder was changed since I made it\./)
    }
  })

  test("a new list does not overwrite a user's file at the path of its reminder job, and the summary says so", () => {
    const mine = 'export default () => null\n'
    const files = new Map([...EMPTY_APP, ['server/jobs/remindTasks.ts', mine]])
    const said = 'Track tasks: title, due date, done. Every Monday remind me of open tasks.'
    const opening = openingOf(said, files, 'data')
    const written = withAnswer(opening, callsOf(opening), () => 'Done.')
    const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
    assert.deepEqual(
      [
        filesAfterBuild(said, files).get('server/jobs/remindTasks.ts'),
        manifestIn(filesAfterBuild(said, files)).schedules,
      ],
      [mine, undefined],
    )
    assert.match(
      String(callsOf(checked)[0]?.args['summary']),
      /The task list or its reminder was changed since I made it\./,
    )
  })
})
