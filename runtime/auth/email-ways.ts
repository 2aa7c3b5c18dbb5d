import { ApiError, invalid } from '../kernel/errors.ts'
import {
  CODE_MS,
  type Desk,
  emailIn,
  type Handlers,
  nameOfEmail,
  originIn,
  requireWay,
  textIn,
  wrongCode,
} from './desk.ts'
import { hashOf, newSecret } from '../kernel/secrets.ts'
import { resetLink, signInCode, verifyCode } from './messages.ts'
import { hashPassword } from './password.ts'
import { newPasswordIn } from './password-rule.ts'
import { attemptsOf } from './user-list.ts'

const RESET_MS = 3_600_000
/** The page that asks for a new password. The token is in the fragment, which is sent to no server. */
const RESET_PATH = '/reset-password#'

type EmailCalls = 'sendCode' | 'confirmCode' | 'sendVerify' | 'confirmVerify' | 'requestReset' | 'reset'

/**
 * Sign-in with a code, confirming an address, and choosing a new password. An unknown address gets the same response after the
 * same work, and no message.
 */
export function emailWays(desk: Desk): Handlers<EmailCalls> {
  const { settings, directory, account } = desk

  return {
    sendCode: async ({ email, invite, from }) => {
      requireWay(settings.methods.emailCode)
      await desk.admit(from)
      const address = emailIn(email)
      await desk.countAttempt(attemptsOf.message(address))
      const userId = await directory.users('idOf', { email: address })
      const code = await desk.issueCode('sign-in', address)
      const maySignIn = (await desk.maySignUp(address, invite)) || userId !== null
      await desk.send(maySignIn ? signInCode(address, code) : null, CODE_MS)
      return { sent: true }
    },

    confirmCode: async ({ email, code, invite, device, from }) => {
      requireWay(settings.methods.emailCode)
      await desk.admit(from)
      const address = emailIn(email)
      if ((await desk.redeemCode('sign-in', address, code)) === null) throw wrongCode()
      const known = await directory.users('idOf', { email: address })
      const about = { email: address, name: nameOfEmail(address), emailVerified: true }
      const user = known === null ? await desk.createAccount(about, { invite }) : await desk.userOf(known)
      if (typeof user === 'string') throw wrongCode()
      await desk.prove(user.id)
      return desk.openSession(await desk.userOf(user.id), device)
    },

    sendVerify: async ({ session, from }) => {
      await desk.admit(from)
      const { userId } = await desk.require(session)
      const { email } = await desk.userOf(userId)
      await desk.countAttempt(attemptsOf.message(email))
      await desk.send(verifyCode(email, await desk.issueCode('verify', userId, email)), CODE_MS)
      return { sent: true }
    },

    confirmVerify: async ({ session, code }) => {
      await desk.requireOpen()
      const { userId } = await desk.require(session)
      const { email } = await desk.userOf(userId)
      const proven = await desk.redeemCode('verify', email, code, userId)
      if (proven !== email) throw invalid('code', 'is wrong, used or too old; ask for another one')
      await account(userId).account('setVerified', null)
      await directory.users('change', { id: userId, emailVerified: true })
      return desk.userOf(userId)
    },

    requestReset: async ({ email, origin, from }) => {
      requireWay(settings.methods.password)
      await desk.admit(from)
      const address = emailIn(email)
      const page = new URL(RESET_PATH, originIn(origin))
      await desk.countAttempt(attemptsOf.message(address))
      const userId = await directory.users('idOf', { email: address })
      const token = newSecret()
      const hash = hashOf(token)
      // Stored under its own hash, because the link alone must find it. An older link is not replaced; it expires by itself.
      const value = { purpose: 'reset' as const, subject: hash, hash, payload: address, ttlMs: RESET_MS }
      await directory.users('issue', value)
      await desk.send(userId === null ? null : resetLink(address, `${page.href}${token}`), RESET_MS)
      return { sent: true }
    },

    reset: async ({ token, password, from }) => {
      requireWay(settings.methods.password)
      await desk.admit(from)
      // Checked first: a password that is too short must not use up the link.
      const typed = newPasswordIn(settings, password, 'password')
      const hash = hashOf(textIn(token, 100))
      const email = await directory.users('redeem', { purpose: 'reset', subject: hash, hash })
      const userId = email === null ? null : await directory.users('idOf', { email })
      if (email === null || userId === null)
        throw new ApiError('unauthorized', 'This link was used or is too old. Ask for another one.')
      // Older links and codes end as well.
      await directory.users('forgetOneTime', { email })
      await desk.prove(userId)
      await account(userId).account('setPassword', { password: await hashPassword(typed) })
      await desk.noteMethods(userId)
      await desk.endAll(userId)
      await directory.users('forgetAttempts', { email: attemptsOf.password(email) })
      return null
    },
  }
}
