import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { ACCESS_RULES } from '../../local/model/scaffold/reading/access.ts'
import { addCollections } from '../../local/model/scaffold/writing/changes.ts'
import { EXTRA_SENTENCES } from '../../local/model/scaffold/testing/extra-sentences.ts'
import type { Field } from '../../local/model/scaffold/reading/fields.ts'
import { readIntent } from '../../local/model/scaffold/reading/intent.ts'
import type { WantedList } from '../../local/model/scaffold/reading/lists.ts'
import { PEOPLE_SENTENCES, UPLOAD_SENTENCES } from '../../local/model/scaffold/testing/people-sentences.ts'
import {
  FIRST_SENTENCES,
  REMINDER_SENTENCES,
  SECOND_SENTENCES,
} from '../../local/model/scaffold/testing/sentences.ts'
import { callsOf, filesAfter, manifestIn, openingOf } from '../../local/model/scaffold/ticket-fixture.ts'
import { type CheckerPool, openCheckers } from '../../server/agent/check/pool/pool.ts'
import { readManifest } from '../../server/agent/source/manifest.ts'
import { completeTree, starterTree } from '../../server/agent/source/tree.ts'
import { silentLog } from '../../server/testing/database.ts'

type Files = ReadonlyMap<string, string>

/** A list with files needs accounts: only people who are signed in can upload. */
const hasFiles = (built: string): boolean => built.includes(':file')

/**
 * Builds apps from the example sentences (FIRST_SENTENCES and others) and runs the check of a build on them:
 * each app starts in workerd and its tests run.
 */
