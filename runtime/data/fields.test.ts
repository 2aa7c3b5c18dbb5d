import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CollectionSpec, FieldSpec } from '../kernel/manifest.ts'
import { fieldProblem, fieldsForCreate, fieldsForUpdate } from './fields.ts'

const TASKS: CollectionSpec = {
  title: 'Tasks',
  partition: 'app',
  read: 'public',
  write: 'public',
  fields: {
    title: { type: 'text', required: true, max: 10 },
    done: { type: 'boolean', default: false },
    due: { type: 'date' },
  },
}

const CASES: [field: FieldSpec, value: unknown, problem: RegExp | null][] = [
  [{ type: 'text' }, 'a', null],
  [{ type: 'text' }, null, null],
  [{ type: 'text', required: true }, null, /is required/],
  [{ type: 'text', required: true }, '   ', /is required/],
  [{ type: 'text' }, 1, /must be text/],
  [{ type: 'text', max: 3 }, 'abcd', /at most 3/],
  [{ type: 'text' }, 'a\u0000', /NUL/],
  [{ type: 'number' }, 1.5, null],
  [{ type: 'number' }, '1', /must be a number/],
  [{ type: 'number' }, Number.NaN, /must be a number/],
  [{ type: 'number', max: 5 }, 6, /at most 5/],
  [{ type: 'integer' }, 1.5, /whole number/],
  [{ type: 'integer' }, 2 ** 53, /whole number/],
  [{ type: 'boolean', required: true }, false, null],
  [{ type: 'boolean' }, 'yes', /true or false/],
  [{ type: 'date' }, '2026-11-20', null],
  [{ type: 'date' }, '2026-11-20T18:00:00.000Z', null],
  [{ type: 'date' }, '2026-02-30', /must be a date/],
  [{ type: 'date' }, '2026-11-20T25:00', /must be a date/],
  [{ type: 'date' }, 'tomorrow', /must be a date/],
  [{ type: 'enum', values: ['a', 'b'] }, 'a', null],
  [{ type: 'enum', values: ['a', 'b'] }, 'c', /one of a, b/],
  [{ type: 'ref', ref: 'x' }, 7, /must be an id/],
  [{ type: 'list' }, ['a', 'b'], null],
  [{ type: 'list' }, ['a', 1], /must hold texts/],
  [{ type: 'list', max: 1 }, ['a', 'b'], /at most 1/],
  [{ type: 'json' }, { any: ['thing'] }, null],
]

test('each field type accepts valid values and explains why others are invalid', () => {
  for (const [field, value, problem] of CASES) {
    const found = fieldProblem(field, value)
    const what = `${JSON.stringify(field)} ${JSON.stringify(value)}: ${found}`
    if (problem === null) assert.equal(found, null, what)
    else assert.match(found ?? 'nothing', problem, what)
  }
})

test("a new record gets the field's default, or null, for each field that is not given", () => {
  assert.deepEqual(fieldsForCreate('tasks', TASKS, { title: 'Water' }), {
    title: 'Water',
    done: false,
    due: null,
  })
})

test('updating a record keeps the fields that the update leaves out', () => {
  const stored = { title: 'Water', done: false, due: '2026-11-20' }
  assert.deepEqual(fieldsForUpdate('tasks', TASKS, stored, { done: true }), { ...stored, done: true })
})

test('updating a record cannot clear a required field', () => {
  assert.throws(() => fieldsForUpdate('tasks', TASKS, { title: 'Water' }, { title: null }), {
    code: 'invalid_request',
    field: 'title',
    message: 'title: is required',
  })
})

test('a client may send back a stored value that a newer release no longer allows, but no other invalid value', () => {
  const collection: CollectionSpec = {
    ...TASKS,
    fields: {
      title: { type: 'text', max: 3 },
      state: { type: 'enum', values: ['open', 'done'] },
      tags: { type: 'list', max: 1 },
      note: { type: 'text' },
    },
  }
  const stored = { title: 'Water', state: 'waiting', tags: ['a', 'b'], note: null }
  const changed = { ...stored, note: 'x' }
  assert.deepEqual(fieldsForUpdate('tasks', collection, stored, structuredClone(changed)), changed)
  for (const [field, value] of [
    ['title', 'Plant'],
    ['state', 'late'],
    ['tags', ['b', 'a']],
  ] as const)
    assert.throws(() => fieldsForUpdate('tasks', collection, stored, { ...stored, [field]: value }), {
      field,
    })
})

test('an unknown field of a write is rejected with an error that names it, and system fields in a write are ignored', () => {
  assert.throws(() => fieldsForCreate('tasks', TASKS, { title: 'a', colour: 'red' }), { field: 'colour' })
  assert.throws(() => fieldsForCreate('tasks', TASKS, { title: 'a', constructor: 1 }), {
    field: 'constructor',
  })
  assert.deepEqual(Object.keys(fieldsForCreate('tasks', TASKS, { title: 'a', ownerId: 'u_1', rev: 9 })), [
    'title',
    'done',
    'due',
  ])
})
