import { reconnectStores } from '../data/client/page-store.ts'
import { ApiError } from '../kernel/errors.ts'
import { callEnvelope, callRoute } from '../web/api.ts'
import { makePasskey, type NewPasskeyOptions, usePasskey } from './passkey-client.ts'
import type { Passkey, PasskeyOptions, SentMessage, Session, SignInSettings, User } from './types.ts'

export type { Session, User } from './types.ts'

/** Signs people up, in and out, and knows who is signed in on this page. */
export interface BrowserAuth {
  /** `invite` is the token in an invitation link, for an app that admits new people by invitation only. */
  signUp(account: NewAccount & { code?: string }): Promise<{ user: User }>
  /**
   * Sends the code for `signUp`, if the settings require a code. An address that has an account gets another message, but the result is the
   * same.
   */
  sendSignUp(account: NewAccount): Promise<SentMessage>
  signIn(account: { email: string; password: string }): Promise<{ user: User }>
  signOut(): Promise<void>
  /** Resolves to null for a visitor. */
  me(): Promise<User | null>
  update(change: { name: string }): Promise<User>
  /** Also ends the person's other sessions. */
  changePassword(change: { current: string; next: string }): Promise<void>
  /** Sends a code if the address may sign in. The result is the same if it may not. */
  sendCode(email: string, options?: InviteOption): Promise<SentMessage>
  confirmCode(email: string, code: string, options?: InviteOption): Promise<{ user: User }>
  /** Proves the address of the person who is signed in. */
  verify: { send(): Promise<SentMessage>; confirm(code: string): Promise<User> }
  /** Sends a link for choosing a new password, if the address has an account. */
  requestReset(email: string): Promise<SentMessage>
  /** Sets a new password with the token of a reset link, and ends every session. */
  reset(token: string, password: string): Promise<void>
  passkeys: {
    signIn(): Promise<{ user: User }>
    add(name: string): Promise<Passkey>
    list(): Promise<Passkey[]>
    remove(id: string): Promise<void>
  }
  /** Navigates to the provider's sign-in page, which returns to `returnTo`, a path of the app. */
  oauth(id: string, options?: { returnTo?: string }): void
  sessions: { list(): Promise<Session[]>; revoke(id: string): Promise<void> }
  settings(): Promise<SignInSettings>
  /**
   * Calls `listener` with the signed-in person now and after every change: with null for a visitor, with undefined while not known yet.
   * Returns the function that unsubscribes.
   */
  subscribe(listener: (user: User | null | undefined) => void): () => void
}

interface InviteOption {
  invite?: string
}

type NewAccount = { email: string; password: string; name: string } & InviteOption

const AUTH_PATH = '/_app/auth'

/** The pause after a failed request for who is signed in, before the page repeats the request. */
const RETRY_MS = 3000

let knownUser: User | null | undefined
let userRequest: Promise<unknown> | null = null
/** How often this page has signed in or out, or has changed the account. */
let changeCount = 0
const userListeners = new Set<(user: User | null | undefined) => void>()

function showUser(user: User | null, isOther: boolean): User | null {
  const hadPerson = knownUser !== undefined && knownUser !== null
  knownUser = user
  // Reload the lists that were read with the rights of another person.
  if (isOther) reconnectStores(hadPerson)
  for (const listener of userListeners) listener(user)
  return user
}

/** Shows the person after this page has signed in or out, or has changed the account. */
function setUser(user: User | null): void {
  changeCount++
  showUser(user, knownUser === undefined || knownUser?.id !== user?.id)
}

async function changeUser(method: string, path: string, body: object): Promise<User> {
  const before = changeCount
  const user = await callRoute<User>(method, `${AUTH_PATH}/${path}`, body)
  // After a sign-out or another update since the request, this response is outdated.
  if (before === changeCount) setUser(user)
  return user
}

