import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileIssues, type Manifest, readManifest } from './manifest.ts'
import { cpuMs } from '../../testing/cpu.ts'
import { migrationIssues } from './manifest-migrations.ts'
import { compileApp, generateModules } from './typegen.ts'

const FIELDS = { title: { type: 'text', required: true }, due: { type: 'date', index: true } }
const TASKS = { partition: 'app', read: 'public', write: 'public', fields: FIELDS }

const METER = { key: 'exports', per: 'user', window: 'day', limit: 3 }
const ROOM = { room: 'doc', access: 'members' }

const text = (changes: object) =>
  JSON.stringify({ slipway: 1, name: 'App', uses: ['data'], collections: { tasks: TASKS }, ...changes })

function issuesOf(changes: object): string[] {
  const result = readManifest(text(changes))
  return result.ok ? [] : result.issues.map(({ path, message }) => `${path}: ${message}`)
}

function read(changes: object): Manifest {
  const result = readManifest(text(changes))
  assert.ok(result.ok, JSON.stringify(result))
  return result.manifest
}

const withField = (field: object) => ({
  collections: { tasks: { ...TASKS, fields: { ...FIELDS, x: field } } },
})

test('a manifest with a collection and pages is parsed', () => {
  const manifest = read({ pages: [{ path: '/tasks/:id', file: 'Task.tsx', title: 'Task' }] })
  assert.equal(manifest.collections['tasks']?.fields['due']?.type, 'date')
})

test('a manifest may have fields of every storable type', () => {
  for (const type of ['text', 'number', 'integer', 'boolean', 'date', 'json', 'list']) {
    assert.deepEqual(issuesOf(withField({ type })), [], type)
  }
  assert.deepEqual(issuesOf(withField({ type: 'enum', values: ['a', 'b'], default: 'a' })), [])
  assert.deepEqual(issuesOf(withField({ type: 'ref', ref: 'tasks' })), [])
})

