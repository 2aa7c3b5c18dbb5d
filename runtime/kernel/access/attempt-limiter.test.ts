import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AttemptLimiter } from './attempt-limiter.ts'
import { DAY_MS } from '../durations.ts'

describe('attempts with an access code', () => {
  test('the fifth wrong access code causes a delay of a second, and each further one doubles it, up to 15 minutes', () => {
    const attempts = new AttemptLimiter()
    for (let n = 0; n < 4; n++) assert.equal(attempts.count('10.0.0.1', 0), 0)
    let now = 0
    const pauses = Array.from({ length: 12 }, () => {
      assert.equal(attempts.count('10.0.0.1', now), 0)
      const seconds = attempts.count('10.0.0.1', now)
      now += seconds * 1000
      return seconds
    })
    assert.deepEqual(pauses, [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900])
  })

  test('an attempt during the delay after wrong access codes is not counted', () => {
    const attempts = new AttemptLimiter()
    for (let n = 0; n < 5; n++) attempts.count('10.0.0.1', 0)
    assert.deepEqual([attempts.count('10.0.0.1', 0), attempts.count('10.0.0.1', 0)], [1, 1])
    assert.equal(attempts.count('10.0.0.1', 1000), 0)
  })

  test('wrong access codes are counted per IPv6 network, and wrong codes without an IP address are counted together', () => {
    const attempts = new AttemptLimiter()
    for (let n = 0; n < 5; n++) {
      attempts.count('2001:db8::1', 0)
      attempts.count('', 0)
    }
    assert.equal(attempts.count('2001:db8::ffff', 0), 1)
    assert.equal(attempts.count('', 0), 1)
    assert.equal(attempts.count('2001:db8:0:1::1', 0), 0)
  })

  test('a correct access code, or a day without attempts, resets the count of wrong codes', () => {
    const attempts = new AttemptLimiter()
    for (let n = 0; n < 5; n++) attempts.count('10.0.0.1', 0)
    attempts.resetCount('10.0.0.1')
    assert.equal(attempts.count('10.0.0.1', 0), 0)
    for (let n = 0; n < 5; n++) attempts.count('10.0.0.2', 0)
    for (let n = 0; n < 4; n++) assert.equal(attempts.count('10.0.0.2', DAY_MS + 2000), 0)
  })

  test('counting wrong codes from many networks uses limited memory', () => {
    const attempts = new AttemptLimiter()
    for (let n = 0; n < 5; n++) attempts.count('10.0.0.1', 0)
    for (let n = 0; n < 10_010; n++) attempts.count(`net-${n}`, 0)
    assert.equal(attempts.count('10.0.0.1', 0), 0, 'the oldest series is forgotten')
  })
})
