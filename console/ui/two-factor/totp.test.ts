import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { withoutSpaces, isTotpCode, readableTotpKey } from './totp.ts'

describe('codes of an authenticator app', () => {
  test('the secret key in an otpauth URL is shown in groups of four characters', () => {
    const uri = 'otpauth://totp/Slipway:ada%40example.test?secret=JBSWY3DPEHPK3PXPA&issuer=Slipway'
    assert.equal(readableTotpKey(uri), 'JBSW Y3DP EHPK 3PXP A')
  })

  test('a code of an authenticator app may contain spaces, but must have six digits', () => {
    assert.equal(withoutSpaces(' 123 456\n'), '123456')
    assert.equal(withoutSpaces('１２３　４５６'), '123456', 'as a Japanese keyboard types it')
    assert.equal(
      withoutSpaces('aB3d-\u00a0eF6h'),
      'aB3d-eF6h',
      'a backup code keeps its letters and its hyphen',
    )
    assert.ok(isTotpCode('012345'))
    for (const other of ['12345', '1234567', 'abcdef', '']) assert.equal(isTotpCode(other), false)
  })
})
