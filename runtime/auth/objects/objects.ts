import type { SyncStorage } from 'cloudflare:workers'
import type { Person, SessionToken } from '../../kernel/access/actor.ts'
import type { HandlersOf } from '../../kernel/objects/calls.ts'
import type { ErasureCounts } from '../../kernel/objects/erasure.ts'
import type { Hold } from '../../kernel/objects/hold.ts'
import { Account, type AccountDump, type OpenedSession, type Renewal, type StoredAccount } from './account.ts'
import type { Identity, StoredPasskey } from './credentials.ts'
import { type AnyOneTimeValue, type OneTimeValue, OneTimeValues } from './one-time.ts'
import { type InboxMail, MailStore } from '../../email/store.ts'
import type { Passkey, Session, User } from '../types.ts'
import { type ListedUser, type PeopleQuery, type UserChange, UserList } from './user-list.ts'
import { RequestLimiter } from '../../kernel/access/request-limiter.ts'

export type AccountWithoutPassword = Omit<StoredAccount, 'password'>

export interface AccountCalls {
  create: { ask: StoredAccount; answer: void }
  read: { ask: null; answer: AccountWithoutPassword | null }
  /** As returned by `hashPassword`; null without a password or without an account. */
  password: { ask: null; answer: string | null }
  open: { ask: { device: string; days: number }; answer: OpenedSession }
  person: { ask: SessionToken; answer: Person | null }
  renew: { ask: { sessionId: string; days: number }; answer: Renewal | null }
  sessions: { ask: { currentId: string | null }; answer: Session[] }
  end: { ask: { sessionId: string }; answer: boolean }
  endAll: { ask: { exceptId: string | null }; answer: void }
  setName: { ask: { name: string }; answer: void }
  setRole: { ask: { role: Person['role'] }; answer: void }
  setPassword: { ask: { password: string }; answer: void }
  setMember: { ask: { member: string }; answer: void }
  /** Marks the address as verified. Removes the password, the passkeys, the linked provider accounts and the sessions. */
  prove: { ask: null; answer: void }
  setVerified: { ask: null; answer: void }
  methods: { ask: null; answer: string[] }
  addPasskey: { ask: StoredPasskey; answer: boolean }
  /** Null when the passkey or the account does not exist. */
  passkey: { ask: { id: string }; answer: StoredPasskey | null }
  usePasskey: { ask: { id: string; counter: number }; answer: boolean }
  passkeys: { ask: null; answer: Passkey[] }
  removePasskey: { ask: { id: string; isLastKept: boolean }; answer: boolean }
  link: { ask: Identity; answer: void }
  /** Returns the account with its sessions and sign-in methods, for the move of an app to another cloud account. */
  dump: { ask: null; answer: AccountDump | null }
  restore: { ask: AccountDump; answer: void }
}

export interface UserListCalls {
  reserve: { ask: User; answer: boolean }
  activate: { ask: { id: string }; answer: boolean }
  /** Frees a reserved address for which no account was made. */
  release: { ask: { id: string }; answer: void }
  idOf: { ask: { email: string }; answer: string | null }
  find: { ask: { id: string }; answer: User | null }
  /** Returns names by person id. Leaves out people who do not exist. */
  names: { ask: { ids: string[] }; answer: Record<string, string> }
  newest: { ask: { limit: number }; answer: ListedUser[] }
  page: { ask: PeopleQuery; answer: ListedUser[] }
  listed: { ask: { id: string }; answer: ListedUser | null }
  linkMember: { ask: { member: string; userId: string }; answer: void }
  ofMember: { ask: { member: string }; answer: string | null }
  change: { ask: { id: string } & UserChange; answer: void }
  byIdentity: { ask: Identity; answer: string | null }
  link: { ask: { id: string; identity: Identity }; answer: boolean }
  unlink: { ask: { id: string }; answer: void }
  issue: { ask: AnyOneTimeValue; answer: void }
  redeem: { ask: Pick<OneTimeValue, 'purpose' | 'subject' | 'hash'>; answer: string | null }
  forgetOneTime: { ask: { email: string }; answer: void }
  /**
   * Stores a message for the operator to read. With null it does the same work and stores nothing, so that
   * the response time does not reveal whether the address has an account.
   */
  keepMail: { ask: InboxMail | null; answer: void }
  /** Removes the codes and links of a person and the messages to them. */
  forgetMail: { ask: { id: string }; answer: void }
  /** Blocks sign-in for a person; their entry stays until everything else is erased. Returns false for an unknown person. */
  freeze: { ask: { id: string }; answer: boolean }
  /** Returns how much data the erasure of this person removes and keeps; null while no counts are stored. */
  erasureOf: { ask: { id: string }; answer: ErasureCounts | null }
  /**
   * Stores how much data the erasure removes and keeps, unless counts are stored already. Returns the stored counts; null when the person
   * has no entry.
   */
  keepErasure: { ask: { id: string; counts: ErasureCounts }; answer: ErasureCounts | null }
  countTraces: { ask: { id: string }; answer: { identities: number; messages: number } }
  remove: { ask: { id: string }; answer: boolean }
  /** Adds a person who is copied from the app's previous cloud account. Idempotent. */
  take: {
    ask: { user: User; identities: Identity[] } & Pick<UserChange, 'methods' | 'broken'>
    answer: void
  }
  ids: { ask: null; answer: string[] }
  /** Returns true while changes are rejected because the app is being moved to another cloud account. */
  isHeld: { ask: null; answer: boolean }
  /** Returns how many seconds the network address `from` must wait; 0 when it may continue. */
  visit: { ask: { from: string }; answer: number }
  attempt: { ask: { email: string }; answer: number }
  forgetAttempts: { ask: { email: string }; answer: void }
  opened: { ask: { id: string; sessionId: string; expiresAt: string }; answer: void }
  /** Ends the session `sessionId`; without it, every session of the person except `exceptId`. */
  ended: { ask: { id: string; sessionId?: string; exceptId?: string | null }; answer: void }
}

