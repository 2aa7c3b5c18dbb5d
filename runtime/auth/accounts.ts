import { formatToken, isUserId, newUserId, parseToken, type SessionToken } from '../kernel/actor.ts'
import { ApiError, invalid, toFailure } from '../kernel/errors.ts'
import { heldError } from '../kernel/hold.ts'
import { accountOf, directoryOf, type Objects, partitionOf, type Tier } from '../kernel/objects.ts'
import { hashPassword, isOutdated, isPassword } from './password.ts'
import type { AuthSettings } from './settings.ts'
import type { AuthAnswer, AuthCalls, SignedIn, User } from './types.ts'

const EMAIL = /^[^\s@<>"]{1,64}@[^\s@<>"]+\.[^\s@<>".]+$/
const EMAIL_CHARS_MAX = 254
const NAME_CHARS_MAX = 100
const PASSWORD_CHARS_MAX = 200
const DEVICE_CHARS_MAX = 200
const ADDRESS_CHARS_MAX = 45
/** No account has this id. */
const NOBODY = `u_${'0'.repeat(26)}`

type Handlers = {
  [Kind in keyof AuthCalls]: (ask: AuthCalls[Kind]['ask']) => Promise<AuthCalls[Kind]['answer']>
}

/** Where accounts are kept, and the settings by which people get in. */
interface Place {
  objects: Objects
  tier: Tier
  settings: AuthSettings
}

/** Answers a call of the app's worker about its users; refusals are returned as values. */
export async function answerAuth<Kind extends keyof AuthCalls>(
  place: Place,
  kind: Kind,
  ask: AuthCalls[Kind]['ask'],
): Promise<AuthAnswer<Kind>> {
  try {
    return { ok: true, value: await handlersIn(place)[kind](ask) }
  } catch (error) {
    if (error instanceof ApiError) return { ok: false, error: toFailure(error) }
    throw error
  }
}

function handlersIn({ objects, tier, settings }: Place): Handlers {
  const directory = directoryOf(objects, tier)
  const account = (userId: string) => accountOf(objects, tier, userId)

  async function openSession(user: User, device: string): Promise<SignedIn> {
    const session = await account(user.id).account('open', {
      device: textIn(device, DEVICE_CHARS_MAX),
      days: settings.sessionDays,
    })
    const { sessionId, secret, expiresAt } = session
    await directory.users('opened', { id: user.id, sessionId, expiresAt })
    return { user, token: formatToken({ userId: user.id, sessionId, secret }), expiresAt }
  }

  /** An unknown address is compared with the object of nobody, which takes as long. */
  async function isPasswordOf(userId: string | null, typed: unknown): Promise<boolean> {
    const holder = account(userId ?? NOBODY)
    const password = textIn(typed, PASSWORD_CHARS_MAX)
    const stored = await holder.account('password', null)
    const isRight = await isPassword(password, stored)
    if (isRight && stored !== null && isOutdated(stored))
      await holder.account('setPassword', { password: await hashPassword(password) })
    return isRight
  }

  /** Throws while the app is being moved. */
  async function requireOpen(): Promise<void> {
    if (await directory.users('isHeld', null)) throw heldError()
  }

  /** Returns who holds a session; throws when it is not valid. */
  async function require(session: string): Promise<SessionToken> {
    const token = parseToken(session)
    const person = token === null ? null : await account(token.userId).account('person', token)
    if (token === null || person === null) throw new ApiError('unauthorized', 'Sign in first.')
    return token
  }

  async function userOf(id: string): Promise<User> {
    const stored = isUserId(id) ? await account(id).account('read', null) : null
    if (stored === null) throw new ApiError('not_found', 'There is no such user.')
    return { id, emailVerified: false, ...stored }
  }

  /** Sockets judge by the rights they were opened with, so they end with the session. */
  async function closeSockets(userId: string): Promise<void> {
    const partitions = [userId, 'app'].map((name) => partitionOf(objects, tier, name))
    await Promise.all(partitions.map((partition) => partition.closeSockets(userId)))
  }

  async function rename(id: string, name: string): Promise<User> {
    await requireOpen()
    const checked = nameIn(name)
    await userOf(id)
    await account(id).account('setName', { name: checked })
    await directory.users('change', { id, name: checked })
    return userOf(id)
  }

  return {
    settings: async () => ({ openSignup: settings.openSignup, passwordMin: settings.passwordMin }),

    signUp: async ({ email, password, name, device, from }) => {
      await requireOpen()
      refuseFor(await directory.users('visit', { from: textIn(from, ADDRESS_CHARS_MAX) }))
      if (!settings.openSignup) throw new ApiError('forbidden', 'This app takes no new accounts.')
      const user: User = {
        id: newUserId(),
        email: emailIn(email),
        emailVerified: false,
        name: nameIn(name),
        role: 'member',
        createdAt: new Date().toISOString(),
      }
      const typed = newPasswordIn(password, 'password')
      const taken = new ApiError('conflict', 'email: has an account already; sign in instead', {
        field: 'email',
      })
      if (!(await directory.users('reserve', user))) throw taken
      const { id, emailVerified: _verified, ...view } = user
      await account(id).account('create', { ...view, password: await hashPassword(typed) })
      if (!(await directory.users('activate', { id }))) throw taken
      return openSession(user, device)
    },

    signIn: async ({ email, password, device, from }) => {
      await requireOpen()
      refuseFor(await directory.users('visit', { from: textIn(from, ADDRESS_CHARS_MAX) }))
      const address = emailIn(email)
      refuseFor(await directory.users('attempt', { email: address }))
      const userId = await directory.users('idOf', { email: address })
      if (!(await isPasswordOf(userId, password)) || userId === null)
        throw new ApiError('unauthorized', 'The email address or the password is wrong.')
      await directory.users('forgetAttempts', { email: address })
      return openSession(await userOf(userId), device)
    },

    me: async ({ session }) => {
      const token = parseToken(session)
      const person = token === null ? null : await account(token.userId).account('person', token)
      if (token === null || person === null) return null
      const user = await userOf(token.userId)
      const { sessionId } = token
      const expiresAt = await account(user.id).account('renew', { sessionId, days: settings.sessionDays })
      if (expiresAt === null) return { user, renewed: null }
      await directory.users('opened', { id: user.id, sessionId, expiresAt })
      return { user, renewed: { user, token: session, expiresAt } }
    },

    signOut: async ({ session }) => {
      const token = parseToken(session)
      const person = token === null ? null : await account(token.userId).account('person', token)
      if (token === null || person === null) return null
      await endSession(token.userId, token.sessionId)
      return null
    },

    update: async ({ session, name }) => rename((await require(session)).userId, name),

    changePassword: async ({ session, current, next, device }) => {
      await requireOpen()
      const { userId } = await require(session)
      const password = newPasswordIn(next, 'next')
      const { email } = await userOf(userId)
      refuseFor(await directory.users('attempt', { email }))
      if (!(await isPasswordOf(userId, current))) throw invalid('current', 'is not your password')
      await directory.users('forgetAttempts', { email })
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
    rename: async ({ id, name }) => rename(id, name),
    signOutAll: async ({ id }) => {
      await userOf(id)
      await endAll(id)
      return null
    },
  }

  async function endSession(userId: string, sessionId: string): Promise<boolean> {
    const isEnded = await account(userId).account('end', { sessionId })
    await directory.users('ended', { id: userId, sessionId })
    await closeSockets(userId)
    return isEnded
  }

  async function endAll(userId: string): Promise<void> {
    await account(userId).account('endAll', { exceptId: null })
    await directory.users('ended', { id: userId })
    await closeSockets(userId)
  }

  function newPasswordIn(value: unknown, field: string): string {
    const { passwordMin } = settings
    if (typeof value !== 'string' || value.length < passwordMin || value.length > PASSWORD_CHARS_MAX)
      throw invalid(field, `must have ${passwordMin} to ${PASSWORD_CHARS_MAX} characters`)
    return value
  }
}

/** Throws while somebody has to wait. */
function refuseFor(seconds: number): void {
  if (seconds > 0) throw new ApiError('rate_limited', `Too many attempts. Try again in ${seconds} s.`)
}

/** One spelling of an address, so that nobody gets two accounts by writing it in capitals. */
function emailIn(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().normalize('NFC').toLowerCase() : ''
  if (email.length > EMAIL_CHARS_MAX || !EMAIL.test(email)) throw invalid('email', 'must be an email address')
  return email
}

function nameIn(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '' || name.length > NAME_CHARS_MAX)
    throw invalid('name', `must have 1 to ${NAME_CHARS_MAX} characters`)
  return name
}

/** Returns a value of a request as text, cut to a length; anything else is empty. */
const textIn = (value: unknown, charsMax: number): string =>
  typeof value === 'string' ? value.slice(0, charsMax) : ''