describe('the apps of the built-in model', () => {
  let checkers: CheckerPool
  before(() => {
    checkers = openCheckers({ size: Math.min(2, availableParallelism()), log: silentLog })
  })
  after(() => checkers.close())

  const buildFiles = (said: string, files: Files) =>
    filesAfter(files, callsOf(openingOf(said, files, files === STARTER ? 'none' : 'data')))

  /** Runs the whole check with one more test, which stores a record with a value in each field. */
  async function proveApp(said: string, files: Files, before: Files | null): Promise<string | null> {
    const test = everyField(files)
    const tree = new Map([...files, ...(test === null ? [] : [['tests/every-field.test.ts', test] as const])])
    const report = await checkers.check(completeTree(tree, new Set(['data'])), {
      enabled: ['data'],
      before: before?.get('app.json') ?? null,
    })
    const errors = report.checks.flatMap((check) =>
      check.errors.map(({ message }) => `${check.name}: ${message}`),
    )
    const warnings = report.checks.flatMap((check) => check.warnings ?? []).map(({ message }) => message)
    return report.ok && warnings.length === 0 ? null : `${said}\n  ${[...errors, ...warnings].join('\n  ')}`
  }

  test('the list apps that the built-in model makes from the example sentences pass the app check and store every field', async () => {
    const built = distinctApps(
      FIRST_SENTENCES.flatMap((item) =>
        'built' in item && !hasFiles(item.built) ? [{ ...item, app: item.built }] : [],
      ),
    )
    const problems = await Promise.all(
      sharedApps(built.map(({ said }) => said)).map(({ sentences, wanted }) => {
        const files = filesAfter(STARTER, addCollections(STARTER, manifestIn(STARTER), wanted))
        return proveApp(sentences.join('\n'), files, null)
      }),
    )
    assert.ok(built.length > 60)
    assert.deepEqual(
      problems.filter((problem) => problem !== null),
      [],
    )
  })

  /** Runs the whole check with these capabilities enabled. */
  async function checkWith(keys: string[], said: string, files: Files): Promise<string | null> {
    const tree = completeTree(new Map(files), new Set(keys))
    const report = await checkers.check(tree, { enabled: keys, before: null })
    const found = report.checks.flatMap(({ errors, warnings = [] }) => [...errors, ...warnings])
    return report.ok && found.length === 0 ? null : `${said}\n${found.map((one) => one.message).join('\n')}`
  }
  const assertNoProblems = (problems: (string | null)[]) =>
    assert.deepEqual(
      problems.filter((problem) => problem !== null),
      [],
    )

  test('apps that the built-in model generates with sign-in, teams or uploads, at once or later, pass the app check', async () => {
    const checkApp = (said: string, files: Files) => checkWith(['data', 'auth', 'team', 'files'], said, files)
    const open = buildFiles('Track books: title, author', STARTER)
    const eachAccess = new Map(PEOPLE_SENTENCES.toReversed().map((one) => [one[1], one])).values().toArray()
    assert.equal(
      eachAccess.length,
      Object.keys(ACCESS_RULES).length - 1,
      'a list without people has no sentence',
    )
    const later = ['People should sign in', 'Only members can add books', 'Only staff can add books']
    const board = 'Track tasks: title, status (open, done). People should sign in.'
    assertNoProblems(
      await Promise.all([
        ...UPLOAD_SENTENCES.map(([said]) => checkApp(said, buildFiles(said, STARTER))),
        ...FIRST_SENTENCES.filter((item) => 'built' in item && hasFiles(item.built)).map(({ said }) =>
          checkApp(said, buildFiles(said, STARTER)),
        ),
        ...eachAccess.map(([said]) => checkApp(said, buildFiles(said, STARTER))),
        ...later.map((said) => checkApp(said, buildFiles(said, open))),
        checkApp(board, buildFiles(board, STARTER)),
      ]),
    )
  })

  test('apps that the built-in model generates with reminders pass the app check, even after a change of their list', async () => {
    const checkApp = (said: string, files: Files) => checkWith(['data', 'auth', 'schedule'], said, files)
    const open = buildFiles('Track tasks: title, due date, done', STARTER)
    const reminded = buildFiles('Every Monday remind me of open tasks', open)
    const later = [
      'Rename title to name',
      'Remove the done field',
      'Add a priority field to tasks',
      'People should sign in',
      'Also keep track of suppliers with name and phone',
      'Remind me every evening of the tasks that are due',
      'Stop reminding me',
      'Remove the tasks',
    ]
    assertNoProblems(
      await Promise.all([
        ...REMINDER_SENTENCES.map(([said]) => checkApp(said, buildFiles(said, STARTER))),
        checkApp('later', reminded),
        ...later.map((said) => checkApp(said, buildFiles(said, reminded))),
      ]),
    )
  })

  test('apps that the built-in model generates with PDF files, mails or limits pass the app check, even after a change', async () => {
    const checkApp = (said: string, files: Files) =>
      checkWith(['data', 'auth', 'ai', 'render', 'events', 'email', 'guard', 'push', 'meter'], said, files)
    const extended = buildFiles(EXTRA_SENTENCES[0]?.[0] ?? '', STARTER)
    const renamed = buildFiles('Rename customer to buyer', extended)
    const later = ['People should sign in', 'Remove the orders']
    const form = buildFiles('A form with name and email. Protect the form from bots.', STARTER)
    const both = buildFiles('Mail a@b.test when somebody sends it', form)
    const limited = buildFiles(
      'Track tools: name, status (new, old). Each person may add 20 a week.',
      STARTER,
    )
    assertNoProblems(
      await Promise.all([
        checkApp('a mail whose guard has ended', buildFiles('Remove the bot protection', both)),
        checkApp('a guard beside a mail, for members', buildFiles('People should sign in', both)),
        checkApp(
          'a limit in a list that everyone may read',
          buildFiles('Only members can add tools', limited),
        ),
        checkApp('a limit that has ended', buildFiles('Remove the limit', limited)),
        ...EXTRA_SENTENCES.map(([said]) => checkApp(said, buildFiles(said, STARTER))),
        ...later.map((said) => checkApp(said, buildFiles(said, renamed))),
      ]),
    )
  })

  test('apps of the built-in model pass the app check, including database migrations, after a second ticket changes them', async () => {
    const changed = distinctApps(
      SECOND_SENTENCES.flatMap((item) => ('after' in item ? [{ ...item, app: item.after }] : [])),
    )
    const problems = await Promise.all(
      changed.map(({ on, said }) => {
        const first = buildFiles(on, STARTER)
        return proveApp(`${on}. Then: ${said}`, buildFiles(said, first), first)
      }),
    )
    assert.ok(changed.length > 20)
    assert.deepEqual(
      problems.filter((problem) => problem !== null),
      [],
    )
  })
})

