import { ApiError, invalid } from '../kernel/errors.ts'
import {
  type Desk,
  emailIn,
  type Handlers,
  hashOf,
  nameOfEmail,
  newCode,
  newSecret,
  originIn,
  requireWay,
  textIn,
} from './desk.ts'
import { resetLink, signInCode, verifyCode } from './messages.ts'
import { hashPassword, newPasswordIn } from './password.ts'
import { attemptsOf } from './user-list.ts'

const CODE_MS = 600_000
const RESET_MS = 3_600_000
/** The page that asks for a new password. The token is in the fragment, which is sent to no server. */
const RESET_PATH = '/reset-password#'

type EmailCalls = 'sendCode' | 'confirmCode' | 'sendVerify' | 'confirmVerify' | 'requestReset' | 'reset'

/**
 * What people do with messages to their address: sign in with a code, confirm the address, choose a new password. An
 * unknown address gets the same answer after the same work, and no message.
 */
export function emailWays(desk: Desk): Handlers<EmailCalls> {
  const { settings, directory, account, hashOfCode } = desk
  const wrongCode = () =>
    new ApiError('unauthorized', 'This code is wrong, used or too old. Ask for another one.')

  return {
    sendCode: async ({ email, invite, from }) => {
      requireWay(settings.methods.emailCode)
      await desk.admit(from)
      const address = emailIn(email)
      await desk.countAttempt(attemptsOf.message(address))
      const userId = await directory.users('idOf', { email: address })
      const code = newCode()
      const hash = hashOfCode('sign-in', address, code)
      await directory.users('issue', {
        purpose: 'sign-in',
        subject: address,
        hash,
        payload: '',
        ttlMs: CODE_MS,
      })
      const maySignIn = (await desk.maySignUp(address, invite)) || userId !== null
      await desk.send(maySignIn ? signInCode(address, code) : null, CODE_MS)
      return { sent: true }
    },

    confirmCode: async ({ email, code, invite, device, from }) => {
      requireWay(settings.methods.emailCode)
      await desk.admit(from)
      const address = emailIn(email)
      await desk.countAttempt(attemptsOf.code(address))
      const hash = hashOfCode('sign-in', address, digitsIn(code))
      const isRight = await directory.users('redeem', { purpose: 'sign-in', subject: address, hash })
      if (isRight === null) throw wrongCode()
      const known = await directory.users('idOf', { email: address })
      await directory.users('forgetAttempts', { email: attemptsOf.code(address) })
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
      const code = newCode()
      const hash = hashOfCode('verify', userId, code)
      await directory.users('issue', {
        purpose: 'verify',
        subject: userId,
        hash,
        payload: email,
        ttlMs: CODE_MS,
      })
      await desk.send(verifyCode(email, code), CODE_MS)
      return { sent: true }
    },

    confirmVerify: async ({ session, code }) => {
      await desk.requireOpen()
      const { userId } = await desk.require(session)
      const { email } = await desk.userOf(userId)
      await desk.countAttempt(attemptsOf.code(email))
      const hash = hashOfCode('verify', userId, digitsIn(code))
      const proven = await directory.users('redeem', { purpose: 'verify', subject: userId, hash })
      if (proven !== email) throw invalid('code', 'is wrong, used or too old; ask for another one')
      await directory.users('forgetAttempts', { email: attemptsOf.code(email) })
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
      // By its hash: the link alone must find it, and an older link ends by itself.
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

/** People type codes with spaces. */
const digitsIn = (code: unknown): string => textIn(code, 20).replaceAll(/\D/g, '')
