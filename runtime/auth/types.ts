import type { Failure } from '../kernel/errors.ts'
import type { InboxMail } from '../email/store.ts'

declare module '../kernel/objects/calls.ts' {
  interface LiveBindings {
    auth: AuthBinding
  }
}

/** A person with an account in the app. */
export interface User {
  id: string
  email: string
  emailVerified: boolean
  name: string
  role: 'member' | 'staff'
  createdAt: string
}

/** A device on which a person is signed in. `current` marks the device that sent the request. */
export interface Session {
  id: string
  device: string
  createdAt: string
  lastSeenAt: string
  current: boolean
}

export interface Passkey {
  id: string
  name: string
  createdAt: string
  lastUsedAt: string | null
}

export interface SignInMethods {
  password: boolean
  emailCode: boolean
  passkey: boolean
  oauth: { id: string; title: string }[]
}

/** Settings that any visitor can read. */
export interface SignInSettings {
  openSignup: boolean
  passwordMin: number
  /** Whether signing up with a password requires a code that was sent to the address. */
  confirmAddress: boolean
  methods: SignInMethods
}

export interface PasskeyOptions {
  /** Random bytes, encoded as base64url. */
  challenge: string
  rpId: string
  timeoutMs: number
}

/** A new passkey; bytes are encoded as base64url. */
export interface NewCredential {
  id: string
  publicKey: string
  algorithm: number
  clientData: string
  authenticatorData: string
}

/** A signature by a passkey; bytes are encoded as base64url. */
export interface Assertion {
  id: string
  userHandle: string
  clientData: string
  authenticatorData: string
  signature: string
}

/** `session` is null when the sign-in failed; the page at `to` shows why. */
export interface OauthResult {
  session: SignInResult | null
  to: string
}

/** `token` is stored in a cookie that scripts cannot read. */
export interface SignInResult {
  user: User
  token: string
  /** An ISO 8601 timestamp. */
  expiresAt: string
}

interface DeviceVisit {
  device: string
  /** The sender's network address as Cloudflare reports it; empty when unknown. */
  from: string
}

/** The token of an invitation. Workers of older releases do not send it. */
interface InviteOption {
  invite?: unknown
}

export type NewAccount = DeviceVisit & InviteOption & { email: unknown; password: unknown; name: unknown }

/**
 * RPC calls about people and sessions. The app's worker sends them to the live worker, which stores people and sessions. Deployed older
 * releases still send these calls, so add calls but never change or remove one. A field of type `unknown` comes unchecked from a request:
 * the handler of the call validates it.
 */
export interface AuthCalls {
  settings: { ask: null; answer: SignInSettings }
  /** Sends a code to an address without an account, and a notice to an address with an account. The result is the same for both. */
  sendSignUp: { ask: NewAccount; answer: { sent: true } }
  /** `code` is required when `confirmAddress` is on. Older releases do not send it. */
  signUp: { ask: NewAccount & { code?: unknown }; answer: SignInResult }
  signIn: { ask: DeviceVisit & { email: unknown; password: unknown }; answer: SignInResult }
  /**
   * Null without a valid session. `renewed` is the extended session; null when it was not extended. `renews` is false for a caller that
   * cannot store a renewed session in the cookie. Older releases do not send it.
   */
  me: {
    ask: { session: string; renews?: boolean }
    answer: { user: User; renewed: SignInResult | null } | null
  }
  signOut: { ask: { session: string }; answer: null }
  /** Signs in a member of the operator's organization. Only the service can create the token. */
  handover: { ask: { token: unknown; device: string }; answer: SignInResult }
  update: { ask: { session: string; name: unknown }; answer: User }
  changePassword: {
    ask: { session: string; current: unknown; next: unknown; device: string }
    answer: SignInResult
  }
  sessions: { ask: { session: string }; answer: Session[] }
  revoke: { ask: { session: string; id: string }; answer: null }
  sendCode: { ask: InviteOption & { email: unknown; from: string }; answer: { sent: true } }
  confirmCode: { ask: DeviceVisit & InviteOption & { email: unknown; code: unknown }; answer: SignInResult }
  sendVerify: { ask: { session: string; from: string }; answer: { sent: true } }
  confirmVerify: { ask: { session: string; code: unknown }; answer: User }
  /** `origin` is the app's own origin, used for the link in the message. */
  requestReset: { ask: { email: unknown; origin: string; from: string }; answer: { sent: true } }
  reset: { ask: { token: unknown; password: unknown; from: string }; answer: null }
  passkeyOptions: { ask: { origin: string; from: string }; answer: PasskeyOptions }
  newPasskeyOptions: {
    ask: { session: string; origin: string }
    answer: PasskeyOptions & { user: { id: string; name: string; displayName: string }; known: string[] }
  }
  addPasskey: {
    ask: { session: string; origin: string; name: unknown; credential: unknown }
    answer: Passkey
  }
  signInPasskey: { ask: DeviceVisit & { origin: string; credential: unknown }; answer: SignInResult }
  passkeys: { ask: { session: string }; answer: Passkey[] }
  removePasskey: { ask: { session: string; id: string }; answer: null }
  /** `ticket` is stored in a cookie, so that only the browser that starts the sign-in can finish it. */
  oauthStart: {
    ask: { provider: string; origin: string; returnTo: string; from: string }
    answer: { url: string; ticket: string }
  }
  oauthFinish: {
    ask: DeviceVisit & { provider: string; state: string; code: string; ticket: string }
    answer: OauthResult
  }
  find: { ask: { id: string }; answer: User | null }
  rename: { ask: { id: string; name: unknown }; answer: User }
  signOutAll: { ask: { id: string }; answer: null }
}

/** `mail` holds the messages that a preview shows instead of sending. */
export type AuthAnswer<Kind extends keyof AuthCalls> =
  | { ok: true; value: AuthCalls[Kind]['answer']; mail?: InboxMail[] }
  | { ok: false; error: Failure }

export interface AuthBinding {
  auth<Kind extends keyof AuthCalls>(kind: Kind, ask: AuthCalls[Kind]['ask']): Promise<AuthAnswer<Kind>>
}

/** The state of a sign-in, stored while the person is at the provider. */
export interface OauthSignIn {
  provider: string
  verifier: string
  nonce: string
  redirectUri: string
  /** The hash of the ticket in a cookie of the browser that began the sign-in. */
  ticket: string
  returnTo: string
  origin: string
}

/** The message was accepted. `preview` is the message itself. Only a preview sets this field, because a preview sends no messages. */
export interface SentMessage {
  sent: true
  preview?: { subject: string; text: string }
}
