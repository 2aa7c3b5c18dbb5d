import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Failure } from '../../../api/request/failures.ts'
import type { Policy } from '../../../api/organization/security.ts'
import { securityText } from '../../../text/security.en.ts'
import { addressProblem, consequencesOf, readAddresses, endsSessions, withAddress } from './policy.ts'

const OPEN_POLICY: Policy = {
  requireSso: false,
  requireTwoFactor: false,
  sessionLifetimeDays: null,
  allowedIps: [],
  anyPackages: false,
}
const words = securityText.consequences

describe('parsing and adding IP addresses', () => {
  test('a list of IP addresses is separated by line breaks, blanks or commas', () => {
    assert.deepEqual(readAddresses(' 192.0.2.7\n\n2001:db8::/32, 10.0.0.1 '), [
      '192.0.2.7',
      '2001:db8::/32',
      '10.0.0.1',
    ])
    assert.deepEqual(readAddresses(' \n'), [])
    assert.equal(withAddress('192.0.2.7\n', '10.0.0.1'), '192.0.2.7\n10.0.0.1')
  })
})

describe('the consequences of saving a policy', () => {
  test('saving a stricter security policy ends all sessions, and saving a less strict one does not', () => {
    const strict: Policy = { ...OPEN_POLICY, requireTwoFactor: true, sessionLifetimeDays: 7 }
    for (const next of [
      { ...OPEN_POLICY, requireTwoFactor: true },
      { ...OPEN_POLICY, requireSso: true },
      { ...OPEN_POLICY, sessionLifetimeDays: 30 as const },
    ])
      assert.equal(endsSessions(OPEN_POLICY, next), true)
    assert.equal(endsSessions(strict, { ...strict, sessionLifetimeDays: 1 }), true)
    for (const next of [OPEN_POLICY, strict, { ...strict, sessionLifetimeDays: null }])
      assert.equal(endsSessions(strict, next), false)
    assert.deepEqual(consequencesOf(strict, OPEN_POLICY, true), [])
  })

  test('a user without a second factor is warned that the new policy needs one', () => {
    const next = { ...OPEN_POLICY, requireTwoFactor: true }
    assert.deepEqual(consequencesOf(OPEN_POLICY, next, false), [words.signedOut, words.enrolNext])
    assert.deepEqual(consequencesOf(OPEN_POLICY, next, true), [words.signedOut])
  })

  test('saving a new list of allowed IP addresses warns that people at other addresses are locked out', () => {
    const some = { ...OPEN_POLICY, allowedIps: ['10.0.0.1'] }
    assert.deepEqual(consequencesOf(OPEN_POLICY, some, true), [words.addresses])
    assert.deepEqual(consequencesOf(some, some, true), [])
    assert.deepEqual(consequencesOf(some, OPEN_POLICY, true), [])
  })
})

describe('the error of an IP address', () => {
  const failure = (field: string | null) => ({ field, sentence: 'Must be an address.' }) as Failure
  test('the error of an invalid IP address names that address, and the address field shows no error of another field', () => {
    assert.equal(addressProblem(failure('allowedIps.1'), ['a', 'b']), 'b: Must be an address.')
    assert.equal(addressProblem(failure('allowedIps'), ['a']), 'Must be an address.')
    assert.equal(addressProblem(failure('requireSso'), ['a']), undefined)
    assert.equal(addressProblem(failure(null), ['a']), undefined)
    assert.equal(addressProblem(null, []), undefined)
  })
})