const REFUSED: [what: string, changes: object, issue: RegExp][] = [
  [
    'an unknown key',
    { colour: 'red' },
    /Unrecognized key: "colour"; the keys here are slipway, name, description, look, pages, /,
  ],
  [
    'an unknown field flag',
    withField({ type: 'text', primary: true }),
    /collections\.tasks\.fields\.x: .*primary"; the keys here are type, title, help, /,
  ],
  [
    'a reserved field name',
    { collections: { tasks: { ...TASKS, fields: { id: { type: 'text' } } } } },
    /reserved/,
  ],
  ...['constructor', 'toString', 'valueOf', 'hasOwnProperty'].map((name): (typeof REFUSED)[number] => [
    `a field that is named ${name} like a member of every object`,
    { collections: { tasks: { ...TASKS, fields: { [name]: { type: 'text' } } } } },
    new RegExp(`^collections.tasks.fields.${name}: is a name that every JavaScript object has: give`),
  ]),
  [
    'a field that is named __proto__',
    { collections: { tasks: { ...TASKS, fields: JSON.parse('{"__proto__":{"type":"text"}}') as object } } },
    /: has the key "__proto__": give it another name$/,
  ],
  [
    'a field with similarity search without the ai capability',
    withField({ type: 'text', similar: true }),
    /x\.similar: comparing needs a model: add "ai" to "uses"/,
  ],
  [
    'similarity search on a number',
    { uses: ['data', 'ai'], ...withField({ type: 'number', similar: true }) },
    /x: only text has "similar"/,
  ],
  [
    'an amount of money with a fraction',
    withField({ type: 'number', currency: 'EUR' }),
    /x: only an integer has "currency"/,
  ],
  [
    'a currency given by its sign',
    withField({ type: 'integer', currency: '€' }),
    /x\.currency: .*three capitals/,
  ],
  [
    'a file field without the files capability',
    withField({ type: 'file' }),
    /x\.type: a file needs uploads: add "files" to "uses"/,
  ],
  [
    'full-text search on a file field',
    withField({ type: 'file', search: true }),
    /x: a file has no "search"/,
  ],
  ['an index on a file field', withField({ type: 'file', index: true }), /x: a file has no index/],
  ['a reserved collection name', { collections: { socket: TASKS } }, /reserved/],
  ['an enum without values', withField({ type: 'enum' }), /x: an enum needs "values"/],
  [
    'a ref to an undeclared collection',
    withField({ type: 'ref', ref: 'people' }),
    /there is no collection people/,
  ],
  [
    'a ref on a field of another type',
    withField({ type: 'text', ref: 'tasks' }),
    /only a ref or a list has "ref"/,
  ],
  [
    'an "onRemove" without a ref',
    withField({ type: 'text', onRemove: 'clear' }),
    /only a field with "ref" has "onRemove"/,
  ],
  [
    'a required ref that a removal clears',
    withField({ type: 'ref', ref: 'tasks', required: true, onRemove: 'clear' }),
    /a required ref cannot be cleared/,
  ],
  [
    'a list of refs whose removal cascades',
    withField({ type: 'list', ref: 'tasks', onRemove: 'cascade' }),
    /a list of refs has "onRemove": "refuse" or "clear"/,
  ],
  ['an index on a list', withField({ type: 'list', index: true }), /a list has no index/],
  ['a default of another type', withField({ type: 'number', default: 'one' }), /"default" does not fit/],
  [
    'a meter that is declared twice',
    { uses: ['data', 'auth', 'meter'], meters: [METER, METER] },
    /meters: names a key twice/,
  ],
  [
    'a mailbox without the email capability',
    { mailboxes: [{ collection: 'tasks' }] },
    /uses: must list "email"/,
  ],
  [
    'a mailbox of an undeclared collection',
    { uses: ['data', 'email'], mailboxes: [{ collection: 'mails' }] },
    /mailboxes\.0\.collection: there is no collection mails/,
  ],
  [
    'a mailbox of a collection with a required field that no mail fills',
    { uses: ['data', 'email'], mailboxes: [{ collection: 'tasks' }] },
    /mailboxes\.0\.collection: tasks requires title, which no message has/,
  ],
  [
    'a mailbox of a per-person collection',
    {
      uses: ['auth', 'data', 'email'],
      collections: { mails: { partition: 'user', fields: { text: { type: 'text' } } } },
      mailboxes: [{ collection: 'mails' }],
    },
    /mailboxes\.0\.collection: mails is kept per user/,
  ],
  [
    'two mailboxes with one collection',
    {
      uses: ['data', 'email'],
      collections: { mails: { ...TASKS, fields: { subject: { type: 'text', required: true } } } },
      mailboxes: [{ collection: 'mails' }, { collection: 'mails', handler: 'on-mail' }],
    },
    /mailboxes\.1\.collection: mails is there twice/,
  ],
  ['a meter without the meter capability', { meters: [METER] }, /uses: must list "meter"/],
  [
    'a per-person meter in an app without accounts',
    { uses: ['data', 'meter'], meters: [METER] },
    /meters\.0\.per: user needs app users: add "auth"/,
  ],
  ['a meter with a negative limit', { meters: [{ ...METER, limit: -1 }] }, /meters\.0\.limit: /],
  ['a room without the live capability', { rooms: [ROOM] }, /uses: must list "live"/],
  [
    'a room that is declared twice',
    { uses: ['auth', 'data', 'live'], rooms: [ROOM, ROOM] },
    /rooms: names a room twice/,
  ],
  [
    'a room for members in an app without accounts',
    { uses: ['data', 'live'], rooms: [ROOM] },
    /rooms\.0\.access: members needs app users: add "auth"/,
  ],
  [
    'a room for teams without the team capability',
    { uses: ['auth', 'data', 'live'], rooms: [{ ...ROOM, access: 'team' }] },
    /rooms\.0\.access: team needs app users: add "team"/,
  ],
  [
    'a room that keeps too many messages',
    { uses: ['auth', 'data', 'live'], rooms: [{ ...ROOM, history: 1001 }] },
    /rooms\.0\.history: /,
  ],
  [
    'a room with the access rule owner',
    { uses: ['auth', 'data', 'live'], rooms: [{ ...ROOM, access: 'owner' }] },
    /rooms\.0\.access: /,
  ],
  [
    'a room with an invalid name',
    { uses: ['auth', 'data', 'live'], rooms: [{ ...ROOM, room: 'a room' }] },
    /rooms\.0\.room: must be a name like "doc"/,
  ],
  [
    'calls without the live capability',
    { uses: ['auth', 'data', 'call'] },
    /uses: call happens in rooms: add "live"/,
  ],
  ['calls without a declared room', { uses: ['data', 'live', 'call'] }, /uses: call needs a room/],
  ['collections without the data capability', { uses: [] }, /uses: must list "data"/],
  [
    'a partition per user in an app without accounts',
    { collections: { tasks: { ...TASKS, partition: 'user' } } },
    /partition: user needs app users: add "auth" to "uses"/,
  ],
  [
    'a partition per team without the team capability',
    { uses: ['auth', 'data'], collections: { tasks: { ...TASKS, partition: 'team' } } },
    /partition: team needs app users: add "team" to "uses"/,
  ],
  [
    'team access to records in the partition of the app',
    { uses: ['auth', 'team', 'data'], collections: { tasks: { ...TASKS, read: 'team' } } },
    /read: team needs "partition": "team"/,
  ],
  [
    'a role that every team has already',
    { uses: ['auth', 'team'], roles: ['owner'] },
    /roles\.0: owner is there in/,
  ],
  [
    'a role that is declared twice',
    { uses: ['auth', 'team'], roles: ['cook', 'cook'] },
    /roles\.1: cook is there twice/,
  ],
  [
    'more than five roles',
    { uses: ['auth', 'team'], roles: ['a', 'b', 'c', 'd', 'e', 'f'].map((end) => `cook${end}`) },
    /roles/,
  ],
  ['roles without the team capability', { roles: ['cook'] }, /uses: must list "team": roles needs it/],
  [
    'AI tasks without the ai capability',
    { ai: [{ task: 'sum', system: 'Sum.' }] },
    /uses: must list "ai": ai needs it/,
  ],
  [
    'an AI task for members in an app without accounts',
    { uses: ['ai'], ai: [{ task: 'sum', system: 'Sum.', access: 'members' }] },
    /ai\.0\.access: members needs app users: add "auth" to "uses"/,
  ],
  [
    'an AI task that is declared twice',
    { uses: ['ai'], ai: [1, 2].map(() => ({ task: 'sum', system: 'Sum.' })) },
    /ai: names a task twice/,
  ],
  [
    'an AI task whose response schema is no object',
    { uses: ['ai'], ai: [{ task: 'sum', system: 'Sum.', schema: { type: 'string' } }] },
    /ai\.0\.schema: must describe an object/,
  ],
  [
    'a page for members in an app without accounts',
    { pages: [{ path: '/', file: 'P.tsx', title: 'P', access: 'members' }] },
    /pages\.0\.access: members needs sign-in: add "auth" to "uses"/,
  ],
  [
    'records for members in an app without accounts',
    { collections: { tasks: { ...TASKS, read: 'members' } } },
    /read: members needs app users/,
  ],
  [
    'a collection without a read rule in an app without accounts',
    { collections: { tasks: { ...TASKS, read: undefined } } },
    /read: say who may read/,
  ],
  [
    'two pages whose paths differ only by the name of a parameter',
    { pages: ['a', 'b'].map((name) => ({ path: `/p/:${name}`, file: 'P.tsx', title: 'P' })) },
    /pages\.1\.path: \/p\/:b is there twice/,
  ],
  ['a page outside its folder', { pages: [{ path: '/', file: '../App.tsx', title: 'P' }] }, /web\/pages/],
  [
    'a page at a path of the server',
    { pages: [{ path: '/api/x', file: 'P.tsx', title: 'P' }] },
    /belong to the server/,
  ],
]

