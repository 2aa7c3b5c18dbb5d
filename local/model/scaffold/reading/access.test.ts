import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accessWithRules, readAccess, readLimit } from './access.ts'
import { EMPTY_PAGE } from '../writing/pages.ts'
import { unfulfilledRequests, readIntent } from './intent.ts'
import { PEOPLE_SENTENCES, UPLOAD_SENTENCES } from '../testing/people-sentences.ts'
import { FIRST_SENTENCES, SECOND_SENTENCES } from '../testing/sentences.ts'
import { callsOf, describeLists, filesAfter, openingOf, requestOf } from '../ticket-fixture.ts'
import { nextTurn } from '../scaffold.ts'
import { readUploadField } from './uploads.ts'

const STARTER = new Map([
  [
    'app.json',
    '{ "slipway": 1, "name": "New", "pages": [{ "path": "/", "file": "Home.tsx", "title": "Home" }] }',
  ],
  ['server/routes.ts', "import { Hono } from 'hono'\n\nexport const routes = new Hono()\n"],
  ['web/pages/Home.tsx', EMPTY_PAGE],
])

const manifestIn = (files: ReadonlyMap<string, string>) =>
  JSON.parse(files.get('app.json') ?? '') as {
    uses: string[]
    pages: { path: string; file: string; access?: string }[]
    collections: Record<string, { partition: string; read: string; write: string }>
  }
const buildFiles = (said: string, files: ReadonlyMap<string, string>, enabled = 'none') =>
  filesAfter(files, callsOf(openingOf(said, files, enabled)))
const replyTo = (said: string, files: ReadonlyMap<string, string>) =>
  nextTurn(requestOf(openingOf(said, files, 'data')))