export function accountHandlers(storage: SyncStorage): HandlersOf<AccountCalls> {
  const account = new Account(storage)
  return {
    create: (stored) => account.create(stored),
    read: () => toAccountView(account.read()),
    password: () => account.read()?.password ?? null,
    open: ({ device, days }) => account.openSession(device, days, new Date()),
    person: (token) => account.person(token, new Date()),
    renew: ({ sessionId, days }) => account.renew(sessionId, days, new Date()),
    sessions: ({ currentId }) => account.sessions(currentId, new Date()),
    end: ({ sessionId }) => account.endSession(sessionId),
    endAll: ({ exceptId }) => account.endSessions(exceptId),
    setName: ({ name }) => account.setName(name),
    setRole: ({ role }) => account.setRole(role, new Date()),
    setPassword: ({ password }) => account.setPassword(password),
    setMember: ({ member }) => account.setMember(member),
    prove: () => account.markVerified(),
    setVerified: () => account.setVerified(),
    methods: () => account.methods(),
    addPasskey: (passkey) => account.credentials.add(passkey),
    passkey: ({ id }) => (account.isThere ? account.credentials.find(id) : null),
    usePasskey: ({ id, counter }) => account.credentials.use(id, counter, new Date().toISOString()),
    passkeys: () => (account.isThere ? account.credentials.list() : []),
    removePasskey: ({ id, isLastKept }) => account.credentials.remove(id, isLastKept),
    link: (identity) => account.credentials.link(identity),
    dump: () => account.dump(),
    restore: (dump) => account.restore(dump),
  }
}

export function userListHandlers(storage: SyncStorage, hold: Hold): HandlersOf<UserListCalls> {
  const users = new UserList(storage)
  const signInLimiter = new RequestLimiter()
  const oneTime = new OneTimeValues(storage)
  const outbox = new MailStore(storage)
  return {
    reserve: (user) => users.reserve(user),
    // Return false while data is being copied: a copy that has begun would miss this person.
    activate: ({ id }) => !hold.isHeld && users.activate(id),
    release: ({ id }) => users.release(id),
    isHeld: () => hold.isHeld,
    linkMember: ({ member, userId }) => users.linkMember(member, userId),
    ofMember: ({ member }) => users.ofMember(member),
    idOf: ({ email }) => users.idOf(email),
    find: ({ id }) => users.find(id),
    names: ({ ids }) => users.names(ids),
    newest: ({ limit }) => users.newest(limit, new Date().toISOString()),
    page: (ask) => users.page(ask, new Date().toISOString()),
    listed: ({ id }) => users.listed(id, new Date().toISOString()),
    change: ({ id, ...change }) => users.change(id, change),
    freeze: ({ id }) => users.freeze(id),
    erasureOf: ({ id }) => users.erasureOf(id),
    keepErasure: ({ id, counts }) => users.keepErasure(id, counts),
    countTraces: ({ id }) => {
      const email = users.emailOf(id)
      return { identities: users.countLinks(id), messages: email === null ? 0 : outbox.count(email) }
    },
    remove: ({ id }) => users.remove(id),
    take: ({ user, identities, ...change }) => {
      users.take(user, identities)
      users.change(user.id, change)
    },
    byIdentity: (identity) => users.byIdentity(identity),
    link: ({ id, identity }) => users.link(id, identity),
    unlink: ({ id }) => users.unlink(id),
    issue: (value) => oneTime.issue(value, Date.now()),
    redeem: (value) => oneTime.redeem(value, Date.now()),
    forgetOneTime: ({ email }) => oneTime.forget(email),
    keepMail: (mail) => outbox.keep(mail, new Date()),
    forgetMail: ({ id }) => {
      const email = users.emailOf(id)
      if (email === null) return
      for (const whom of [id, email]) oneTime.forget(whom)
      outbox.forget(email)
    },
    ids: () => users.ids(),
    visit: ({ from }) => signInLimiter.count(from, Date.now()),
    attempt: ({ email }) => users.attempt(email, Date.now()),
    forgetAttempts: ({ email }) => users.forgetAttempts(email),
    opened: ({ id, sessionId, expiresAt }) =>
      users.opened(id, { sessionId, expiresAt, at: new Date().toISOString() }),
    ended: ({ id, ...which }) => users.ended(id, which),
  }
}

function toAccountView(account: StoredAccount | null): AccountWithoutPassword | null {
  if (account === null) return null
  const { password: _password, ...view } = account
  return view
}