for (const [what, changes, issue] of REFUSED) {
  test(`an app.json with ${what} is refused, and the error names the place in the file`, () => {
    const issues = issuesOf(changes)
    assert.ok(
      issues.some((line) => issue.test(line)),
      `${issue} not in ${JSON.stringify(issues)}`,
    )
  })
}

test('an app page at /apiary is accepted even if its path begins with the letters of the server path /api', () => {
  const pages = ['/apiary', '/api-keys', '/_apps'].map((path) => ({ path, file: 'P.tsx', title: 'P' }))
  assert.deepEqual(issuesOf({ pages }), [])
  for (const path of ['/api', '/_app', '/_app/x'])
    assert.match(issuesOf({ pages: [{ path, file: 'P.tsx', title: 'P' }] }).join(), /belong to the server/)
})

test('a manifest with the auth capability may limit records and pages to members, owners and staff', () => {
  const page = { file: 'P.tsx', title: 'P', access: 'staff' }
  const diary = { ...TASKS, partition: 'user', read: 'owner', write: 'owner' }
  const tasks = { ...TASKS, read: 'members', write: 'owner' }
  const changes = { uses: ['auth', 'data'], collections: { tasks, diary }, pages: [{ path: '/', ...page }] }
  assert.deepEqual(issuesOf(changes), [])
})

test('omitted access rules limit personal records to owners, team records to teams, and app records to members and staff', () => {
  const fields = FIELDS
  const collections = {
    diary: { partition: 'user', fields },
    notes: { partition: 'user', read: 'owner', fields },
    plans: { partition: 'team', fields },
    board: { partition: 'app', fields },
    news: { partition: 'app', read: 'public', fields },
    wishes: { partition: 'app', write: 'owner', fields },
  }
  const compiled = compileApp(read({ uses: ['auth', 'team', 'data'], collections })).manifest.collections
  const accessIn = (name: string) => [name, compiled[name]?.read, compiled[name]?.write]
  assert.deepEqual(Object.keys(compiled).map(accessIn), [
    ['diary', 'owner', 'owner'],
    ['notes', 'owner', 'owner'],
    ['plans', 'team', 'team'],
    ['board', 'members', 'staff'],
    ['news', 'public', 'staff'],
    ['wishes', 'members', 'owner'],
  ])
})

