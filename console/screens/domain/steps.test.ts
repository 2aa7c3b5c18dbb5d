import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readHostname, secondsUntilCheck, DOMAIN_STEPS } from './steps.ts'

describe('the steps of a custom domain', () => {
  test('each state of a domain setup has one more completed step than the state before, and only “active” is a success', () => {
    const way = [
      'no_domain',
      'pending_nameservers',
      'pending_ship',
      'pending_attach',
      'provisioning',
    ] as const
    assert.deepEqual(
      [...way, 'active' as const].map((state) => DOMAIN_STEPS[state].done),
      [0, 1, 2, 3, 4, 5],
    )
    assert.deepEqual(
      Object.values(DOMAIN_STEPS).filter(({ tone }) => tone === 'good'),
      [DOMAIN_STEPS.active],
    )
  })

  test('the next domain check is allowed 30 seconds after the last one', () => {
    assert.equal(secondsUntilCheck(null, 5_000), 0)
    assert.equal(secondsUntilCheck(5_000, 5_000), 30)
    assert.equal(secondsUntilCheck(5_000, 34_100), 1)
    assert.equal(secondsUntilCheck(5_000, 99_000), 0)
  })

  test('the wait for the next domain check is never longer than 30 seconds, even when the clock of the device was set back', () => {
    assert.equal(secondsUntilCheck(3_600_000, 0), 30)
  })

  test('a host name is extracted from a pasted URL, and is null when there is none', () => {
    assert.equal(readHostname(' https://App.Example.com/start?a=1 '), 'app.example.com')
    assert.equal(readHostname('example.com.'), 'example.com')
    for (const nothing of ['', '  ', 'https://']) assert.equal(readHostname(nothing), null)
  })
})
