import { ApiError, invalid } from '../../kernel/errors.ts'
import {
  CODE_MS,
  type AuthContext,
  emailIn,
  type AuthHandlers,
  nameOfEmail,
  originIn,
  requireMethod,
  textIn,
  wrongCodeError,
} from '../context.ts'
import { sha256Hex, newSecret } from '../../kernel/secrets.ts'
import { resetLink, signInCode, verifyCode } from '../messages.ts'
import { hashPassword } from './password.ts'
import { newPasswordIn } from './password-rule.ts'
import { attemptsOf } from '../objects/user-list.ts'
import { HOUR_MS } from '../../kernel/durations.ts'

const RESET_MS = HOUR_MS
/** The page that asks for a new password. The token follows as the fragment, which browsers never send to a server. */
const RESET_PATH = '/reset-password#'

type EmailCalls = 'sendCode' | 'confirmCode' | 'sendVerify' | 'confirmVerify' | 'requestReset' | 'reset'

/**
 * Handlers for signing in with a code, confirming an address, and choosing a new password. For an address without an account the handlers
 * do the same work and return the same response. They send it no message, except a sign-in code when the person may sign up.
 */
export function emailHandlers(auth: AuthContext): AuthHandlers<EmailCalls> {
  const { settings, directory, account } = auth

  return {
    sendCode: async ({ email, invite, from }) => {
      requireMethod(settings.methods.emailCode)
      await auth.admit(from)
      const address = emailIn(email)
      await auth.countAttempt(attemptsOf.message(address))
      const userId = await directory.users('idOf', { email: address })
      const code = await auth.issueCode('sign-in', address)
      const maySignIn = (await auth.maySignUp(address, invite)) || userId !== null
      await auth.send(maySignIn ? signInCode(address, code) : null, CODE_MS)
      return { sent: true }
    },

    confirmCode: async ({ email, code, invite, device, from }) => {
      requireMethod(settings.methods.emailCode)
      await auth.admit(from)
      const address = emailIn(email)
      if ((await auth.redeemCode('sign-in', address, code)) === null) throw wrongCodeError()
      const known = await directory.users('idOf', { email: address })
      const about = { email: address, name: nameOfEmail(address), emailVerified: true }
      const user = known === null ? await auth.createAccount(about, { invite }) : await auth.userOf(known)
      if (typeof user === 'string') throw wrongCodeError()
      await auth.prove(user.id)
      return auth.openSession(await auth.userOf(user.id), device)
    },

    sendVerify: async ({ session, from }) => {
      await auth.admit(from)
      const { userId } = await auth.require(session)
      const { email } = await auth.userOf(userId)
      await auth.countAttempt(attemptsOf.message(email))
      await auth.send(verifyCode(email, await auth.issueCode('verify', userId, email)), CODE_MS)
      return { sent: true }
    },

    confirmVerify: async ({ session, code }) => {
      await auth.requireOpen()
      const { userId } = await auth.require(session)
      const { email } = await auth.userOf(userId)
      const proven = await auth.redeemCode('verify', email, code, userId)
      if (proven !== email) throw invalid('code', 'is wrong, used or expired; request a new one')
      await account(userId).account('setVerified', null)
      await directory.users('change', { id: userId, emailVerified: true })
      return auth.userOf(userId)
    },

    requestReset: async ({ email, origin, from }) => {
      requireMethod(settings.methods.password)
      await auth.admit(from)
      const address = emailIn(email)
      const page = new URL(RESET_PATH, originIn(origin))
      await auth.countAttempt(attemptsOf.message(address))
      const userId = await directory.users('idOf', { email: address })
      const token = newSecret()
      const hash = sha256Hex(token)
      // The link contains only the token, so the value is stored under the hash of the token and not under
      // the address. A newer link therefore does not replace an older one, which stays valid until it
      // expires.
      const value = { purpose: 'reset' as const, subject: hash, hash, payload: address, ttlMs: RESET_MS }
      await directory.users('issue', value)
      await auth.send(userId === null ? null : resetLink(address, `${page.href}${token}`), RESET_MS)
      return { sent: true }
    },

    reset: async ({ token, password, from }) => {
      requireMethod(settings.methods.password)
      await auth.admit(from)
      // Check the password first: a password that is too short must not use up the link.
      const typed = newPasswordIn(settings, password, 'password')
      const hash = sha256Hex(textIn(token, 100))
      const link = { purpose: 'reset' as const, subject: hash, hash }
      const email = await directory.users('redeem', link)
      const userId = email === null ? null : await directory.users('idOf', { email })
      if (email === null || userId === null)
        throw new ApiError('unauthorized', 'This link was used or has expired. Request a new one.')
      const hashed = await hashPassword(typed).catch(async (error: unknown) => {
        // Hashing fails while too many people are signing in. Store the link again, so that the person can repeat the reset.
        await directory.users('issue', { ...link, payload: email, ttlMs: RESET_MS })
        throw error
      })
      // Also invalidate older links and codes.
      await directory.users('forgetOneTime', { email })
      await auth.prove(userId)
      await account(userId).account('setPassword', { password: hashed })
      await auth.storeMethods(userId)
      await auth.endAll(userId)
      await directory.users('forgetAttempts', { email: attemptsOf.password(email) })
      return null
    },
  }
}
