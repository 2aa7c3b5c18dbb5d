import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AppObjectStub, Objects } from '../../kernel/objects/objects.ts'
import { openAuthContext } from '../context.ts'
import { emailHandlers } from './email-sign-in.ts'
import { authSettingsOf } from '../settings.ts'

/** Builds the email handlers with a fake directory that records the calls and knows one address. */
function makeSignIn() {
  const calls: string[] = []
  const sent: boolean[] = []
  const answers: Record<string, unknown> = { isHeld: false, visit: 0, attempt: 0, redeem: null }
  const users = async (kind: string, ask: { email?: string } | null) => {
    calls.push(kind)
    if (kind === 'idOf') return ask?.email === 'known@example.test' ? `u_${'1'.repeat(26)}` : null
    return answers[kind]
  }
  const stub = { users } as unknown as AppObjectStub
  const objects: Objects = { getByName: () => stub }
  const settings = authSettingsOf({ AUTH_EMAIL_CODE: 'on', AUTH_OPEN_SIGNUP: 'off' })
  const send = async (mail: object | null) => {
    calls.push('send')
    sent.push(mail !== null)
  }
  return {
    ways: emailHandlers(openAuthContext({ objects, tier: 'production', settings, handoverKey: null, send })),
    calls,
    sent,
  }
}

test('a sign-in code or password reset causes the same number of calls for a known and for an unknown email address', async () => {
  const [known, unknown] = [makeSignIn(), makeSignIn()]
  for (const [{ ways }, email] of [
    [known, 'known@example.test'],
    [unknown, 'unknown@example.test'],
  ] as const) {
    await ways.sendCode({ email, from: '' })
    await ways.requestReset({ email, origin: 'https://app.test', from: '' })
    await assert.rejects(ways.confirmCode({ email, code: '123456', device: '', from: '' }))
  }
  assert.deepEqual(known.calls, unknown.calls)
  assert.deepEqual(
    [known.sent, unknown.sent],
    [
      [true, true],
      [false, false],
    ],
  )
  assert.ok(known.calls.length > 10)
})
