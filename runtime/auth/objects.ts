import type { SyncStorage } from 'cloudflare:workers'
import type { Person, SessionToken } from '../kernel/actor.ts'
import { Account, type OpenedSession, type StoredAccount } from './account.ts'
import { hashPassword, isOutdated, isPassword } from './password.ts'
import type { Session, User } from './types.ts'
import { UserList } from './user-list.ts'

/** An account as it leaves its object: without the password. */
export type AccountView = Omit<StoredAccount, 'password'>

/** Calls of the object of one person. */
export interface AccountCalls {
  /** The password is given as typed. */
  create: { ask: AccountView & { password: string }; answer: null }
  read: { ask: null; answer: AccountView | null }
  /** False without an account, after as long. */
  check: { ask: { password: string }; answer: boolean }
  open: { ask: { device: string; days: number }; answer: OpenedSession }
  person: { ask: SessionToken; answer: Person | null }
  renew: { ask: { sessionId: string; days: number }; answer: string | null }
  sessions: { ask: { currentId: string | null }; answer: Session[] }
  end: { ask: { sessionId: string }; answer: boolean }
  endAll: { ask: { exceptId: string | null }; answer: null }
  setName: { ask: { name: string }; answer: null }
  setRole: { ask: { role: Person['role'] }; answer: null }
  setPassword: { ask: { password: string }; answer: null }
}

/** Calls of the directory about the people of a tier. */
export interface UserListCalls {
  reserve: { ask: User; answer: boolean }
  activate: { ask: { id: string }; answer: boolean }
  idOf: { ask: { email: string }; answer: string | null }
  find: { ask: { id: string }; answer: User | null }
  newest: { ask: { limit: number }; answer: ReturnType<UserList['newest']> }
  change: { ask: { id: string; name?: string; role?: Person['role'] }; answer: null }
  remove: { ask: { id: string }; answer: boolean }
  attempt: { ask: { email: string }; answer: number }
  forgetAttempts: { ask: { email: string }; answer: null }
  opened: { ask: { id: string; sessionId: string; expiresAt: string }; answer: null }
  /** Without a session: all of this person. */
  ended: { ask: { id: string; sessionId?: string; exceptId?: string | null }; answer: null }
}

type Handlers<C extends { [Kind in keyof C]: { ask: unknown; answer: unknown } }> = {
  [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] | Promise<C[Kind]['answer']>
}

/** Answers the calls of a person's object. */
export function accountHandlers(storage: SyncStorage): Handlers<AccountCalls> {
  const account = new Account(storage)
  return {
    create: async ({ password, ...view }) => {
      account.create({ ...view, password: await hashPassword(password) })
      return null
    },
    read: () => viewOf(account.read()),
    check: async ({ password }) => {
      const stored = account.read()?.password ?? null
      const isRight = await isPassword(password, stored)
      if (isRight && stored !== null && isOutdated(stored)) account.setPassword(await hashPassword(password))
      return isRight
    },
    open: ({ device, days }) => account.openSession(device, days, new Date()),
    person: (token) => account.person(token, new Date()),
    renew: ({ sessionId, days }) => account.renew(sessionId, days, new Date()),
    sessions: ({ currentId }) => account.sessions(currentId, new Date()),
    end: ({ sessionId }) => account.endSession(sessionId),
    endAll: ({ exceptId }) => done(account.endSessions(exceptId)),
    setName: ({ name }) => done(account.setName(name)),
    setRole: ({ role }) => done(account.setRole(role)),
    setPassword: async ({ password }) => done(account.setPassword(await hashPassword(password))),
  }
}

/** Answers the directory's calls about people. */
export function userListHandlers(storage: SyncStorage): Handlers<UserListCalls> {
  const users = new UserList(storage)
  return {
    reserve: (user) => users.reserve(user),
    activate: ({ id }) => users.activate(id),
    idOf: ({ email }) => users.idOf(email),
    find: ({ id }) => users.find(id),
    newest: ({ limit }) => users.newest(limit, new Date().toISOString()),
    change: ({ id, ...change }) => done(users.change(id, change)),
    remove: ({ id }) => users.remove(id),
    attempt: ({ email }) => users.attempt(email, Date.now()),
    forgetAttempts: ({ email }) => done(users.forgetAttempts(email)),
    opened: ({ id, sessionId, expiresAt }) =>
      done(users.opened(id, { sessionId, expiresAt, at: new Date().toISOString() })),
    ended: ({ id, ...which }) => done(users.ended(id, which)),
  }
}

const done = (_: void): null => null

function viewOf(account: StoredAccount | null): AccountView | null {
  if (account === null) return null
  const { password: _password, ...view } = account
  return view
}
