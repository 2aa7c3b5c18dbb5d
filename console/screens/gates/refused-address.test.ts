import assert from 'node:assert/strict'
import { test } from 'node:test'
import { refusedAddress } from './refused-address.ts'

test("the IPv4 or IPv6 address is read from the service's error message", () => {
  const sentence = (address: string) => `This organization does not allow calls from ${address}.`
  for (const address of ['203.0.113.7', '2001:db8::1', '::1'])
    assert.equal(refusedAddress(sentence(address)), address)
  assert.equal(refusedAddress('Not allowed.'), null)
})
