import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namedSql } from './named-sql.ts'

test('named SQL parameters are numbered in the order of their first occurrence, and a repeated name gets the same number', () => {
  const { text, values } = namedSql<{ id: string; org: string }>(
    'select :id from t where org = :org and id <> :id',
  )
  assert.equal(text, 'select $1 from t where org = $2 and id <> $1')
  assert.deepEqual(values({ org: 'o', id: 'i' }), ['i', 'o'])
})

test('casts, time formats and JSON keys are not read as named SQL parameters', () => {
  const sql = `select :at::timestamptz, to_char(now(), 'HH24:MI:SS'), '"id":null,"count":' || :n::int`
  const { text, values } = namedSql<{ at: Date; n: number }>(sql)
  assert.equal(text, `select $1::timestamptz, to_char(now(), 'HH24:MI:SS'), '"id":null,"count":' || $2::int`)
  const at = new Date()
  assert.deepEqual(values({ n: 3, at }), [at, 3])
})

test('a named SQL parameter whose value is null is sent as null', () => {
  assert.deepEqual(namedSql<{ a: null }>('select :a').values({ a: null }), [null])
})

test('a named SQL parameter without a value is refused before anything is sent', () => {
  const { values } = namedSql<{ a?: string | undefined }>('select :a')
  assert.throws(() => values({}), /the parameter :a has no value/)
  assert.throws(() => values({ a: undefined }), /the parameter :a has no value/)
})