test('access rules stated in a manifest are compiled unchanged, for shared, personal and team records', () => {
  const words = { read: 'staff', write: 'nobody' }
  const collections = Object.fromEntries(
    ['app', 'user', 'team'].map((partition) => [partition, { partition, ...words, fields: FIELDS }]),
  )
  const compiled = compileApp(read({ uses: ['auth', 'team', 'data'], collections })).manifest.collections
  for (const name of Object.keys(collections))
    assert.deepEqual([compiled[name]?.read, compiled[name]?.write], ['staff', 'nobody'], name)
})

test('a reference from personal to shared records is accepted only without a removal rule', () => {
  const diary = (field: object) => ({ ...TASKS, partition: 'user', read: 'owner', fields: { x: field } })
  const issues = (collections: object) => issuesOf({ uses: ['auth', 'data'], collections })
  const toTask = { type: 'list', ref: 'tasks' }
  assert.deepEqual(issues({ tasks: TASKS, diary: diary(toTask) }), [])
  const kept = issues({ tasks: TASKS, diary: diary({ ...toTask, onRemove: 'refuse' }) })
  assert.match(kept.join(), /diary\.fields\.x: "onRemove" needs tasks in the same partition/)
  const tasks = { ...TASKS, fields: { x: { type: 'ref', ref: 'diary' } } }
  assert.match(issues({ tasks, diary: diary({ type: 'text' }) }).join(), /diary is kept per user/)
})

test('a reference without a removal rule is compiled with the default rule, because older releases treat a missing rule otherwise', () => {
  const { collections } = compileApp(read(withField({ type: 'ref', ref: 'tasks' }))).manifest
  assert.deepEqual(collections['tasks']?.fields['x'], { type: 'ref', ref: 'tasks', onRemove: 'refuse' })
})

test('a change of the collection that a list field refers to needs a migration, unless the collection was only renamed', () => {
  const list = (ref?: string) => ({
    collections: { a: TASKS, tasks: { ...TASKS, fields: { ...FIELDS, x: { type: 'list', ref } } } },
  })
  const issue = /refers to tasks now.*"convert"/
  assert.match(migrationIssues(read(list()), read(list('tasks')))[0]?.message ?? '', issue)
  assert.match(migrationIssues(read(list('a')), read(list('tasks')))[0]?.message ?? '', issue)
  const rename = [{ id: '0001', collection: 'a', steps: [{ op: 'rename', to: 'tasks' }] }]
  assert.deepEqual(migrationIssues(read(list('a')), read({ ...list('tasks'), migrations: rename })), [])
})

test('the title and help of a manifest field are compiled for forms and are escaped in the comment of the generated type', () => {
  const manifest = read(
    withField({ type: 'text', title: 'Pot size', help: 'In cm. */ export const x = 1\nor so' }),
  )
  const { collections } = compileApp(manifest).manifest
  assert.equal(collections['tasks']?.fields['x']?.title, 'Pot size')
  const types = generateModules(manifest, new Map()).get('platform/types.gen.ts') ?? ''
  assert.match(types, /  \/\*\* Pot size: In cm\. \* \/ export const x = 1 or so \*\/\n  x\?: string/)
  assert.match(issuesOf(withField({ type: 'text', title: '' })).join(), /fields\.x\.title/)
})

test('a manifest that is not JSON is reported as one error for the whole file', () => {
  const result = readManifest('{ "slipway": 1,')
  assert.ok(!result.ok)
  assert.equal(result.issues.length, 1)
  assert.equal(result.issues[0]?.path, '')
})

test('a page declared in the manifest without a file is reported as an error', () => {
  const manifest = read({ pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }] })
  assert.equal(fileIssues(manifest, new Map()).length, 1)
  assert.equal(fileIssues(manifest, new Map([['web/pages/Home.tsx', '']])).length, 0)
})

