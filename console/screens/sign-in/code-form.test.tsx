import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import {
  assertAlert,
  field,
  isShown,
  isThere,
  press,
  Refusal,
  sent,
  serve,
  show,
  untilSent,
  write,
} from '../../testing/console.tsx'
import { serveHeld } from '../../testing/held.ts'
import { CodeForm } from './code-form.tsx'

const TOTP = 'POST /api/auth/two-factor/verify-totp'
const BACKUP = 'POST /api/auth/two-factor/verify-backup-code'
const wrongCode = () => new Refusal(401, 'INVALID_CODE', 'Invalid code')

function showCodeForm() {
  const did: string[] = []
  show(
    <CodeForm
      title={null}
      lead="Open your authenticator app."
      other={<a href="/sign-in">Use another account</a>}
      onIn={() => did.push('in')}
    />,
  )
  return did
}

/** Shows the form before a fake of the service that accepts any code, except where `answers` says otherwise. */
function renderCodeForm(answers: Record<string, () => unknown> = {}) {
  const calls = serve({ [TOTP]: () => ({}), [BACKUP]: () => ({}), ...answers })
  return { did: showCodeForm(), sentTo: (key: string) => sent(calls, key) }
}
const enterCode = (code: string) => {
  write('Code', code)
  press('Sign in')
}
const useBackupCode = () => press('Use a backup code instead')

describe('the code of an authenticator app at the sign-in', () => {
  test('a two-factor code is sent without its spaces, together with whether to trust the device', async () => {
    const { did, sentTo } = renderCodeForm()
    fireEvent.click(screen.getByRole('checkbox', { name: 'Do not ask on this device for 30 days' }))
    enterCode(' 123 456 ')
    await waitFor(() => assert.deepEqual(did, ['in']))
    assert.deepEqual(sentTo(TOTP), [{ code: '123456', trustDevice: true }])
  })

  test('a two-factor code that does not have six digits is not sent, and its field shows the error and takes the focus', async () => {
    const { sentTo } = renderCodeForm()
    for (const code of ['', '12345', '1234567', '12345a', `1${'23456'.repeat(1000)}`]) {
      screen.getByRole('button', { name: 'Sign in' }).focus()
      enterCode(code)
      assert.ok(isShown('Enter the six digits.'), code)
      assert.ok(document.activeElement === field('Code'), code)
      assert.equal(field('Code').getAttribute('aria-invalid'), 'true', code)
    }
    await untilSent()
    assert.deepEqual(sentTo(TOTP), [])
  })

  test('phones offer digits and one-time codes for a two-factor code, and password managers do not store a backup code', () => {
    renderCodeForm()
    assert.deepEqual([field('Code').autocomplete, field('Code').inputMode], ['one-time-code', 'numeric'])
    useBackupCode()
    assert.deepEqual([field('Backup code').autocomplete, field('Backup code').inputMode], ['off', ''])
  })

  test('a wrong two-factor code shows the request id and stays in its field, and the next code can be right', async () => {
    const answers = [wrongCode(), {}]
    const { did } = renderCodeForm({ [TOTP]: () => answers.shift() })
    enterCode('111111')
    await assertAlert(/req_test/)
    assert.ok(document.activeElement?.role === 'alert')
    assert.equal(field('Code').value, '111111')
    enterCode('222222')
    await waitFor(() => assert.deepEqual(did, ['in']))
  })

  test('after too many wrong two-factor codes the form counts down the wait and sends nothing before its end', async () => {
    const { sentTo } = renderCodeForm({ [TOTP]: () => new Refusal(429, 'rate_limited', 'Slow down.', 30) })
    enterCode('111111')
    await assertAlert(/Too many attempts\. Wait until the time has passed\./)
    press(/Try again in 30 s/)
    fireEvent.submit(field('Code').form as HTMLFormElement)
    await untilSent()
    assert.equal(sentTo(TOTP)?.length, 1)
  })

  test('the error of a refused two-factor code is gone once the next code is incomplete', async () => {
    renderCodeForm({ [TOTP]: wrongCode })
    enterCode('111111')
    await screen.findByRole('alert')
    enterCode('1')
    assert.ok(isShown('Enter the six digits.'))
    assert.ok(!isThere('alert'))
  })

  test('pressing “Sign in” twice, and Enter after that, sends a two-factor code once', async () => {
    const { isAsked, sent: sentCodes, respond } = serveHeld(TOTP, {})
    const did = showCodeForm()
    enterCode('123456')
    await isAsked()
    press(/Sign in/)
    fireEvent.submit(field('Code').form as HTMLFormElement)
    await respond()
    assert.deepEqual(did, ['in'])
    assert.equal(sentCodes()?.length, 1)
  })
})

describe('a backup code at the sign-in', () => {
  test('switching to a backup code clears the alert, the code and its error, and focuses the new field', async () => {
    renderCodeForm({ [TOTP]: wrongCode })
    enterCode('111111')
    await screen.findByRole('alert')
    useBackupCode()
    assert.ok(!isThere('alert'))
    assert.equal(field('Backup code').value, '')
    assert.ok(document.activeElement === field('Backup code'))
    assert.ok(isShown(/Each works once/))
    assert.ok(!isShown('Open your authenticator app.'))
    press('Sign in')
    assert.ok(isShown('Enter a backup code.'))
    press('Use the authenticator app instead')
    assert.ok(!isShown('Enter a backup code.'))
    assert.ok(isShown('Open your authenticator app.'))
    assert.ok(document.activeElement === field('Code'))
  })

  test('a backup code is sent without its spaces, and “trust this device” survives the switch to a backup code', async () => {
    const { did, sentTo } = renderCodeForm()
    fireEvent.click(screen.getByRole('checkbox'))
    useBackupCode()
    write('Backup code', ' aaaaa-\tbbbbb ')
    press('Sign in')
    await waitFor(() => assert.deepEqual(did, ['in']))
    assert.deepEqual(sentTo(BACKUP), [{ code: 'aaaaa-bbbbb', trustDevice: true }])
    assert.deepEqual(sentTo(TOTP), [])
  })

  test('a backup code of spaces is not sent', async () => {
    const { sentTo } = renderCodeForm()
    useBackupCode()
    write('Backup code', ' \u3000 ')
    press('Sign in')
    assert.ok(isShown('Enter a backup code.'))
    await untilSent()
    assert.deepEqual(sentTo(BACKUP), [])
  })

  test('a late refusal of the two-factor code is not shown at the field for a backup code', async () => {
    const { isAsked, respond } = serveHeld(TOTP, wrongCode())
    showCodeForm()
    enterCode('111111')
    await isAsked()
    useBackupCode()
    await respond()
    assert.ok(!isThere('alert'))
    assert.ok(isThere('button', 'Sign in'), 'the button does not wait for the earlier code')
  })

  test('a two-factor code that is accepted late signs in, even when the user has switched to a backup code', async () => {
    const { isAsked, respond } = serveHeld(TOTP, {})
    const did = showCodeForm()
    enterCode('123456')
    await isAsked()
    useBackupCode()
    await respond()
    assert.deepEqual(did, ['in'])
  })

  test('the links to other ways to sign in are shown for a two-factor code and for a backup code', () => {
    renderCodeForm()
    assert.ok(isThere('link', 'Use another account'))
    useBackupCode()
    assert.ok(isThere('link', 'Use another account'))
  })
})
