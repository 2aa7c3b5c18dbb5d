import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkManifest } from '../check/phases/manifest.ts'
import { type Manifest, readManifest } from './manifest.ts'
import { migrationIssues } from './manifest-migrations.ts'

const FIELDS = { title: { type: 'text', required: true }, due: { type: 'date' } }
const collectionOf = (fields: object) => ({ partition: 'app', read: 'public', write: 'public', fields })
const textOf = (collections: object, migrations: object[] = []) =>
  JSON.stringify({ slipway: 1, name: 'App', uses: ['data', 'auth'], collections, migrations })

function read(collections: object, migrations?: object[]): Manifest {
  const result = readManifest(textOf(collections, migrations))
  assert.ok(result.ok, JSON.stringify(result))
  return result.manifest
}

const BEFORE = read({ tasks: collectionOf(FIELDS) })

function issuesOf(collections: object, migrations?: object[], before = BEFORE): string[] {
  return migrationIssues(before, read(collections, migrations)).map(
    ({ path, message }) => `${path}: ${message}`,
  )
}

const entry = (id: string, collection: string, ...steps: object[]) => ({ id, collection, steps })

test('a new migration with the id of an earlier migration is refused, because apps would skip it', () => {
  const first = entry('0001-change', 'tasks', { op: 'default', field: 'due', value: '2026-01-01' })
  const again = entry('0001-change', 'tasks', { op: 'drop', field: 'due' })
  const before = read({ tasks: collectionOf(FIELDS) }, [first])
  const tasks = collectionOf({ title: FIELDS.title })
  assert.deepEqual(issuesOf({ tasks }, [first, again], before), [
    'migrations.1.id: 0001-change is there twice, and an app applies each id once',
  ])
  assert.deepEqual(issuesOf({ tasks }, [first, { ...again, id: '0002' }], before), [])
})

test('when several manifest errors each propose a migration, the proposed ids are new and different', () => {
  const [title = '', due = ''] = issuesOf({ tasks: collectionOf({ done: { type: 'boolean' } }) })
  assert.match(title, /tasks\.fields\.title: was removed.*"id":"0001-change"/)
  assert.match(due, /tasks\.fields\.due: was removed.*"id":"0002-change"/)
  const taken = entry('0002-change', 'tasks', { op: 'drop', field: 'title' })
  const [only = ''] = issuesOf({ tasks: collectionOf({ done: { type: 'boolean' } }) }, [taken])
  assert.match(only, /tasks\.fields\.due: was removed.*"id":"0003-change"/)
})

test("a convert migration counts only if it names the field's new type", () => {
  const tasks = collectionOf({ ...FIELDS, due: { type: 'integer' } })
  const convert = (as?: string) => [entry('m', 'tasks', { op: 'convert', field: 'due', as })]
  assert.deepEqual(issuesOf({ tasks }, convert('integer')), [])
  assert.match(issuesOf({ tasks }, convert('boolean')).join(), /from date to integer.*"as":"integer"/)
  assert.match(issuesOf({ tasks }, convert()).join(), /migrations\.0\.steps\.0: a convert needs "as"/)
})

test('a migration cannot give existing records a value that the field does not allow', () => {
  for (const [field, value, problem] of [
    [{ type: 'integer', required: true }, '…', 'the value of size must be a number'],
    [{ type: 'date', required: true }, 'today', 'the value of size must be a date like 2026-11-20'],
    [{ type: 'text', required: true }, ' ', 'the value of size is required'],
    [{ type: 'text', required: true }, undefined, 'a default needs "value"'],
    [{ type: 'enum', values: ['s', 'm'] }, 'l', 'the value of size must be one of s, m'],
    [{ type: 'integer', required: true }, 3, null],
    [{ type: 'enum', values: ['s', 'm'], required: true }, 's', null],
  ] as const) {
    const tasks = collectionOf({ ...FIELDS, size: field })
    const issues = issuesOf({ tasks }, [entry('m', 'tasks', { op: 'default', field: 'size', value })])
    assert.deepEqual(issues, problem === null ? [] : [`migrations.0.steps.0: ${problem}`])
  }
})

test('a rename to a name that the manifest lacks is refused, because the stored values would be lost', () => {
  const tasks = collectionOf({ title: FIELDS.title, until: { type: 'date' } })
  const rename = (to?: string) => ({ op: 'rename', field: 'due', to })
  assert.deepEqual(issuesOf({ tasks }, [entry('m', 'tasks', rename('until'))]), [])
  assert.match(issuesOf({ tasks }, [entry('m', 'tasks', rename('utnil'))]).join(), /there is no field utnil/)
  assert.match(issuesOf({ tasks }, [entry('m', 'tasks', rename())]).join(), /a rename needs "to"/)
  const twice = entry('m', 'tasks', rename('end'), { op: 'rename', field: 'end', to: 'until' })
  assert.deepEqual(issuesOf({ tasks }, [twice]), [])
  const jobs = collectionOf(FIELDS)
  const all = (to: string) => [entry('m', 'tasks', { op: 'rename', to })]
  assert.deepEqual(issuesOf({ jobs }, all('jobs')), [])
  assert.deepEqual(issuesOf({ jobs }, all('job')), ['migrations.0.steps.0: there is no collection job'])
})

test('the fields of a renamed collection are compared with the fields under the old name', () => {
  const rename = entry('0001', 'tasks', { op: 'rename', to: 'jobs' })
  const jobs = collectionOf({ ...FIELDS, due: { type: 'text' }, room: { type: 'text', required: true } })
  const [due = '', room = ''] = issuesOf({ jobs }, [rename])
  assert.match(due, /jobs\.fields\.due: changed from date to text.*"collection":"jobs"/)
  assert.match(room, /jobs\.fields\.room: is new and required.*"collection":"jobs"/)
  const convert = { op: 'convert', field: 'due', as: 'text' }
  const fill = { op: 'default', field: 'room', value: 'none' }
  assert.deepEqual(issuesOf({ jobs }, [rename, entry('0002', 'jobs', convert, fill)]), [])
  assert.deepEqual(issuesOf({ jobs }, [entry('0001', 'tasks', convert, fill, rename.steps[0]!)]), [])
  const late = entry('0001', 'tasks', rename.steps[0]!, convert, fill)
  assert.equal(issuesOf({ jobs }, [late]).length, 2, 'the records were copied before they were changed')
  const own = { jobs: { ...collectionOf(FIELDS), partition: 'user', read: 'owner', write: 'owner' } }
  assert.match(issuesOf(own, [rename]).join(), /jobs\.partition: cannot change/)
})

test('a check of the manifest reports a default that the app would refuse when a record is created', () => {
  const problemsOf = (field: object) => {
    const app = textOf({ tasks: collectionOf({ ...FIELDS, x: field }) })
    return checkManifest(new Map([['app.json', app]]), readManifest(app), null).map(({ message }) => message)
  }
  const refused = 'collections.tasks.fields.x.default: the app would refuse this default: the value of x'
  for (const [field, problem] of [
    [{ type: 'date', default: 'today' }, 'must be a date like 2026-11-20'],
    [{ type: 'text', default: 'abcdef', max: 5 }, 'must have at most 5 characters'],
    [{ type: 'number', default: 11, max: 10 }, 'must be at most 10'],
    [{ type: 'text', default: '', required: true }, 'is required'],
  ] as const)
    assert.deepEqual(problemsOf(field), [`${refused} ${problem}`])
  for (const field of [
    { type: 'date', default: '2026-11-20' },
    { type: 'text', default: '' },
    { type: 'list', default: [] },
  ])
    assert.deepEqual(problemsOf(field), [])
})
