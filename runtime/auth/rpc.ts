import { formatSessionToken } from '../kernel/access/actor.ts'
import { ApiError, invalid, failureAnswer } from '../kernel/errors.ts'
import { directoryOf } from '../kernel/objects/objects.ts'
import type { LiveContext } from '../kernel/objects/rpc-method.ts'
import {
  CODE_MS,
  type AuthContext,
  emailIn,
  type AuthHandlers,
  nameIn,
  openAuthContext,
  type AuthDeps,
  requireMethod,
  textIn,
  wrongCodeError,
} from './context.ts'
import { emailHandlers } from './sign-in/email-sign-in.ts'
import { handoverHandlers, handoverKeyOf } from './sign-in/handover.ts'
import { oauthHandlers } from './sign-in/oauth.ts'
import { callMail } from '../email/rpc.ts'
import { emailSettingsOf } from '../email/settings.ts'
import type { InboxMail } from '../email/store.ts'
import { signUpCode, accountExistsMail } from './messages.ts'
import { passkeyHandlers } from './sign-in/passkeys.ts'
import { hashPassword, isOutdated, isPassword } from './sign-in/password.ts'
import { newPasswordIn, PASSWORD_CHARS_MAX } from './sign-in/password-rule.ts'
import { authSettingsOf } from './settings.ts'
import type { AuthAnswer, AuthCalls, NewAccount, User } from './types.ts'
import { attemptsOf } from './objects/user-list.ts'

/** An id that no account has. */
const UNKNOWN_USER_ID = `u_${'0'.repeat(26)}`

/** Handles an RPC call about accounts. Returns the result, or an `ApiError` as a value instead of throwing it. */
export async function handleAuth<Kind extends keyof AuthCalls>(
  context: LiveContext,
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<AuthAnswer<Kind>> {
  const { objects, tier, env } = context
  const { mail, send } = mailIn(context)
  try {
    const auth = openAuthContext({
      objects,
      tier,
      settings: authSettingsOf(env),
      handoverKey: handoverKeyOf(env),
      send,
    })
    const handlers = {
      ...emailHandlers(auth),
      ...passkeyHandlers(auth),
      ...oauthHandlers(auth),
      ...handoverHandlers(auth),
      ...passwordHandlers(auth),
    }
    const all: AuthHandlers<keyof AuthCalls> = handlers
    return { ok: true, value: await all[kind](ask), ...(mail.length > 0 && { mail }) }
  } catch (error) {
    return failureAnswer(error)
  }
}

/**
 * Returns a function that sends messages. In a preview the function sends no messages and adds them to `mail`, which the page shows.
 * Without the capability `email` it stores the messages for the operator to read.
 */
function mailIn({ objects, tier, env }: LiveContext): { mail: InboxMail[]; send: AuthDeps['send'] } {
  const mail: InboxMail[] = []
  const { isOn: hasEmail } = emailSettingsOf(env)
  const send: AuthDeps['send'] = async (one, goodForMs) => {
    if (tier === 'preview') mail.push(...(one === null ? [] : [one]))
    else if (hasEmail) await callMail(objects, tier, 'queue', { mail: one, goodForMs })
    else await directoryOf(objects, tier).users('keepMail', one)
  }
  return { mail, send }
}

function passwordHandlers(auth: AuthContext) {
  const { settings, directory, account } = auth
  const { require, userOf, openSession, requireOpen, endAll, endSession } = auth

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

  async function renamePerson(id: string, name: string): Promise<User> {
    await requireOpen()
    const checked = nameIn(name)
    await userOf(id)
    await account(id).account('setName', { name: checked })
    await directory.users('change', { id, name: checked })
    return userOf(id)
  }

  const handlers: AuthHandlers<PasswordCalls> = {
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
      throw new ApiError('conflict', 'email: has an account already; sign in instead', { field: 'email' })
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

    me: async ({ session, renews = true }) => {
      const holder = await auth.holderOf(session)
      if (holder === null) return null
      const { userId: id, sessionId } = holder
      const user = await userOf(id)
      if (!renews) return { user, renewed: null }
      const renewal = await account(id).account('renew', { sessionId, days: settings.sessionDays })
      if (renewal === null) return { user, renewed: null }
      const { expiresAt } = renewal
      const next = { ...holder, ...renewal }
      await directory.users('opened', { id, sessionId: next.sessionId, expiresAt })
      if (next.sessionId !== sessionId) await directory.users('ended', { id, sessionId })
      return { user, renewed: { user, token: formatSessionToken(next), expiresAt } }
    },

    signOut: async ({ session }) => {
      const holder = await auth.holderOf(session)
      if (holder !== null) await endSession(holder.userId, holder.sessionId)
      return null
    },

    update: async ({ session, name }) => renamePerson((await require(session)).userId, name),

    changePassword: async ({ session, current, next, device }) => {
      await requireOpen()
      const { userId } = await require(session)
      const password = newPasswordIn(settings, next, 'next')
      const { email } = await userOf(userId)
      await auth.countAttempt(attemptsOf.password(email))
      if (!(await isPasswordOf(userId, current))) throw invalid('current', 'is not your password')
      await directory.users('forgetAttempts', { email: attemptsOf.password(email) })
      await account(userId).account('setPassword', { password: await hashPassword(password) })
      await endAll(userId)
      return openSession(await userOf(userId), device)
    },

    sessions: async ({ session }) => {
      const { userId, sessionId } = await require(session)
      return account(userId).account('sessions', { currentId: sessionId })
    },

    revoke: async ({ session, id }) => {
      const { userId } = await require(session)
      if (!(await endSession(userId, textIn(id, 100))))
        throw new ApiError('not_found', 'There is no such session.')
      return null
    },

    find: async ({ id }) => directory.users('find', { id: textIn(id, 100) }),
    rename: async ({ id, name }) => renamePerson(id, name),
    signOutAll: async ({ id }) => {
      await userOf(id)
      await endAll(id)
      return null
    },
  }
  return handlers
}

const signUpClosed = (invite: unknown) =>
  new ApiError(
    'forbidden',
    invite
      ? 'This app takes new accounts by invitation only, and this one was used, has ended, or is for another address.'
      : 'This app takes no new accounts.',
  )

type PasswordCalls =
  | 'settings'
  | 'sendSignUp'
  | 'signUp'
  | 'signIn'
  | 'me'
  | 'signOut'
  | 'update'
  | 'changePassword'
  | 'sessions'
  | 'revoke'
  | 'find'
  | 'rename'
  | 'signOutAll'
