import type { Failure } from '../kernel/errors.ts'

/** A person with an account in the app. */
export interface User {
  id: string
  email: string
  emailVerified: boolean
  name: string
  role: 'member' | 'staff'
  createdAt: string
}

/** A place where a person is signed in. */
export interface Session {
  id: string
  device: string
  createdAt: string
  lastSeenAt: string
  current: boolean
}

/** What a page may know of how people sign in. */
export interface SignInSettings {
  openSignup: boolean
  passwordMin: number
}

/** A new session. Its token goes into a cookie that scripts cannot read. */
export interface SignedIn {
  user: User
  token: string
  /** ISO 8601. */
  expiresAt: string
}

/** Where a sign-in comes from. */
interface Visit {
  device: string
  /** The network address, as the provider's edge saw it; empty where there is none. */
  from: string
}

/** Calls of the app's worker about its users. Methods are added, never changed: older releases call them. */
export interface AuthCalls {
  settings: { ask: null; answer: SignInSettings }
  signUp: { ask: Visit & { email: string; password: string; name: string }; answer: SignedIn }
  signIn: { ask: Visit & { email: string; password: string }; answer: SignedIn }
  /** Null without a valid session; `renewed` when the session was extended. */
  me: { ask: { session: string }; answer: { user: User; renewed: SignedIn | null } | null }
  signOut: { ask: { session: string }; answer: null }
  update: { ask: { session: string; name: string }; answer: User }
  /** Ends every other session. */
  changePassword: {
    ask: { session: string; current: string; next: string; device: string }
    answer: SignedIn
  }
  sessions: { ask: { session: string }; answer: Session[] }
  revoke: { ask: { session: string; id: string }; answer: null }
  find: { ask: { id: string }; answer: User | null }
  rename: { ask: { id: string; name: string }; answer: User }
  signOutAll: { ask: { id: string }; answer: null }
}

export type AuthAnswer<Kind extends keyof AuthCalls> =
  | { ok: true; value: AuthCalls[Kind]['answer'] }
  | { ok: false; error: Failure }

/** What the app's worker may call of the accounts. */
export interface AuthBinding {
  auth<Kind extends keyof AuthCalls>(kind: Kind, ask: AuthCalls[Kind]['ask']): Promise<AuthAnswer<Kind>>
}