/** Words for random sentences: ordinary words, keywords of programming languages, reserved names, punctuation and unusual spellings. */
const WORDS =
  `track keep log list of and or with for a the my (a, b) (yes/no) (one) (a,,b) : , . / "quoted" it's status category new old
  class test case return delete page card constructor __proto__ hasOwnProperty toString api app search socket mutate id rev
  remind me every monday at 9 due done stop summarize each pdf count visitors invoice mail a@b.test when somebody comes in each person may add 5 a day remove limit protect form from bots notify watchers team sees its own people can upload photo
  partition name title price date note email customers orders recipe books 3d x-ray café abcdefghijklmnopqrstuvwxyzabcdefghijklmnop`.split(
    /\s+/,
  )

describe('tickets of random words for the built-in model', () => {
  test('apps that the built-in model makes from three tickets with random words have a valid manifest after each ticket', () => {
    const said = fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 12 })
      .map((words) => words.join(' '))
    const lead = fc.constantFrom(
      '',
      'Track ',
      'A list of ',
      'Add ',
      'Remove the ',
      'Rename name to ',
      'It should have a ',
    )
    const tickets = fc.array(fc.tuple(lead, said), { minLength: 3, maxLength: 3 })
    fc.assert(
      fc.property(tickets, (all) => {
        let files: Files = STARTER
        for (const [begin, rest] of all) {
          files = filesAfter(files, callsOf(openingOf(begin + rest, files, 'data')))
          const read = readManifest(files.get('app.json') ?? '')
          assert.ok(read.ok, JSON.stringify(read))
        }
      }),
      { numRuns: 500, seed: 20_261_123 },
    )
  })
})

interface SharedApp {
  sentences: string[]
  wanted: WantedList[]
}

/**
 * Merges the lists of all sentences into as few apps as possible, because a check takes a second per app. Each app's lists have different
 * names.
 */
function sharedApps(sentences: string[]): SharedApp[] {
  const apps: SharedApp[] = []
  for (const said of sentences) {
    const intent = readIntent(said)
    assert.ok(intent.kind === 'lists', said)
    const names = intent.wanted.map(({ collection }) => collection)
    const hasRoom = ({ wanted }: SharedApp) =>
      wanted.length < 10 && !wanted.some(({ collection }) => names.includes(collection))
    const app = apps.find(hasRoom)
    app?.sentences.push(said)
    app?.wanted.push(...intent.wanted)
    if (app === undefined) apps.push({ sentences: [said], wanted: [...intent.wanted] })
  }
  return apps
}

/** Keeps only one of the sentences that build the same app. */
const distinctApps = <T extends { app: string }>(items: T[]): T[] => [
  ...new Map(items.map((item) => [item.app, item])).values(),
]

const STARTER: Files = starterTree('New')

/** Returns a test of the app that stores a record with a value in every field and reads it back. */
function everyField(files: Files): string | null {
  const lists = Object.entries(manifestIn(files).collections ?? {})
  if (lists.length === 0) return null
  const tests = lists.map(([collection, { fields }]) => {
    const values = Object.entries(fields).flatMap(([name, field]) => {
      const value = valueOf(field)
      return value === null ? [] : [[name, value] as const]
    })
    const record = JSON.stringify(Object.fromEntries(values))
    return `test('${collection} stores every field of a record', async () => {
  const record = await app.data.create('${collection}', ${record})
  expect((await app.data.get('${collection}', record.id))).toMatchObject(${record})
})`
  })
  return `import { app, expect, test } from '@slipway/app/testing'\n\n${tests.join('\n\n')}\n`
}

function valueOf(field: Field): string | number | boolean | null {
  switch (field.type) {
    case 'text':
      return field.as === 'email' ? 'ada@example.test' : 'Ada'
    case 'number':
      return 12.5
    case 'integer':
      return 12
    case 'boolean':
      return true
    case 'date':
      return '2026-11-23'
    case 'enum':
      return field.values?.at(-1) ?? null
    case 'ref':
    case 'file':
    case 'json':
    case 'list':
      return null
  }
}
