import { reconnectStores } from '../data/client/page-store.ts'
import { callRoute } from '../web/api.ts'
import type { Session, SignInSettings, User } from './types.ts'

/** The person who is signed in on this page, and how one gets in and out. */
export interface BrowserAuth {
  signUp(account: { email: string; password: string; name: string }): Promise<{ user: User }>
  signIn(account: { email: string; password: string }): Promise<{ user: User }>
  signOut(): Promise<void>
  /** Null: a visitor. */
  me(): Promise<User | null>
  update(change: { name: string }): Promise<User>
  /** Ends the other sessions. */
  changePassword(change: { current: string; next: string }): Promise<void>
  sessions: { list(): Promise<Session[]>; revoke(id: string): Promise<void> }
  settings(): Promise<SignInSettings>
  /** Calls back now and after every change of who is signed in; undefined: not known yet. */
  subscribe(listener: (user: User | null | undefined) => void): () => void
}

const BASE = '/_app/auth'

let known: User | null | undefined
let asked: Promise<unknown> | null = null
const listeners = new Set<(user: User | null | undefined) => void>()

function changed(user: User | null): User | null {
  const isOther = known !== undefined && known?.id !== user?.id
  known = user
  // Lists that were read as somebody else are read again.
  if (isOther) reconnectStores()
  for (const listener of listeners) listener(user)
  return user
}

export const auth: BrowserAuth = {
  async signUp(account) {
    const { user } = await callRoute<{ user: User }>('POST', `${BASE}/sign-up`, account)
    changed(user)
    return { user }
  },
  async signIn(account) {
    const { user } = await callRoute<{ user: User }>('POST', `${BASE}/sign-in`, account)
    changed(user)
    return { user }
  },
  async signOut() {
    await callRoute('POST', `${BASE}/sign-out`, {})
    changed(null)
  },
  async me() {
    return changed(await callRoute<User | null>('GET', `${BASE}/me`))
  },
  async update(change) {
    const user = await callRoute<User>('PATCH', `${BASE}/me`, change)
    changed(user)
    return user
  },
  async changePassword(change) {
    await callRoute('POST', `${BASE}/password`, change)
    reconnectStores()
  },
  sessions: {
    list: () => callRoute('GET', `${BASE}/sessions`),
    async revoke(id) {
      await callRoute('DELETE', `${BASE}/sessions/${encodeURIComponent(id)}`)
    },
  },
  settings: () => callRoute('GET', `${BASE}/settings`),
  subscribe(listener) {
    listeners.add(listener)
    listener(known)
    asked ??= auth.me().catch(() => {
      asked = null
    })
    return () => void listeners.delete(listener)
  },
}