test('a page that makes video calls without the call capability is reported, and the message names the capability', () => {
  const manifest = read({ pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }] })
  const home = (text: string) => fileIssues(manifest, new Map([['web/pages/Home.tsx', text]]))
  const code = "import {\n  Page,\n  useCall,\n} from '@slipway/app/react'"
  assert.deepEqual(home(code), [
    { path: 'uses', message: 'web/pages/Home.tsx makes calls: add "call" to "uses"' },
  ])
  assert.deepEqual(home("import { Page } from '@slipway/app/react'\nimport { call } from '../call.ts'"), [])
  const withCalls: Manifest = { ...manifest, uses: [...manifest.uses, 'live', 'call'] }
  assert.deepEqual(fileIssues(withCalls, new Map([['web/pages/Home.tsx', code]])), [])
})

test('removing a field without a migration entry in the manifest is an error that contains the entry to add', () => {
  const after = { collections: { tasks: { ...TASKS, fields: { title: FIELDS.title } } } }
  const [issue] = migrationIssues(read({}), read(after))
  const entry = { id: '0001-change', collection: 'tasks', steps: [{ op: 'drop', field: 'due' }] }
  assert.equal(issue?.path, 'collections.tasks.fields.due')
  assert.ok(issue.message.includes(JSON.stringify(entry)))
  assert.deepEqual(migrationIssues(read({}), read({ ...after, migrations: [entry] })), [])
})

test('changing the type of a field, removing a collection and adding a required field need migration entries in the manifest', () => {
  const changed = { collections: { tasks: { ...TASKS, fields: { ...FIELDS, due: { type: 'text' } } } } }
  assert.match(migrationIssues(read({}), read(changed))[0]?.message ?? '', /from date to text.*"convert"/)
  assert.match(migrationIssues(read({}), read({ collections: {} }))[0]?.message ?? '', /was removed.*"drop"/)
  const required = withField({ type: 'text', required: true })
  assert.match(migrationIssues(read({}), read(required))[0]?.message ?? '', /is new and required.*"default"/)
})

test('adding an optional field needs no migration', () => {
  assert.deepEqual(migrationIssues(read({}), read(withField({ type: 'text' }))), [])
})

test("a migration entry that is already in the main branch's manifest cannot be edited", () => {
  const migrations = [{ id: '0001', collection: 'tasks', steps: [{ op: 'drop', field: 'old' }] }]
  const edited = [{ id: '0001', collection: 'tasks', steps: [{ op: 'drop', field: 'other' }] }]
  assert.match(
    migrationIssues(read({ migrations }), read({ migrations: edited }))[0]?.message ?? '',
    /must stay as it is/,
  )
})

test('a manifest nested a hundred thousand levels deep is reported as an error instead of throwing', () => {
  const value = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const step = `{"op":"default","field":"a","value":${value}}`
  const text = `{"slipway":1,"name":"x","migrations":[{"id":"m1","collection":"c","steps":[${step}]}]}`
  const read = readManifest(text)
  assert.match(read.ok ? '' : (read.issues[0]?.message ?? ''), /more than 200 levels deep/)
})

test('a queue whose handler file is missing in server/jobs/ is reported as an error of the manifest', () => {
  const manifest = read({
    uses: ['data', 'queue'],
    queues: [
      { name: 'report', handler: 'make-report' },
      { name: 'mail', handler: 'gone' },
    ],
  })
  assert.deepEqual(fileIssues(manifest, new Map([['server/jobs/make-report.ts', '']])), [
    { path: 'queues.1.handler', message: 'server/jobs/gone.ts does not exist' },
  ])
})

test('a mailbox of a manifest is compiled for the runtime, and its missing handler file is reported as an error', () => {
  const mailboxes = [{ collection: 'mails', handler: 'on-mail' }]
  const mails = { ...TASKS, fields: { from: { type: 'text', required: true }, text: { type: 'text' } } }
  const manifest = read({ uses: ['data', 'email'], collections: { mails }, mailboxes })
  assert.deepEqual(compileApp(manifest).manifest.mailboxes, mailboxes)
  assert.deepEqual(fileIssues(manifest, new Map()), [
    { path: 'mailboxes.0.handler', message: 'server/jobs/on-mail.ts does not exist' },
  ])
  assert.deepEqual(fileIssues(manifest, new Map([['server/jobs/on-mail.ts', '']])), [])
})

test('a manifest with fifty schedules on dates that do not exist, such as a fifth Monday before the 29th, is refused within a second', () => {
  const handler = 'remind'
  const schedules = Array.from({ length: 50 }, (_, n) => ({
    name: `s${n}`,
    cron: `${n} * 1-28 * +1#5`,
    handler,
  }))
  issuesOf({ schedules: schedules.slice(0, 2) })
  let count = 0
  const spentMs = cpuMs(() => {
    count = issuesOf({ schedules }).length
  })
  assert.equal(count, 50)
  assert.ok(spentMs < 1_000, `${spentMs} ms`)
})
