import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { auth } from './declaration.ts'

const OWN = {
  id: 'club',
  clientId: 'club',
  authorizeUrl: 'https://club.test/authorize',
  tokenUrl: 'https://club.test/token',
  userInfoUrl: 'https://club.test/me',
}
const isAccepted = (change: object) =>
  auth.settings.safeParse({ methods: { oauth: [{ ...OWN, ...change }] } }).success

describe('the settings of a sign-in provider', () => {
  test("a sign-in provider's authorize URL may be plain http only on loopback; its token and user info URLs must be https", () => {
    for (const host of ['127.0.0.1:4310', 'localhost:4310'])
      assert.equal(isAccepted({ authorizeUrl: `http://${host}/oauth/authorize` }), true, host)
    for (const host of [
      'club.test',
      'localhost.club.test',
      '127.0.0.1.club.test',
      'localhost@club.test',
      '127.0.0.1:4310@club.test',
    ])
      assert.equal(isAccepted({ authorizeUrl: `http://${host}/authorize` }), false, host)
    assert.equal(isAccepted({ authorizeUrl: 'javascript:alert(1)' }), false)
    for (const name of ['tokenUrl', 'userInfoUrl'])
      assert.equal(isAccepted({ [name]: 'http://127.0.0.1:4310/token' }), false, name)
  })

  test('a custom sign-in provider needs an authorize URL, a token URL and a user info URL', () => {
    assert.equal(isAccepted({}), true)
    for (const name of ['authorizeUrl', 'tokenUrl', 'userInfoUrl'])
      assert.equal(isAccepted({ [name]: undefined }), false, name)
  })
})
