import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { RequestLimiter } from './request-limiter.ts'

const AT = Date.parse('2026-11-20T10:00:00Z')
const countTimes = (limiter: RequestLimiter, count: number, address: string, at = AT) =>
  Array.from({ length: count }, () => limiter.count(address, at))

describe('requests of one address', () => {
  test('one network address may make twenty requests a minute, and does not limit other addresses', () => {
    const limiter = new RequestLimiter()
    assert.deepEqual(countTimes(limiter, 21, '198.51.100.7'), [...Array<number>(20).fill(0), 60])
    assert.equal(limiter.count('198.51.100.7', AT + 59_000), 1)
    assert.equal(limiter.count('198.51.100.8', AT), 0)
    assert.equal(limiter.count('198.51.100.7', AT + 60_000), 0)
  })

  test('requests from one IPv6 network count together, in any notation of the address', () => {
    const limiter = new RequestLimiter()
    countTimes(limiter, 10, '2001:db8:1:2::1')
    countTimes(limiter, 10, '2001:0DB8:0001:0002:aaaa:bbbb:cccc:dddd')
    assert.equal(limiter.count('2001:db8:1:2:ffff::', AT), 60)
    assert.equal(limiter.count('2001:db8:1:3::1', AT), 0)
    countTimes(limiter, 20, '2001:db8::1')
    assert.equal(limiter.count('2001:db8:0:0:5::', AT), 60)
  })

  test('requests without a network address are not limited', () => {
    assert.ok(countTimes(new RequestLimiter(), 100, '').every((seconds) => seconds === 0))
  })

  test('removing the request counts whose minute has passed keeps those of network addresses that are still limited', () => {
    const limiter = new RequestLimiter()
    // The limiter removes counts once it has those of more than 10,000 networks.
    for (let n = 0; n <= 10_001; n++) limiter.count(`10.0.${n >> 8}.${n & 255}`, AT)
    countTimes(limiter, 20, '198.51.100.7', AT + 30_000)
    assert.equal(limiter.count('198.51.100.7', AT + 61_000), 29)
  })
})