describe('sentences about people', () => {
  test('a request that says who may read or write a new list builds the list with that access', () => {
    for (const [said, access, lists] of PEOPLE_SENTENCES) {
      assert.equal(readAccess(said)?.access, access, said)
      const intent = readIntent(said)
      assert.ok(intent.kind === 'lists', said)
      assert.deepEqual(
        intent.wanted.map((item) => [item.collection, item.access]),
        lists.split(' ').map((name) => [name, access]),
        said,
      )
    }
  })

  test('a request that does not say who may read or write a list does not restrict access', () => {
    for (const { said } of [...FIRST_SENTENCES, ...SECOND_SENTENCES])
      assert.equal(readAccess(said), null, said)
    for (const said of [
      'Log in with Google',
      'Members of our club',
      'Track the sign ups for our trip: name, phone',
      'Keep track of logins: site, user',
      'Track people and their accounts',
      'Keep track of teams: name, coach, has its own bus',
      'A list of football teams that have their matches on Sundays',
    ])
      assert.equal(readAccess(said), null, said)
  })

  test('a list with restricted access enables the capabilities data and auth, and any other list only data', () => {
    const enabledKeys = (said: string, enabled: string) =>
      callsOf(openingOf(said, STARTER, enabled)).flatMap((call) => call.args['key'] ?? [])
    assert.deepEqual(enabledKeys('Track tools and people have to sign in', 'none'), ['data', 'auth'])
    assert.deepEqual(enabledKeys('Track tools and people have to sign in', 'data'), ['auth'])
    assert.deepEqual(enabledKeys('Track tools and people have to sign in', 'data, auth'), [])
    assert.deepEqual(enabledKeys('Track tools', 'none'), ['data'])
  })

  test('a list of personal records gets access rules, a page for signed-in people and no API routes', () => {
    const files = buildFiles('Keep track of expenses: amount, date. Everyone sees only their own.', STARTER)
    const { uses, pages, collections } = manifestIn(files)
    const { partition, read, write } = collections['expenses'] ?? {}
    assert.deepEqual([uses, partition, read, write], [['data', 'auth'], 'user', 'owner', 'owner'])
    assert.deepEqual(pages, [{ path: '/', file: 'Expenses.tsx', title: 'Expenses', access: 'members' }])
    assert.doesNotMatch(files.get('server/routes.ts') ?? '', /expenses/)
    assert.match(files.get('tests/expenses.test.ts') ?? '', /app\.signUp\('Ada'\)/)
  })

  test('a list of records per team enables the capability team, and has a page with a team selector but no API routes', () => {
    const said = 'Track tasks: title, status. Each team sees only its own. Summarize each task.'
    const calls = callsOf(openingOf(said, STARTER, 'data'))
    assert.deepEqual(
      calls.flatMap((call) => call.args['key'] ?? []),
      ['auth', 'team'],
    )
    const files = buildFiles(said, STARTER)
    const { uses, pages, collections } = manifestIn(files)
    const { partition, read, write } = collections['tasks'] ?? {}
    assert.deepEqual([uses, partition, read, write], [['data', 'auth', 'team'], 'team', 'team', 'team'])
    // The requested page of summaries is omitted, because it cannot select a team.
    assert.deepEqual(pages, [{ path: '/', file: 'Tasks.tsx', title: 'Tasks', access: 'members' }])
    assert.doesNotMatch(files.get('server/routes.ts') ?? '', /tasks/)
    assert.match(files.get('web/pages/Tasks.tsx') ?? '', /partition=\{teamId\}/)
    assert.match(replyTo('Summarize the tasks', files).text ?? '', /^Each team has a task list of its own\./)
    const grown = buildFiles('Add a due date to tasks', files, 'data, auth, team')
    assert.equal(grown.get('web/pages/Tasks.tsx'), files.get('web/pages/Tasks.tsx'))
  })

  test('visitors of a page who are not signed in see a sign-in link instead of the form when only members may add records', () => {
    const page = buildFiles('Track books. Only members can add.', STARTER).get('web/pages/Books.tsx') ?? ''
    assert.match(page, /\{user === null && \(\s+<p>\s+<Link to="\/sign-in">/)
    assert.match(page, /onEdit=\{user \? .* : undefined\}/)
  })
})

describe('sentences about uploads', () => {
  const keysIn = (said: string, files: ReadonlyMap<string, string>, enabled: string) =>
    callsOf(openingOf(said, files, enabled)).flatMap((call) => call.args['key'] ?? [])

  test('a new list to which people can upload gets a file field, and its app enables the capabilities auth and files', () => {
    for (const [said, access, built] of UPLOAD_SENTENCES) {
      const files = buildFiles(said, STARTER)
      assert.equal(describeLists(files), built, said)
      const intent = readIntent(said)
      assert.deepEqual(intent.kind === 'lists' && intent.wanted.map((one) => one.access), [access], said)
      assert.deepEqual(unfulfilledRequests(said, intent), [], said)
      const needed = access === 'team' ? ['data', 'auth', 'team', 'files'] : ['data', 'auth', 'files']
      assert.deepEqual([keysIn(said, STARTER, 'none'), manifestIn(files).uses], [needed, needed], said)
    }
  })

  test('of several requested lists, only the list with an upload gets a file field and requires signing in', () => {
    const lists = 'Track tools: name, price. Track shops: name, city.'
    for (const [said, built, access] of [
      [
        `${lists} People can upload a photo of each shop.`,
        'tools(name! price:number) shops(name! city photo:file)',
        ['open', 'members'],
      ],
      [
        `${lists} People can upload a photo of each tool.`,
        'tools(name! price:number photo:file) shops(name! city)',
        ['members', 'open'],
      ],
      [
        `${lists} People can upload a photo.`,
        'tools(name! price:number photo:file) shops(name! city)',
        ['members', 'open'],
      ],
    ] as const) {
      const files = buildFiles(said, STARTER)
      assert.equal(describeLists(files), built, said)
      const rules = Object.values(manifestIn(files).collections).map((one) => accessWithRules(one))
      assert.deepEqual(rules, access, said)
    }
  })

  test('a list that refers to a list with uploads also requires signing in', () => {
    const files = buildFiles(
      'Track tasks for each project with title and done. People can upload a photo of each project.',
      STARTER,
    )
    const rules = Object.entries(manifestIn(files).collections).map(([name, one]) => [
      name,
      accessWithRules(one),
    ])
    assert.deepEqual(Object.fromEntries(rules), { tasks: 'members', projects: 'members' })
  })

  test('an existing list gets a file field only once, and a list that anyone may write to gets none', () => {
    const said = 'People can upload photos of the tools'
    const members = buildFiles('Track tools. People have to sign in.', STARTER)
    const grown = buildFiles(said, members, 'data, auth')
    assert.deepEqual(keysIn(said, members, 'data, auth'), ['files'])
    assert.match(describeLists(grown), /photo:file\)$/)
    assert.deepEqual(manifestIn(grown).uses, ['data', 'auth', 'files'])
    assert.match(replyTo(said, grown).text ?? '', /has that already/)
    assert.match(
      replyTo(said, buildFiles('Track tools', STARTER)).text ?? '',
      /^Only people who are signed in can upload/,
    )
  })

  test('a sentence that only mentions a file or photo, or says that people should not upload, does not request an upload field', () => {
    for (const { said } of [...FIRST_SENTENCES, ...SECOND_SENTENCES])
      assert.equal(readUploadField(said), null, said)
    for (const said of [
      'Photo gallery of our wedding',
      'Orders as PDF',
      'People should not upload photos',
      'Add a photo field to plants',
      'Upload my spreadsheet',
    ])
      assert.equal(readUploadField(said), null, said)
  })
})

describe('sentences about a maximum per person', () => {
  test('a requested maximum of records per person without a time window is not built, and is reported as omitted', () => {
    for (const [said, built, left] of [
      [
        'Track bookings: name, date, at most 3 per person',
        'bookings(name! date:date)',
        'at most 3 per person',
      ],
      ['Track spots: number, max 2 for each person', 'spots(number!:number)', 'max 2 for each person'],
      [
        'Keep track of notes: title. Everyone sees only their own. Free users may add 10.',
        'notes(title!)',
        'Free users may add 10',
      ],
      [
        'A list of ideas with title, and everyone can have up to 5 ideas',
        'ideas(title!)',
        'everyone can have up to 5 ideas',
      ],
    ] as const) {
      assert.equal(describeLists(buildFiles(said, STARTER)), built, said)
      assert.deepEqual(unfulfilledRequests(said, readIntent(said)), [left], said)
    }
    const tools = buildFiles('Track tools', STARTER)
    assert.match(replyTo('At most 3 tools per person', tools).text ?? '', /needs an AI model/)
    const shared = 'People should sign in. Each person may add at most 5 tools.'
    const intent = readIntent(shared, { tools: { fields: {} } })
    assert.deepEqual(
      [intent.kind, unfulfilledRequests(shared, intent)],
      ['access', ['Each person may add at most 5 tools']],
    )
  })

  test('a number in a sentence that names no maximum per person is not mistaken for such a maximum', () => {
    for (const { said } of [...FIRST_SENTENCES, ...SECOND_SENTENCES])
      assert.equal(readLimit(said), null, said)
    assert.equal(readLimit('Track plants: name. People can upload one photo of each plant.'), null)
  })
})

describe('access in an app with lists', () => {
  const open = buildFiles('Track books: title, author', STARTER)

  test('changing the access of a list changes its rules, page, routes and test together', () => {
    for (const said of ['People should sign in', 'Add a login', 'Only members can see the books']) {
      const files = buildFiles(said, open, 'data')
      const { uses, pages, collections } = manifestIn(files)
      assert.deepEqual(
        [uses, collections['books']?.read, pages[0]?.access],
        [['data', 'auth'], 'members', 'members'],
        said,
      )
      assert.doesNotMatch(files.get('server/routes.ts') ?? '', /books|data/, said)
      assert.match(files.get('tests/books.test.ts') ?? '', /visitors see none/, said)
    }
  })

  test('changing access affects only the named list, which keeps the new access when a field is renamed', () => {
    const two = buildFiles('Also keep track of suppliers with name and phone', open, 'data')
    const files = buildFiles('Only members can add books', two, 'data')
    const { collections } = manifestIn(files)
    assert.deepEqual([collections['books']?.write, collections['suppliers']?.write], ['members', 'public'])
    assert.match(files.get('server/routes.ts') ?? '', /suppliers/)
    const renamed = buildFiles('Rename author to writer', files, 'data, auth')
    assert.match(renamed.get('tests/books.test.ts') ?? '', /only people who are signed in/)
  })

  test('a shared list cannot become a list of separate records per person or team, and the reply suggests another list', () => {
    assert.equal(replyTo('Each team sees its own', open).toolCalls, undefined)
    const turn = replyTo('Each person sees their own', open)
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /cannot be given to single people or teams.*Make another list/)
  })

  test('changing the access of a list does not overwrite its page if the user has edited the page', () => {
    const changed = new Map([...open, ['web/pages/Books.tsx', 'export default () => <p>Mine</p>\n']])
    const turn = replyTo('People should sign in', changed)
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /was changed since I made it/)
  })

  test('changing the access of a list does not overwrite its test if the user has edited the test', () => {
    const changed = new Map([...open, ['tests/books.test.ts', "test('mine', () => {})\n"]])
    const turn = replyTo('People should sign in', changed)
    assert.equal(turn.toolCalls, undefined)
    assert.match(turn.text ?? '', /^The book list was changed since I made it\./)
  })
})