function requestUser(): void {
  userRequest ??= auth.me().catch((error: unknown) => {
    userRequest = null
    // An app without accounts has only visitors.
    if (error instanceof ApiError && error.code === 'not_enabled') showUser(null, false)
    else setTimeout(() => userListeners.size > 0 && requestUser(), RETRY_MS)
  })
}

async function sendMail(path: string, body: object): Promise<SentMessage> {
  const answer = await callEnvelope<{ sent: true }>('POST', `${AUTH_PATH}/${path}`, body)
  const [message] = answer.preview?.mail ?? []
  return { sent: true, ...(message !== undefined && { preview: message }) }
}

export const auth: BrowserAuth = {
  async signUp(account) {
    const { user } = await callRoute<{ user: User }>('POST', `${AUTH_PATH}/sign-up`, account)
    setUser(user)
    return { user }
  },
  sendSignUp: (account) => sendMail('sign-up/code', account),
  async signIn(account) {
    const { user } = await callRoute<{ user: User }>('POST', `${AUTH_PATH}/sign-in`, account)
    setUser(user)
    return { user }
  },
  async signOut() {
    await callRoute('POST', `${AUTH_PATH}/sign-out`, {})
    setUser(null)
  },
  async me() {
    const before = changeCount
    const user = await callRoute<User | null>('GET', `${AUTH_PATH}/me`)
    // A response from before a sign-in or sign-out is outdated.
    if (before !== changeCount) return knownUser ?? null
    return showUser(user, knownUser !== undefined && knownUser?.id !== user?.id)
  },
  update: (change) => changeUser('PATCH', 'me', change),
  async changePassword(change) {
    await callRoute('POST', `${AUTH_PATH}/password`, change)
    reconnectStores()
  },
  sendCode: (email, options) => sendMail('code', { email, ...options }),
  async confirmCode(email, code, options) {
    const fields = { email, code, ...options }
    const { user } = await callRoute<{ user: User }>('POST', `${AUTH_PATH}/code/confirm`, fields)
    setUser(user)
    return { user }
  },
  verify: {
    send: () => sendMail('verify', {}),
    confirm: (code) => changeUser('POST', 'verify/confirm', { code }),
  },
  requestReset: (email) => sendMail('reset', { email }),
  async reset(token, password) {
    await callRoute('POST', `${AUTH_PATH}/reset/confirm`, { token, password })
    setUser(null)
  },
  passkeys: {
    async signIn() {
      const options = await callRoute<PasskeyOptions>('POST', `${AUTH_PATH}/passkey/options`, {})
      const credential = await usePasskey(options)
      const { user } = await callRoute<{ user: User }>('POST', `${AUTH_PATH}/passkey/verify`, { credential })
      setUser(user)
      return { user }
    },
    async add(name) {
      const options = await callRoute<NewPasskeyOptions>('POST', `${AUTH_PATH}/passkeys/options`, {})
      const credential = await makePasskey(options)
      return callRoute('POST', `${AUTH_PATH}/passkeys`, { name, credential })
    },
    list: () => callRoute('GET', `${AUTH_PATH}/passkeys`),
    async remove(id) {
      await callRoute('DELETE', `${AUTH_PATH}/passkeys/${encodeURIComponent(id)}`)
    },
  },
  oauth(id, { returnTo = '/' } = {}) {
    const query = new URLSearchParams({ returnTo })
    location.assign(`${AUTH_PATH}/oauth/${encodeURIComponent(id)}/start?${query.toString()}`)
  },
  sessions: {
    list: () => callRoute('GET', `${AUTH_PATH}/sessions`),
    async revoke(id) {
      await callRoute('DELETE', `${AUTH_PATH}/sessions/${encodeURIComponent(id)}`)
    },
  },
  settings: () => callRoute('GET', `${AUTH_PATH}/settings`),
  subscribe(listener) {
    userListeners.add(listener)
    listener(knownUser)
    requestUser()
    return () => void userListeners.delete(listener)
  },
}
