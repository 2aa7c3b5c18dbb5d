import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isShown, show } from '../../../testing/console.tsx'
import { ConnectionScopes } from './connection-scopes.tsx'

const BY_TOKEN = /^Add them to the token at Cloudflare/
const BY_SIGN_IN = /^Connect again and grant them/

const showScopes = (held: string[], missing: string[], method: 'oauth' | 'token' | null = 'oauth') =>
  show(<ConnectionScopes held={held} missing={missing} method={method} />)
const lines = () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent)

describe('the permissions of a connection', () => {
  test('a missing permission of a connection is counted, and named with the feature that needs it', () => {
    showScopes([], ['dns.write'])
    assert.ok(isShown('1 permission is missing'))
    assert.deepEqual(lines(), ['DNS: Edit · needed for custom domains'])
    assert.ok(!isShown(/held/))
  })

  test('a missing permission of a connection can be added only in the way in which the account was connected', () => {
    for (const [method, way] of [
      ['token', BY_TOKEN],
      ['oauth', BY_SIGN_IN],
      [null, BY_SIGN_IN],
    ] as const) {
      const { unmount } = showScopes([], ['dns.write', 'zone.write'], method)
      assert.ok(isShown('2 permissions are missing'))
      for (const other of [BY_TOKEN, BY_SIGN_IN])
        assert.equal(isShown(other), other === way, method ?? 'none')
      unmount()
    }
  })

  test('the granted permissions of a connection are folded, and no warning is shown when none is missing', () => {
    showScopes(['d1.write', 'kv.write'], [])
    assert.ok(isShown('2 permissions held'))
    assert.equal(document.querySelector('details')?.open, false)
    assert.deepEqual(lines(), ['D1: Edit', 'Workers KV Storage: Edit'])
    assert.ok(!isShown(/missing/))
  })

  test('a permission of a connection that the console does not know is shown by its own name', () => {
    showScopes(['constructor'], ['new.write', '__proto__', '<b>x</b>'])
    assert.deepEqual(lines(), ['new.write', '__proto__', '<b>x</b>', 'constructor'])
  })
})
