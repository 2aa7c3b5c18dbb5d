import assert from 'node:assert/strict'
import { test } from 'node:test'
import { passwordProblems } from './password-problems.ts'

const fieldsOf = (current: string, next: string) => Object.keys(passwordProblems({ current, next }))

test('a long new password that differs from the old one is valid', () => {
  assert.deepEqual(fieldsOf('correct horse', 'battery staple'), [])
})

test('each invalid field of the password form is named', () => {
  assert.deepEqual(fieldsOf('', 'battery staple'), ['current'])
  assert.deepEqual(fieldsOf('correct horse', 'nine char'), ['next'])
  assert.deepEqual(fieldsOf('correct horse', 'correct horse'), ['next'])
  assert.deepEqual(fieldsOf('', ''), ['current', 'next'])
})
