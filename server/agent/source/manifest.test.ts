import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fileIssues, type Manifest, readManifest } from './manifest.ts'
import { migrationIssues } from './manifest-migrations.ts'

const FIELDS = { title: { type: 'text', required: true }, due: { type: 'date', index: true } }
const TASKS = { partition: 'app', read: 'public', write: 'public', fields: FIELDS }

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

test('a manifest with a collection and pages is read', () => {
  const manifest = read({ pages: [{ path: '/tasks/:id', file: 'Task.tsx', title: 'Task' }] })
  assert.equal(manifest.collections['tasks']?.fields['due']?.type, 'date')
})

test('every type of field that can be stored is accepted', () => {
  for (const type of ['text', 'number', 'integer', 'boolean', 'date', 'json', 'list']) {
    assert.deepEqual(issuesOf(withField({ type })), [], type)
  }
  assert.deepEqual(issuesOf(withField({ type: 'enum', values: ['a', 'b'], default: 'a' })), [])
  assert.deepEqual(issuesOf(withField({ type: 'ref', ref: 'tasks' })), [])
})

const REFUSED: [what: string, changes: object, issue: RegExp][] = [
  ['an unknown key', { colour: 'red' }, /Unrecognized key/],
  [
    'an unknown field flag',
    withField({ type: 'text', primary: true }),
    /collections\.tasks\.fields\.x: .*primary/,
  ],
  [
    'a reserved field name',
    { collections: { tasks: { ...TASKS, fields: { id: { type: 'text' } } } } },
    /reserved/,
  ],
  ['a reserved collection name', { collections: { socket: TASKS } }, /reserved/],
  ['an enum without values', withField({ type: 'enum' }), /x: an enum needs "values"/],
  ['a ref to nothing', withField({ type: 'ref', ref: 'people' }), /there is no collection people/],
  ['an index on a list', withField({ type: 'list', index: true }), /a list has no index/],
  ['a default of another type', withField({ type: 'number', default: 'one' }), /"default" does not fit/],
  ['collections without the capability', { uses: [] }, /uses: must list "data"/],
  [
    'a capability that does not exist yet',
    { uses: ['data', 'pay'] },
    /uses\.1: the capability pay is not available yet/,
  ],
  [
    'a declaration of a capability that does not exist yet',
    { schedules: [{ name: 'nightly', every: 'day', handler: 'nightly' }] },
    /schedules: the capability schedule is not available yet/,
  ],
  [
    'a partition per user without accounts',
    { collections: { tasks: { ...TASKS, partition: 'user' } } },
    /partition: user needs app users: add "auth" to "uses"/,
  ],
  [
    'a partition per team',
    { uses: ['auth', 'data'], collections: { tasks: { ...TASKS, partition: 'team' } } },
    /partition: team needs app users: the capability team is not available yet/,
  ],
  [
    'a page for members without accounts',
    { pages: [{ path: '/', file: 'P.tsx', title: 'P', access: 'members' }] },
    /pages\.0\.access: members needs sign-in: add "auth" to "uses"/,
  ],
  [
    'records for members without accounts',
    { collections: { tasks: { ...TASKS, read: 'members' } } },
    /read: members needs app users/,
  ],
  [
    'no word on who may read',
    { collections: { tasks: { ...TASKS, read: undefined } } },
    /read: say who may read/,
  ],
  [
    'two pages at one address',
    { pages: ['a', 'b'].map((name) => ({ path: `/p/:${name}`, file: 'P.tsx', title: 'P' })) },
    /pages\.1\.path: \/p\/:b is there twice/,
  ],
  ['a page outside its folder', { pages: [{ path: '/', file: '../App.tsx', title: 'P' }] }, /web\/pages/],
  [
    'a page in the place of the server',
    { pages: [{ path: '/api/x', file: 'P.tsx', title: 'P' }] },
    /belong to the server/,
  ],
]

for (const [what, changes, issue] of REFUSED) {
  test(`the manifest refuses ${what} and says where`, () => {
    const issues = issuesOf(changes)
    assert.ok(
      issues.some((line) => issue.test(line)),
      `${issue} not in ${JSON.stringify(issues)}`,
    )
  })
}

test('with accounts the manifest takes records and pages for members, owners and staff', () => {
  const page = { file: 'P.tsx', title: 'P', access: 'staff' }
  const diary = { ...TASKS, partition: 'user', read: 'owner', write: 'owner' }
  const tasks = { ...TASKS, read: 'members', write: 'owner' }
  const changes = { uses: ['auth', 'data'], collections: { tasks, diary }, pages: [{ path: '/', ...page }] }
  assert.deepEqual(issuesOf(changes), [])
})

test('text that is not JSON is one issue of the whole file', () => {
  const result = readManifest('{ "slipway": 1,')
  assert.ok(!result.ok)
  assert.equal(result.issues.length, 1)
  assert.equal(result.issues[0]?.path, '')
})

test('a page whose file is missing is an issue', () => {
  const manifest = read({ pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }] })
  assert.equal(fileIssues(manifest, new Map()).length, 1)
  assert.equal(fileIssues(manifest, new Map([['web/pages/Home.tsx', '']])).length, 0)
})

test('a removed field needs an entry, and the issue prints it', () => {
  const after = { collections: { tasks: { ...TASKS, fields: { title: FIELDS.title } } } }
  const [issue] = migrationIssues(read({}), read(after))
  const entry = { id: '0001-change', collection: 'tasks', steps: [{ op: 'drop', field: 'due' }] }
  assert.equal(issue?.path, 'collections.tasks.fields.due')
  assert.ok(issue.message.includes(JSON.stringify(entry)))
  assert.deepEqual(migrationIssues(read({}), read({ ...after, migrations: [entry] })), [])
})

test('a changed type, a removed collection and a new required field need entries', () => {
  const changed = { collections: { tasks: { ...TASKS, fields: { ...FIELDS, due: { type: 'text' } } } } }
  assert.match(migrationIssues(read({}), read(changed))[0]?.message ?? '', /from date to text.*"convert"/)
  assert.match(migrationIssues(read({}), read({ collections: {} }))[0]?.message ?? '', /was removed.*"drop"/)
  const required = withField({ type: 'text', required: true })
  assert.match(migrationIssues(read({}), read(required))[0]?.message ?? '', /is new and required.*"default"/)
})

test('a new optional field is free', () => {
  assert.deepEqual(migrationIssues(read({}), read(withField({ type: 'text' }))), [])
})

test('an entry that is on main cannot be edited', () => {
  const migrations = [{ id: '0001', collection: 'tasks', steps: [{ op: 'drop', field: 'old' }] }]
  const edited = [{ id: '0001', collection: 'tasks', steps: [{ op: 'drop', field: 'other' }] }]
  assert.match(
    migrationIssues(read({ migrations }), read({ migrations: edited }))[0]?.message ?? '',
    /must stay as it is/,
  )
})

test('a manifest that nests a hundred thousand levels deep is an issue, not an exception', () => {
  const value = `${'['.repeat(100_000)}${']'.repeat(100_000)}`
  const step = `{"op":"default","field":"a","value":${value}}`
  const text = `{"slipway":1,"name":"x","migrations":[{"id":"m1","collection":"c","steps":[${step}]}]}`
  const read = readManifest(text)
  assert.match(read.ok ? '' : (read.issues[0]?.message ?? ''), /more than 200 levels deep/)
})
