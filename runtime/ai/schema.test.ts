import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type FromSchema, readAnswer, schemaProblem } from './schema.ts'

const PLANT = {
  type: 'object',
  required: ['name', 'kind'],
  additionalProperties: false,
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 5 },
    kind: { enum: ['fern', 'moss'] },
    size: { type: 'integer', minimum: 1 },
    tags: { type: 'array', maxItems: 2, items: { type: ['string', 'null'] } },
    note: { const: 'x' },
  },
}
const fern = { name: 'Fern', kind: 'fern' }

test('validating a value that matches its JSON schema reports no problem', () => {
  assert.equal(schemaProblem(PLANT, { ...fern, size: 3, tags: ['a', null], note: 'x' }), null)
  assert.equal(schemaProblem({}, 7), null)
})

test('validating a value that does not match its JSON schema reports the first invalid path and the expected type', () => {
  const problems: [unknown, RegExp][] = [
    ['Fern', /^answer must be object$/],
    [null, /^answer must be object$/],
    [[fern], /^answer must be object$/],
    [{ kind: 'fern' }, /^answer\.name is missing$/],
    [{ ...fern, kind: 'tree' }, /^answer\.kind must be one of/],
    [{ ...fern, name: '' }, /^answer\.name must keep minLength 1$/],
    [{ ...fern, name: 'Ferns!' }, /^answer\.name must keep maxLength 5$/],
    [{ ...fern, size: 0 }, /^answer\.size must keep minimum 1$/],
    [{ ...fern, size: 1.5 }, /^answer\.size must be integer$/],
    [{ ...fern, tags: ['a', 'b', 'c'] }, /^answer\.tags must keep maxItems 2$/],
    [{ ...fern, tags: [1] }, /^answer\.tags\[0\] must be string or null$/],
    [{ ...fern, note: 'y' }, /^answer\.note must be "x"$/],
    [{ ...fern, more: 1 }, /^answer\.more is not allowed$/],
  ]
  for (const [value, problem] of problems) assert.match(String(schemaProblem(PLANT, value)), problem)
})

test("JSON is parsed from a fenced code block in a model's answer, and an answer without JSON yields undefined", () => {
  assert.deepEqual(readAnswer('```json\n{"a":1}\n```\n'), { a: 1 })
  assert.equal(readAnswer('Here you are: {"a":1}'), undefined)
})

test('the TypeScript type derived from a JSON schema in app.json accepts the values that match the schema', () => {
  interface Schema {
    type: 'object'
    required: ['kind', 'sizes']
    properties: {
      kind: { enum: ['fern', 'moss'] }
      sizes: { type: 'array'; items: { type: 'integer' } }
      note: { type: 'string' }
    }
  }
  const value: FromSchema<Schema> = { kind: 'fern', sizes: [1] }
  // @ts-expect-error -- no such kind
  const wrong: FromSchema<Schema> = { kind: 'tree', sizes: [1] }
  assert.notDeepEqual(value, wrong)
})
