import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordProblems } from './password-problems.ts'

const fieldsOf = (current: string, next: string) => Object.keys(passwordProblems({ current, next }))

test('a new password is valid when it is long enough and differs from the old one', () => {
  assert.deepEqual(fieldsOf('correct horse', 'battery staple'), [])
})

test('the password form reports each field that is empty, too short or unchanged', () => {
  assert.deepEqual(fieldsOf('', 'battery staple'), ['current'])
  assert.deepEqual(fieldsOf('correct horse', 'nine char'), ['next'])
  assert.deepEqual(fieldsOf('correct horse', 'correct horse'), ['next'])
  assert.deepEqual(fieldsOf('', ''), ['current', 'next'])
})
