import { ApiError, invalid } from '../../kernel/errors.ts'
import {
  CODE_MS,
  type AuthContext,
  emailIn,
  type AuthHandlers,
  nameIn,
  requireMethod,
  textIn,
  wrongCodeError,
} from '../context.ts'
import { signUpCode, accountExistsMail } from '../messages.ts'
import { attemptsOf } from '../objects/user-list.ts'
import type { NewAccount } from '../types.ts'
import { hashPassword, isOutdated, isPassword } from './password.ts'
import { newPasswordIn, PASSWORD_CHARS_MAX } from './password-rule.ts'

/** An id that no account has. */
const UNKNOWN_USER_ID = `u_${'0'.repeat(26)}`

type PasswordCalls = 'settings' | 'sendSignUp' | 'signUp' | 'signIn' | 'changePassword'

/** Handlers for signing up and signing in with a password. `settings` tells a page how people may sign in. */
export function passwordHandlers(auth: AuthContext): AuthHandlers<PasswordCalls> {
  const { settings, directory, account, openSession, userOf } = auth

  /**
   * Returns whether the password is right. Without a user id, as for an unknown address, reads a Durable Object without an account, so that
   * the response time does not reveal which addresses have one.
   */
  async function isPasswordOf(userId: string | null, typed: unknown): Promise<boolean> {
    const holder = account(userId ?? UNKNOWN_USER_ID)
    const password = textIn(typed, PASSWORD_CHARS_MAX)
    const stored = await holder.account('password', null)
    const isRight = await isPassword(password, stored)
    if (isRight && stored !== null && isOutdated(stored))
      await holder.account('setPassword', { password: await hashPassword(password) })
    return isRight
  }

  /**
   * Validates the input of a sign-up. With `confirmAddress` the address counts as verified, because signing up
   * then requires the code that was sent to the address.
   */
  async function newAccountIn({ email, password, name, invite, from }: NewAccount) {
    requireMethod(settings.methods.password)
    await auth.admit(from)
    // Checked before the address is looked up, so that the response to a sign-up without an invitation does not reveal
    // whether the address has an account.
    if (!settings.openSignup && !invite) throw signUpClosed(invite)
    const about = { email: emailIn(email), name: nameIn(name), emailVerified: settings.confirmAddress }
    return { about, typed: newPasswordIn(settings, password, 'password') }
  }

  return {
    settings: async () => ({
      openSignup: settings.openSignup,
      passwordMin: settings.passwordMin,
      confirmAddress: settings.confirmAddress,
      methods: {
        ...settings.methods,
        oauth: settings.providers.map(({ id, title }) => ({ id, title })),
      },
    }),

    sendSignUp: async (ask) => {
      requireMethod(settings.confirmAddress)
      const { email } = (await newAccountIn(ask)).about
      if (!(await auth.maySignUp(email, ask.invite))) throw signUpClosed(ask.invite)
      await auth.countAttempt(attemptsOf.message(email))
      const userId = await directory.users('idOf', { email })
      const code = await auth.issueCode('sign-up', email)
      await auth.send(userId === null ? signUpCode(email, code) : accountExistsMail(email), CODE_MS)
      return { sent: true }
    },

    signUp: async (ask) => {
      const { invite, device } = ask
      const { about, typed } = await newAccountIn(ask)
      if (settings.confirmAddress && (await auth.redeemCode('sign-up', about.email, ask.code)) === null)
        throw wrongCodeError()
      const password = () => hashPassword(typed)
      const user = await auth.createAccount(about, { password, invite }).catch(async (error: unknown) => {
        // No account was created, for instance because too many people are signing in. Store the code again, so that it stays valid.
        if (settings.confirmAddress) await auth.storeCode('sign-up', about.email, ask)
        throw error
      })
      if (user === 'closed') throw signUpClosed(invite)
      if (user !== 'taken') return openSession(user, device)
      throw new ApiError('conflict', 'email: already has an account; sign in instead', { field: 'email' })
    },

    signIn: async ({ email, password, device, from }) => {
      requireMethod(settings.methods.password)
      await auth.admit(from)
      const address = emailIn(email)
      await auth.countAttempt(attemptsOf.password(address))
      const userId = await directory.users('idOf', { email: address })
      if (!(await isPasswordOf(userId, password)) || userId === null)
        throw new ApiError('unauthorized', 'The email address or the password is wrong.')
      await directory.users('forgetAttempts', { email: attemptsOf.password(address) })
      return openSession(await userOf(userId), device)
    },

    changePassword: async ({ session, current, next, device }) => {
      await auth.requireOpen()
      const { userId } = await auth.require(session)
      const password = newPasswordIn(settings, next, 'next')
      const { email } = await userOf(userId)
      await auth.countAttempt(attemptsOf.password(email))
      if (!(await isPasswordOf(userId, current))) throw invalid('current', 'is not your password')
      await directory.users('forgetAttempts', { email: attemptsOf.password(email) })
      await account(userId).account('setPassword', { password: await hashPassword(password) })
      await auth.endAll(userId)
      return openSession(await userOf(userId), device)
    },
  }
}

const signUpClosed = (invite: unknown) =>
  new ApiError(
    'forbidden',
    invite
      ? 'This app takes new accounts by invitation only, and this one was used, has expired, or is for another address.'
      : 'This app takes no new accounts.',
  )
