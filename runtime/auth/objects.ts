import type { SyncStorage } from 'cloudflare:workers'
import type { Person, SessionToken } from '../kernel/actor.ts'
import type { Hold } from '../kernel/hold.ts'
import { Account, type AccountDump, type OpenedSession, type StoredAccount } from './account.ts'
import type { Session, User } from './types.ts'
import { type ListedUser, UserList } from './user-list.ts'
import { Visits } from './visits.ts'

/** An account as it leaves its object: without the password. */
export type AccountView = Omit<StoredAccount, 'password'>

/** Calls of the object of one person. */
export interface AccountCalls {
  create: { ask: StoredAccount; answer: void }
  read: { ask: null; answer: AccountView | null }
  /** As `hashPassword` returned it; null without an account. */
  password: { ask: null; answer: string | null }
  open: { ask: { device: string; days: number }; answer: OpenedSession }
  person: { ask: SessionToken; answer: Person | null }
  renew: { ask: { sessionId: string; days: number }; answer: string | null }
  sessions: { ask: { currentId: string | null }; answer: Session[] }
  end: { ask: { sessionId: string }; answer: boolean }
  endAll: { ask: { exceptId: string | null }; answer: void }
  setName: { ask: { name: string }; answer: void }
  setRole: { ask: { role: Person['role'] }; answer: void }
  setPassword: { ask: { password: string }; answer: void }
  /** Everything of the account as it is stored, for a move to another one. */
  dump: { ask: null; answer: AccountDump | null }
  restore: { ask: AccountDump; answer: void }
}

/** Calls of the directory about the people of a tier. */
export interface UserListCalls {
  reserve: { ask: User; answer: boolean }
  activate: { ask: { id: string }; answer: boolean }
  idOf: { ask: { email: string }; answer: string | null }
  find: { ask: { id: string }; answer: User | null }
  newest: { ask: { limit: number }; answer: ListedUser[] }
  listed: { ask: { id: string }; answer: ListedUser | null }
  change: { ask: { id: string; name?: string; role?: Person['role'] }; answer: void }
  /** Ends every way in, and keeps the entry until the rest is erased; false for an unknown person. */
  freeze: { ask: { id: string }; answer: boolean }
  remove: { ask: { id: string }; answer: boolean }
  /** Adds a person of another account. */
  take: { ask: { user: User }; answer: void }
  ids: { ask: null; answer: string[] }
  /** Whether changes are refused, because the app is being moved. */
  isHeld: { ask: null; answer: boolean }
  /** For how many seconds this network address has to wait. */
  visit: { ask: { from: string }; answer: number }
  attempt: { ask: { email: string }; answer: number }
  forgetAttempts: { ask: { email: string }; answer: void }
  opened: { ask: { id: string; sessionId: string; expiresAt: string }; answer: void }
  /** Without a session: all of this person. */
  ended: { ask: { id: string; sessionId?: string; exceptId?: string | null }; answer: void }
}

type Handlers<C extends { [Kind in keyof C]: { ask: unknown; answer: unknown } }> = {
  [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer']
}

/** Answers the calls of a person's object. */
export function accountHandlers(storage: SyncStorage): Handlers<AccountCalls> {
  const account = new Account(storage)
  return {
    create: (stored) => account.create(stored),
    read: () => viewOf(account.read()),
    password: () => account.read()?.password ?? null,
    open: ({ device, days }) => account.openSession(device, days, new Date()),
    person: (token) => account.person(token, new Date()),
    renew: ({ sessionId, days }) => account.renew(sessionId, days, new Date()),
    sessions: ({ currentId }) => account.sessions(currentId, new Date()),
    end: ({ sessionId }) => account.endSession(sessionId),
    endAll: ({ exceptId }) => account.endSessions(exceptId),
    setName: ({ name }) => account.setName(name),
    setRole: ({ role }) => account.setRole(role),
    setPassword: ({ password }) => account.setPassword(password),
    dump: () => account.dump(),
    restore: (dump) => account.restore(dump),
  }
}

/** Answers the directory's calls about people. */
export function userListHandlers(storage: SyncStorage, hold: Hold): Handlers<UserListCalls> {
  const users = new UserList(storage)
  const visits = new Visits()
  return {
    reserve: (user) => users.reserve(user),
    // A copy that began meanwhile has not seen this person.
    activate: ({ id }) => !hold.isHeld && users.activate(id),
    isHeld: () => hold.isHeld,
    idOf: ({ email }) => users.idOf(email),
    find: ({ id }) => users.find(id),
    newest: ({ limit }) => users.newest(limit, new Date().toISOString()),
    listed: ({ id }) => users.listed(id, new Date().toISOString()),
    change: ({ id, ...change }) => users.change(id, change),
    freeze: ({ id }) => users.freeze(id),
    remove: ({ id }) => users.remove(id),
    take: ({ user }) => users.take(user),
    ids: () => users.ids(),
    visit: ({ from }) => visits.count(from, Date.now()),
    attempt: ({ email }) => users.attempt(email, Date.now()),
    forgetAttempts: ({ email }) => users.forgetAttempts(email),
    opened: ({ id, sessionId, expiresAt }) =>
      users.opened(id, { sessionId, expiresAt, at: new Date().toISOString() }),
    ended: ({ id, ...which }) => users.ended(id, which),
  }
}

function viewOf(account: StoredAccount | null): AccountView | null {
  if (account === null) return null
  const { password: _password, ...view } = account
  return view
}
