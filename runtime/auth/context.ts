import { randomInt } from 'node:crypto'
import {
  formatSessionToken,
  isUserId,
  newUserId,
  parseToken,
  type SessionToken,
} from '../kernel/access/actor.ts'
import { ApiError, invalid, noSuchUser, notSignedIn, rateLimitedError } from '../kernel/errors.ts'
import { heldError } from '../kernel/objects/hold.ts'
import { hmac } from '../kernel/secrets.ts'
import {
  accountOf,
  type AppObjectStub,
  directoryOf,
  type Objects,
  type Tier,
} from '../kernel/objects/objects.ts'
import { claimInvitation, isInvited } from './invitation.ts'
import type { PlainPurpose } from './objects/one-time.ts'
import type { InboxMail } from '../email/store.ts'
import type { AuthSettings } from './settings.ts'
import { closeSocketsOf } from './objects/sockets-of.ts'
import type { AuthCalls, SignInResult, User } from './types.ts'
import { attemptsOf } from './objects/user-list.ts'

const EMAIL_PATTERN = /^[^\s@<>"]{1,64}@[^\s@<>"]+\.[^\s@<>".]+$/
const EMAIL_CHARS_MAX = 254
export const NAME_CHARS_MAX = 100
const DEVICE_CHARS_MAX = 200
const ADDRESS_CHARS_MAX = 45
/** How long a mailed code is valid. The text of the message also states this time (`messages.ts`). */
export const CODE_MS = 600_000

export interface HandoverKey {
  /** The raw Ed25519 public key in base64url. The service holds the private key. */
  publicKey: string
  /** The name of the app's worker. Tokens for another worker are rejected. */
  audience: string
}

export interface AuthDeps {
  objects: Objects
  tier: Tier
  settings: AuthSettings
  /** Verifies sign-ins from the operator's console. Null in a worker that was deployed with plain wrangler. */
  handoverKey: HandoverKey | null
  /**
   * Sends a message, or drops it after `goodForMs`, because its code or link is no longer valid then. Does the same work for null without
   * sending, so that the response time does not reveal whether the address has an account.
   */
  send: (mail: InboxMail | null, goodForMs: number) => Promise<void>
}

export type AuthHandlers<Kinds extends keyof AuthCalls> = {
  [Kind in Kinds]: (ask: AuthCalls[Kind]['ask']) => Promise<AuthCalls[Kind]['answer']>
}

export type AuthContext = ReturnType<typeof openAuthContext>

export function openAuthContext(deps: AuthDeps) {
  const { objects, tier, settings, send } = deps
  const directory = directoryOf(objects, tier)
  const account = (userId: string) => accountOf(objects, tier, userId)
  const sessions = openSessions(deps, { directory, account })

  async function userOf(id: string): Promise<User> {
    const stored = isUserId(id) ? await account(id).account('read', null) : null
    if (stored === null) throw noSuchUser()
    return { id, ...stored }
  }

  /** Throws while the app is being moved to another cloud account. */
  async function requireOpen(): Promise<void> {
    if (await directory.users('isHeld', null)) throw heldError()
  }

  /** Counts a visit from a network address. Throws after too many visits, and while the app is being moved to another cloud account. */
  async function admit(from: string): Promise<void> {
    await requireOpen()
    rejectWhilePaused(await directory.users('visit', { from: textIn(from, ADDRESS_CHARS_MAX) }))
  }

  /** Counts an attempt under `key`. Throws `rate_limited` after too many. */
  async function countAttempt(key: string): Promise<void> {
    rejectWhilePaused(await directory.users('attempt', { email: key }))
  }

  /** Copies the names of an account's sign-in methods into the list of people, where the operator sees them. Called after every change. */
  async function storeMethods(id: string): Promise<void> {
    const methods = await account(id).account('methods', null)
    await directory.users('change', { id, methods })
  }

  /** Returns whether the address may get an account. While sign-up is closed, the address needs an invitation. */
  const maySignUp = async (email: string, invite: unknown): Promise<boolean> =>
    settings.openSignup || (await isInvited(deps, invite, email))

  /**
   * Creates an account and returns its person. Returns `taken` when the address has an account, and `closed` when sign-up is closed and the
   * invitation is not valid. `password` computes the password's hash. It is not called for a rejected sign-up, because hashing is slow.
   */
  async function createAccount(
    about: { email: string; name: string; emailVerified: boolean },
    { password, invite }: { password?: () => Promise<string>; invite: unknown },
  ): Promise<User | 'taken' | 'closed'> {
    const createdAt = new Date().toISOString()
    const user: User = { id: newUserId(), ...about, role: 'member', createdAt }
    if (!(await maySignUp(user.email, invite))) return 'closed'
    if (!(await directory.users('reserve', user))) return 'taken'
    const { id, ...view } = user
    // Claim the invitation after reserving the address. Otherwise an address that already has an account would use up the invitation.
    if (!settings.openSignup && !(await claimInvitation(deps, invite, user.email))) {
      await directory.users('release', { id })
      return 'closed'
    }
    try {
      await account(id).account('create', { ...view, password: (await password?.()) ?? null })
    } catch (error) {
      // Hashing is refused while too many people sign in. Free the address, so that the person can try again at once.
      await directory.users('release', { id }).catch(() => {})
      throw error
    }
    if (!(await directory.users('activate', { id }))) return 'taken'
    await storeMethods(id)
    return user
  }

  /**
   * Called when the sender has proven that they receive mail to this account's address. The first proof removes every other sign-in method,
   * because someone who does not receive that mail may have set it up.
   */
  async function prove(userId: string): Promise<void> {
    if ((await userOf(userId)).emailVerified) return
    await directory.users('unlink', { id: userId })
    await directory.users('ended', { id: userId })
    // `prove` marks the account, so it comes last: if the steps before it are interrupted, the next proof repeats all of them.
    await account(userId).account('prove', null)
    await directory.users('change', { id: userId, emailVerified: true })
    await storeMethods(userId)
    await sessions.closeSockets(userId)
  }

  return {
    deps,
    settings,
    directory,
    account,
    send,
    ...sessions,
    ...openCodes(settings, directory, countAttempt),
    userOf,
    requireOpen,
    admit,
    countAttempt,
    storeMethods,
    maySignUp,
    createAccount,
    prove,
  }
}

/** The Durable Objects that keep people: the directory, and one for each account. */
interface PeopleObjects {
  directory: AppObjectStub
  account: (userId: string) => AppObjectStub
}

/** Opens, checks and ends sessions. An account stores its sessions, and the directory lists them for the operator. */
function openSessions({ objects, tier, settings }: AuthDeps, { directory, account }: PeopleObjects) {
  async function openSession(
    user: User,
    device: string,
    days: number = settings.sessionDays,
  ): Promise<SignInResult> {
    const session = await account(user.id).account('open', {
      device: textIn(device, DEVICE_CHARS_MAX),
      days,
    })
    const { sessionId, secret, expiresAt } = session
    await directory.users('opened', { id: user.id, sessionId, expiresAt })
    return { user, token: formatSessionToken({ userId: user.id, sessionId, secret }), expiresAt }
  }

  /** Returns the parsed token of a session; null when the session is not valid. */
  async function holderOf(session: string): Promise<SessionToken | null> {
    const token = parseToken(textIn(session, 200))
    return token && (await account(token.userId).account('person', token)) && token
  }

  /** Returns the token of a session. Throws when the session is not valid. */
  async function require(session: string): Promise<SessionToken> {
    const token = await holderOf(session)
    if (token === null) throw notSignedIn()
    return token
  }

  /**
   * Closes the sockets of a person whose session ends: a socket keeps the rights with which it was opened.
   */
  const closeSockets = (userId: string): Promise<void> => closeSocketsOf(objects, tier, userId)

  async function endSession(userId: string, sessionId: string): Promise<boolean> {
    const isEnded = await account(userId).account('end', { sessionId })
    await directory.users('ended', { id: userId, sessionId })
    // The session has ended, so report success even when a socket stays open. The Durable Object that failed has logged its error.
    await closeSockets(userId).catch(() => {})
    return isEnded
  }

  async function endAll(userId: string): Promise<void> {
    await account(userId).account('endAll', { exceptId: null })
    await directory.users('ended', { id: userId })
    await closeSockets(userId)
  }

  return { openSession, holderOf, require, closeSockets, endSession, endAll }
}

/** Issues and redeems the codes that are mailed to people. */
function openCodes(
  { codeKey }: AuthSettings,
  directory: AppObjectStub,
  countAttempt: (key: string) => Promise<void>,
) {
  /**
   * Codes are short enough to guess, so their hashes use a secret key and include the purpose and the subject. Characters other than digits
   * are removed, because people type spaces.
   */
  const hashOfCode = (purpose: PlainPurpose, subject: string, code: unknown): string =>
    hmac(codeKey, `${purpose} ${subject} ${textIn(code, 20).replaceAll(/\D/g, '')}`).toString('hex')

  /** Stores a code: a new code, or a redeemed code whose action failed. Replaces an older code for the same purpose and subject. */
  async function storeCode(
    purpose: PlainPurpose,
    subject: string,
    { code, payload = '' }: { code?: unknown; payload?: string },
  ): Promise<void> {
    const hash = hashOfCode(purpose, subject, code)
    await directory.users('issue', { purpose, subject, hash, payload, ttlMs: CODE_MS })
  }

  /** Returns a new code of six digits. It replaces an older code for the same purpose and subject. */
  async function issueCode(purpose: PlainPurpose, subject: string, payload = ''): Promise<string> {
    const code = String(randomInt(1_000_000)).padStart(6, '0')
    await storeCode(purpose, subject, { code, payload })
    return code
  }

  /** Returns the payload of a code and invalidates the code; null for a wrong, used or expired code. Attempts are counted per address. */
  async function redeemCode(
    purpose: PlainPurpose,
    email: string,
    code: unknown,
    subject = email,
  ): Promise<string | null> {
    const attempts = attemptsOf.code(email)
    await countAttempt(attempts)
    const hash = hashOfCode(purpose, subject, code)
    const payload = await directory.users('redeem', { purpose, subject, hash })
    if (payload !== null) await directory.users('forgetAttempts', { email: attempts })
    return payload
  }

  return { issueCode, storeCode, redeemCode }
}

/** Throws `not_enabled` when the operator has not switched on this sign-in method. */
export function requireMethod(isOn: boolean): void {
  if (!isOn) throw new ApiError('not_enabled', 'People sign in to this app in another way.')
}

/** Throws `rate_limited` unless `seconds` is 0. */
function rejectWhilePaused(seconds: number): void {
  if (seconds > 0) throw rateLimitedError('Too many attempts.', seconds)
}

/** Returns the same error for a wrong, a used and an expired code, so that a person who guesses codes learns nothing. */
export const wrongCodeError = () =>
  new ApiError('unauthorized', 'This code is wrong, used or expired. Request a new one.')

/** Normalizes an address, so that writing it in capitals does not create a second account. */
export function emailIn(value: unknown): string {
  const email = typeof value === 'string' ? value.trim().normalize('NFC').toLowerCase() : ''
  if (email.length > EMAIL_CHARS_MAX || !EMAIL_PATTERN.test(email))
    throw invalid('email', 'must be an email address')
  return email
}

export function nameIn(value: unknown): string {
  const name = typeof value === 'string' ? value.trim() : ''
  if (name === '' || name.length > NAME_CHARS_MAX)
    throw invalid('name', `must have 1 to ${NAME_CHARS_MAX} characters`)
  return name
}

/** The default name of a person who has not been asked for a name. */
export const nameOfEmail = (email: string): string => email.split('@')[0] ?? email

/** Returns the origin that the app's worker sent. Throws for anything but an http or https origin. */
export function originIn(value: unknown): URL {
  const url = typeof value === 'string' && URL.canParse(value) ? new URL(value) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.origin !== value)
    throw invalid('origin', 'must be an origin')
  return url
}

/** Cuts text to `charsMax` characters. Returns an empty string for a value that is not text. */
export const textIn = (value: unknown, charsMax: number): string =>
  typeof value === 'string' ? value.slice(0, charsMax) : ''
