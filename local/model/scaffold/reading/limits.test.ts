import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessIn } from './access.ts'
import { unfulfilledRequests, readIntent } from './intent.ts'
import { readAllowance } from './limits.ts'
import { describeChange } from '../replies.ts'
import {
  withAnswer,
  filesAfterBuild,
  callsOf,
  EMPTY_APP,
  manifestIn,
  openingOf,
  replyTo,
} from '../ticket-fixture.ts'

const tools = filesAfterBuild('Track tools: name, price. People should sign in.', EMPTY_APP)
const limited = filesAfterBuild('Each person may add 5 tools a day', tools)

describe('a maximum number of records that one person may add', () => {
  test('a maximum number of new records per person and hour, day, week or month is recognized in everyday words', () => {
    for (const [said, count, window] of [
      ['Each person may add 5 tools a day', 5, 'day'],
      ['Everyone can add at most 3 tools per week', 3, 'week'],
      ['At most two tools a day per person', 2, 'day'],
      ['No more than 10 per person per month', 10, 'month'],
      ['Limit each user to 20 tools an hour', 20, 'hour'],
      ['Members may only post 4 tools every day', 4, 'day'],
    ] as const) {
      assert.deepEqual([readAllowance(said)?.count, readAllowance(said)?.window], [count, window], said)
      const extras = [{ is: 'limit', collection: 'tools', count, window }]
      assert.deepEqual(readIntent(said, manifestIn(tools).collections), { kind: 'extras', extras }, said)
    }
    for (const said of [
      'At most 3 tools per person',
      'Track runs: 5 km a day',
      'I add 5 tools a day',
      'Each person may add 0 tools a day',
      'Why may each person add 5 tools a day?',
    ])
      assert.equal(readAllowance(said), null, said)
  })

  test('a new list with a maximum per person requires signing in, and is written to only through API routes with a meter', () => {
    const said = 'Track books: title. Everyone sees only their own. Each person may add 3 books a week.'
    const files = filesAfterBuild(said, EMPTY_APP)
    const { collections, meters, uses } = manifestIn(files)
    assert.deepEqual(uses, ['data', 'auth', 'meter'])
    assert.deepEqual(meters, [{ key: 'add-books', per: 'user', window: 'week', limit: 3 }])
    const { partition, read, write } = collections?.['books'] ?? {}
    assert.deepEqual([partition, read, write], ['user', 'owner', 'nobody'])
    const handler = files.get('server/addToBooks.ts') ?? ''
    assert.ok(handler.indexOf('meter.consume(') < handler.indexOf('data.system.of(user.id).create('))
    assert.match(handler, /\.catch\(async \(error\) => \{\s+await meter\.refund\(id\)/)
    assert.deepEqual(unfulfilledRequests(said, readIntent(said)), [])
    const plain = 'Track lamps: name. Each person may add 3 a day.'
    assert.equal(manifestIn(filesAfterBuild(plain, EMPTY_APP)).collections?.['lamps']?.read, 'members')
  })

  test("adding a maximum per person changes the list's page, routes and test, and the summary states the maximum", () => {
    assert.match(limited.get('web/pages/Tools.tsx') ?? '', /onDelete=\{\(record\) => api\.delete\(/)
    assert.match(
      limited.get('server/routes.ts') ?? '',
      /^import \{ addToTools, changeInTools, removeFromTools \} from '\.\/addToTools\.ts'$/m,
    )
    assert.match(limited.get('tests/tools.test.ts') ?? '', /toReject\('forbidden'\)/)
    const opening = openingOf('Each person may add 5 tools a day', tools, 'data, auth')
    const calls = callsOf(opening)
    assert.deepEqual(
      calls.flatMap(({ args }) => args['key'] ?? []),
      ['meter'],
    )
    const written = withAnswer(opening, calls, () => 'Done.')
    const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
    assert.match(
      String(callsOf(checked)[0]?.args['summary']),
      /^Each person adds at most 5 tools a day, counted from the start of it in UTC\. You can change/,
    )
  })

  test('a list gets a requested maximum per person, or the reply explains why its access allows none', () => {
    const rules = {
      open: ['', 'members', 'People should sign in to add tools'],
      readers: [' Only members can add.', 'readers', null],
      members: [' People have to sign in.', 'members', null],
      authors: [' Only the author can edit.', 'authors', null],
      own: [' Everyone sees only their own.', 'own', null],
      team: [' Each team sees its own.', null, 'Each team has a tool list of its own'],
      staff: [' Only staff can add tools.', null, 'Only staff add tools'],
    } as const
    const meters = [{ key: 'add-tools', per: 'user', window: 'day', limit: 5 }]
    for (const [name, [said, access, reason]] of Object.entries(rules)) {
      const first = `Track tools: name, price.${said} Each person may add 5 tools a day.`
      const made = manifestIn(filesAfterBuild(first, EMPTY_APP))
      assert.deepEqual(made.meters, access === null ? undefined : meters, name)
      if (access !== null) assert.equal(accessIn(made, 'tools'), access, name)
      const plain = filesAfterBuild(`Track tools: name, price.${said}`, EMPTY_APP)
      const turn = replyTo('Each person may add 5 tools a day', plain)
      if (reason === null) {
        const after = manifestIn(filesAfterBuild('Each person may add 5 tools a day', plain))
        assert.deepEqual([after.meters, accessIn(after, 'tools')], [meters, access], name)
      } else {
        assert.equal(turn.toolCalls, undefined, name)
        assert.ok(turn.text?.includes(reason), turn.text ?? name)
      }
      if (access !== null || reason === null) continue
      const opening = openingOf(first, EMPTY_APP, 'data, auth, meter, team')
      const written = withAnswer(opening, callsOf(opening), () => 'Done.')
      const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
      assert.ok(String(callsOf(checked)[0]?.args['summary']).includes(reason), name)
    }
  })

  test("in a list with a maximum per person that only authors change, the routes store and check each record's author", () => {
    const said = 'Track tools: name, price. Only the author can edit. Each person may add 5 tools a day.'
    const files = filesAfterBuild(said, EMPTY_APP)
    const { read, write } = manifestIn(files).collections?.['tools'] ?? {}
    assert.deepEqual([read, write], ['members', 'staff'])
    const handler = files.get('server/addToTools.ts') ?? ''
    assert.match(handler, /create\('tools', input, \{ owner: user\.id \}\)/)
    assert.equal(handler.match(/await requireAuthor\(c\)/g)?.length, 2)
    assert.match(files.get('tests/tools.test.ts') ?? '', /ben\.patch\(path, [^\n]*\.toBe\(403\)/)
    const plain = filesAfterBuild('Track tools: name, price. Only the author can edit.', EMPTY_APP)
    const ended = filesAfterBuild('Remove the limit', files)
    for (const path of ['web/pages/Tools.tsx', 'tests/tools.test.ts'])
      assert.equal(ended.get(path)?.trim(), plain.get(path)?.trim(), path)
    assert.equal(accessIn(manifestIn(ended), 'tools'), 'authors')
    const shared = filesAfterBuild('Only members can add tools', files)
    assert.equal(accessIn(manifestIn(shared), 'tools'), 'readers')
    assert.match(replyTo('Only the author can edit tools', shared).text ?? '', /not keep who added a record/)
  })

  test('a maximum per person requires signing in only for its list and lists that refer to that list', () => {
    const accessOf = (said: string) => {
      const intent = readIntent(said)
      assert.ok(intent.kind === 'lists', said)
      const lists = intent.wanted.map(({ collection, access }) => [collection, access ?? 'open'])
      return { lists: Object.fromEntries(lists), limited: intent.extras, news: describeChange(intent) }
    }
    const two = accessOf('Track books: title. Track lamps: name. Each person may add 3 lamps a day.')
    assert.deepEqual(two.lists, { books: 'open', lamps: 'members' })
    assert.deepEqual(two.limited, [{ is: 'limit', collection: 'lamps', count: 3, window: 'day' }])
    assert.match(two.news, /Books: anyone with the address can add.* Lamps: only people who are signed in/)
    const { lists } = accessOf('Track tasks for each project. Each person may add 3 projects a day.')
    assert.deepEqual(lists, { tasks: 'members', projects: 'members' })
  })

  test('a change of access is refused when the route files of the list or their test were edited by hand', () => {
    const open = filesAfterBuild('Track tools: name, price', EMPTY_APP)
    const mailed = filesAfterBuild('Mail shop@example.com when a tool is added', open)
    for (const [files, path] of [
      [limited, 'server/addToTools.ts'],
      [limited, 'tests/addToTools.test.ts'],
      [mailed, 'server/addToTools.ts'],
      [open, 'server/routes.ts'],
    ] as const) {
      const edited = new Map([...files, [path, (files.get(path) ?? '').replaceAll('await ', 'await  ')]])
      const turn = replyTo('Only staff can add tools', edited)
      assert.equal(turn.toolCalls, undefined, path)
      assert.match(turn.text ?? '', /^The tool list was changed since I made it/, path)
      assert.equal(
        manifestIn(filesAfterBuild('Only staff can add tools', files)).collections?.['tools']?.write,
        'staff',
      )
    }
  })

  test('a list with a maximum per person cannot have file uploads, nor later restrict changes to authors', () => {
    const photos = filesAfterBuild('People can upload a photo of each tool', tools)
    for (const [said, files, words] of [
      ['Each person may add 5 tools a day', photos, /a list with files can have no limit\.$/],
      [
        'People can upload a photo of each tool',
        limited,
        /can have no files\. Say first: Remove the limit of/,
      ],
      [
        'Only the author can edit tools',
        limited,
        /not keep who added a record\. Say first: Remove the limit of/,
      ],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
      if (files === limited)
        assert.ok(replyTo(said, filesAfterBuild('Remove the limit of tools', files)).toolCalls, said)
    }
    const said =
      'Track lamps: name. People can upload a photo of each lamp. Each person may add 3 lamps a day.'
    assert.equal(manifestIn(filesAfterBuild(said, EMPTY_APP)).meters, undefined)
    const calls = callsOf(openingOf(said, EMPTY_APP, 'data, auth, files'))
    const written = withAnswer(openingOf(said, EMPTY_APP, 'data, auth, files'), calls, () => 'Done.')
    const checked = withAnswer(written, callsOf(written), () => 'The check is green.')
    assert.match(String(callsOf(checked)[0]?.args['summary']), /a list with files can have no limit\./)
  })

  test('other changes of a list keep its maximum per person', () => {
    const more = filesAfterBuild('Each person may add 9 tools a day', limited)
    assert.deepEqual(manifestIn(more).meters, [{ key: 'add-tools', per: 'user', window: 'day', limit: 9 }])
    const renamed = filesAfterBuild('Rename name to label', more)
    assert.match(renamed.get('tests/addToTools.test.ts') ?? '', /\{ label: 'First' \}/)
    const readers = filesAfterBuild('Only members can add tools', renamed)
    const { read, write } = manifestIn(readers).collections?.['tools'] ?? {}
    assert.deepEqual([read, write], ['public', 'nobody'])
    const mailed = filesAfterBuild('Mail shop@example.com when a tool is added', readers)
    assert.match(mailed.get('server/addToTools.ts') ?? '', /meter\.consume[^]*email\.send/)
    const alone = filesAfterBuild('Stop mailing me', mailed)
    for (const [path, text] of readers)
      if (path !== 'app.json') assert.equal(alone.get(path)?.trim(), text.trim(), path)
  })

  test("removing a maximum per person restores the list's files", () => {
    const ended = filesAfterBuild('Remove the limit', limited)
    for (const path of ['web/pages/Tools.tsx', 'tests/tools.test.ts'])
      assert.equal(ended.get(path)?.trim(), tools.get(path)?.trim(), path)
    for (const files of [
      ended,
      filesAfterBuild('Only staff can add tools', limited),
      filesAfterBuild('Remove the tools', limited),
    ]) {
      assert.equal(manifestIn(files).meters, undefined)
      assert.equal(files.has('server/addToTools.ts'), false)
      assert.doesNotMatch(files.get('server/routes.ts') ?? '', /Tools/)
    }
    const staff = manifestIn(filesAfterBuild('Only staff can add tools', limited)).collections?.['tools']
    assert.deepEqual([staff?.read, staff?.write], ['public', 'staff'])
  })

  test('the reply explains why a maximum per person cannot be set or removed, or asks which list is meant', () => {
    const open = filesAfterBuild('Track tools: name, price', EMPTY_APP)
    const staff = filesAfterBuild('Track tools: name. Only staff can add tools.', EMPTY_APP)
    const team = filesAfterBuild('Track tools: name. Each team sees its own.', EMPTY_APP)
    const mine = new Map([...tools, ['tests/tools.test.ts', 'export {}\n']])
    const two = filesAfterBuild('Also keep track of suppliers with name and phone', tools)
    for (const [said, files, words] of [
      ['Each person may add 5 tools a day', open, /^A limit counts what people add who are signed in/],
      [
        'Each person may add 5 tools a day',
        staff,
        /^Only staff add tools, and a limit counts what others add\./,
      ],
      ['Each person may add 5 tools a day', team, /^Each team has a tool list of its own\./],
      ['Each person may add 5 tools a day', limited, /^The tool list has that already/],
      ['Each person may add 5 tools a day', mine, /was changed since I made it/],
      [
        'Each person may add 5 a day',
        two,
        /^Say of which list, for example: Each person may add 5 tools a day/,
      ],
      ['Remove the limit', tools, /^People may add as much as they like/],
      ['Each person may add 5 tools a day', EMPTY_APP, /needs an AI model/],
    ] as const) {
      const turn = replyTo(said, files)
      assert.equal(turn.toolCalls, undefined, said)
      assert.match(turn.text ?? '', words, said)
    }
    assert.equal(
      manifestIn(filesAfterBuild('People should sign in to add tools', open)).collections?.['tools']?.write,
      'members',
    )
  })
})
