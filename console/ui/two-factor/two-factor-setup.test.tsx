import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { TwoFactorSetup } from './two-factor-setup.tsx'

const LIST_ACCOUNTS = 'GET /api/auth/list-accounts'
const ENABLE_TWO_FACTOR = 'POST /api/auth/two-factor/enable'
const VERIFY_CODE = 'POST /api/auth/two-factor/verify-totp'
const SECRET = {
  totpURI: 'otpauth://totp/Slipway:ada@example.test?secret=JBSWY3DPEHPK3PXP&issuer=Slipway',
  backupCodes: ['aaaaa-bbbbb', 'ccccc-ddddd'],
}

function renderTwoFactorSetup(answers: Record<string, () => unknown> = {}) {
  const did: string[] = []
  const calls = serve({
    [LIST_ACCOUNTS]: () => [{ providerId: 'credential' }],
    [ENABLE_TWO_FACTOR]: () => SECRET,
    [VERIFY_CODE]: () => ({ token: 'ignored' }),
    ...answers,
  })
  show(<TwoFactorSetup onDone={() => did.push('done')} />)
  return { calls, did, bodies: (key: string) => calls[key]?.map(({ body }) => body) }
}
const beginSetup = async () => {
  await screen.findByLabelText('Your password')
  write('Your password', 'correct horse')
  press('Set up two-factor')
  await screen.findByText('Scan this with your authenticator app')
}

describe('the set-up of a second factor', () => {
  const { createObjectURL, revokeObjectURL } = URL
  beforeEach(() => void Object.assign(URL, { createObjectURL: () => 'blob:codes', revokeObjectURL() {} }))
  afterEach(() => void Object.assign(URL, { createObjectURL, revokeObjectURL }))

  test('the set-up of a second factor asks for the password, then a code, and shows the backup codes last', async () => {
    const { did, bodies } = renderTwoFactorSetup()
    await beginSetup()
    assert.ok(screen.getByRole('img', { name: 'QR code for your authenticator app' }))
    assert.ok(isShown('JBSW Y3DP EHPK 3PXP'))
    assert.ok(!isShown('aaaaa-bbbbb'), 'no backup code before the app is confirmed')
    write('Code', ' 123 456 ')
    press('Turn on two-factor')
    await screen.findByText('aaaaa-bbbbb')
    assert.deepEqual(bodies(VERIFY_CODE), [{ code: '123456' }])
    assert.deepEqual(did, [])
    press('I have saved them')
    assert.deepEqual(did, ['done'])
  })

  test('when the password is left empty, the two-factor set-up sends nothing and focuses the password field', async () => {
    const { bodies } = renderTwoFactorSetup()
    await screen.findByLabelText('Your password')
    press('Set up two-factor')
    assert.ok(isShown('Enter your password.'))
    assert.ok(document.activeElement === field('Your password'))
    await untilSent()
    assert.deepEqual(bodies(ENABLE_TWO_FACTOR), [])
  })

  test('an account that was made by single sign-on sets up a second factor without a password', async () => {
    const { bodies } = renderTwoFactorSetup({ [LIST_ACCOUNTS]: () => [{ providerId: 'acme-sso' }] })
    await screen.findByRole('button', { name: 'Set up two-factor' })
    assert.ok(screen.queryByLabelText('Your password') === null)
    press('Set up two-factor')
    await screen.findByText('Scan this with your authenticator app')
    assert.equal(bodies(ENABLE_TWO_FACTOR)?.length, 1)
  })

  test('a wrong password in the set-up of a second factor shows an alert and stays in its field', async () => {
    renderTwoFactorSetup({
      [ENABLE_TWO_FACTOR]: () =>
        Response.json({ code: 'INVALID_PASSWORD', message: 'Invalid password' }, { status: 400 }),
    })
    await screen.findByLabelText('Your password')
    write('Your password', 'wrong')
    press('Set up two-factor')
    await assertAlert(/Two-factor was not turned on/)
    assert.equal(field('Your password').value, 'wrong')
  })

  test('a code that does not have six digits is not sent by the two-factor set-up, and its field takes the focus', async () => {
    const { bodies } = renderTwoFactorSetup()
    await beginSetup()
    for (const code of ['', '12345', '12345a', '1234567']) {
      write('Code', code)
      press('Turn on two-factor')
      assert.ok(isShown('Enter the six digits the app shows.'), code)
      assert.ok(document.activeElement === field('Code'))
    }
    await untilSent()
    assert.deepEqual(bodies(VERIFY_CODE), [])
  })

  test('after a wrong code the two-factor set-up still shows the same secret key, and a right code is accepted', async () => {
    const answers = [new Refusal(401, 'invalid_code', 'Invalid code'), null]
    const { bodies } = renderTwoFactorSetup({ [VERIFY_CODE]: () => answers.shift() })
    await beginSetup()
    write('Code', '111111')
    press('Turn on two-factor')
    await assertAlert(/Two-factor was not turned on/)
    assert.ok(isShown('JBSW Y3DP EHPK 3PXP'))
    write('Code', '222222')
    press('Turn on two-factor')
    await screen.findByText('aaaaa-bbbbb')
    assert.equal(bodies(ENABLE_TWO_FACTOR)?.length, 1, 'a second set-up would make the scanned key useless')
  })

  test('clicking the set-up button twice starts one two-factor set-up', async () => {
    const { promise, resolve } = Promise.withResolvers<unknown>()
    const { bodies } = renderTwoFactorSetup({ [ENABLE_TWO_FACTOR]: () => promise })
    await screen.findByLabelText('Your password')
    write('Your password', 'correct horse')
    press('Set up two-factor')
    await waitFor(() => assert.equal(bodies(ENABLE_TWO_FACTOR)?.length, 1))
    press(/Set up two-factor/)
    resolve(SECRET)
    await screen.findByText('Scan this with your authenticator app')
    assert.equal(bodies(ENABLE_TWO_FACTOR)?.length, 1)
  })

  test('when the two-factor set-up cannot load whether the account has a password, an alert offers a retry', async () => {
    const answers = [new Refusal(503, 'unavailable', 'Not now.'), [{ providerId: 'credential' }]]
    renderTwoFactorSetup({ [LIST_ACCOUNTS]: () => answers.shift() })
    await assertAlert(/Not now\./)
    press('Try again')
    assert.ok(await screen.findByLabelText('Your password'))
  })
})
