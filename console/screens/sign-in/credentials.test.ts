import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signInProblems } from './credentials.ts'
import { signUpProblems } from './new-credentials.ts'

describe('the validation of credentials', () => {
  test('missing and malformed fields of the sign-in and sign-up forms are reported before anything is sent', () => {
    assert.deepEqual(Object.keys(signInProblems({ email: 'ada', password: '' })), ['email', 'password'])
    assert.deepEqual(signInProblems({ email: 'ada@example.test', password: 'x' }), {})
    const found = signUpProblems({ name: '', email: 'ada@', password: '123456789' })
    assert.deepEqual(Object.keys(found), ['name', 'email', 'password'])
    assert.deepEqual(signUpProblems({ name: 'Ada', email: 'ada@b', password: '1234567890' }), {})
  })
})
