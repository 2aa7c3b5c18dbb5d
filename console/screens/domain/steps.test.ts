import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHostname, secondsUntilCheck, STEPS } from './steps.ts'

describe('the way of a domain', () => {
  test('goes forward one step per state, and only the end says that all is well', () => {
    const way = [
      'no_domain',
      'pending_nameservers',
      'pending_ship',
      'pending_attach',
      'provisioning',
    ] as const
    assert.deepEqual(
      [...way, 'active' as const].map((state) => STEPS[state].done),
      [0, 1, 2, 3, 4, 5],
    )
    assert.deepEqual(
      Object.values(STEPS).filter(({ tone }) => tone === 'good'),
      [STEPS.active],
    )
  })

  test('may be looked at every 30 seconds', () => {
    assert.equal(secondsUntilCheck(null, 5_000), 0)
    assert.equal(secondsUntilCheck(5_000, 5_000), 30)
    assert.equal(secondsUntilCheck(5_000, 34_100), 1)
    assert.equal(secondsUntilCheck(5_000, 99_000), 0)
  })

  test('begins with a name, also when an address was pasted', () => {
    assert.equal(readHostname(' https://App.Example.com/start?a=1 '), 'app.example.com')
    assert.equal(readHostname('example.com.'), 'example.com')
    for (const nothing of ['', '  ', 'https://']) assert.equal(readHostname(nothing), null)
  })
})
