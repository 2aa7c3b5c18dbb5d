import type { Person } from '../kernel/access/actor.ts'
import { accountOf, directoryOf, type Tier } from '../kernel/objects/objects.ts'
import type { OperatorContext, Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, MadeMethods } from './object-types.ts'
import { accountHandlers, userListHandlers } from './objects/objects.ts'
import { setRole } from './objects/role.ts'
import { authSettingsOf } from './settings.ts'
import { closeSocketsOf } from './objects/sockets-of.ts'
import type { ListedUser, PeopleQuery } from './objects/user-list.ts'

interface AuthReads {
  /** Returns the people, newest first. */
  users(tier: Tier, limit: number): Promise<ListedUser[]>
  /** Returns one page of the people who match a search, newest first. */
  people(tier: Tier, ask: PeopleQuery): Promise<ListedUser[]>
  /**
   * Sets a person's role. The role applies from the person's next request on. The person's open sockets are closed, so that pages reconnect
   * with the new role.
   */
  setRole(tier: Tier, userId: string, role: Person['role']): Promise<ListedUser>
}

const createAccountHandlers = ({ ctx }: PartContext) => accountHandlers(ctx.storage)
const createUserListHandlers = ({ ctx, hold }: PartContext) => userListHandlers(ctx.storage, hold)

export const part: Part<MadeMethods, Head, AuthReads, 'account' | 'users' | 'isPerson'> = {
  members: {
    account: (parts) => parts.once(createAccountHandlers),
    users: (parts) => parts.once(createUserListHandlers),
    isPerson: (parts) => parts.once(createAccountHandlers).read(null) !== null,
  },
  methods: {
    account: (parts) => async (kind, ask) => parts.once(createAccountHandlers)[kind](ask),
    users: (parts) => async (kind, ask) => parts.once(createUserListHandlers)[kind](ask),
  },
  reads: {
    users: (at) => async (tier, limit) => {
      const listed = await directoryOf(at.objects, tier).users('newest', { limit })
      return listed.map((user) => withMailedCode(at, user))
    },
    people: (at) => async (tier, ask) => {
      const listed = await directoryOf(at.objects, tier).users('page', ask)
      return listed.map((user) => withMailedCode(at, user))
    },
    setRole: (at) => async (tier, userId, role) =>
      withMailedCode(at, await setRole(at.objects, tier, userId, role)),
  },
  erasure: {
    count: async ({ objects, tier, userId }) => {
      const account = accountOf(objects, tier, userId)
      const { length: sessions } = await account.account('sessions', { currentId: null })
      const { length: passkeys } = await account.account('passkeys', null)
      const traces = await directoryOf(objects, tier).users('countTraces', { id: userId })
      return { removed: { account: 1, sessions, passkeys, ...traces } }
    },
    erase: async ({ objects, tier, userId }) => {
      await accountOf(objects, tier, userId).account('endAll', { exceptId: null })
      await closeSocketsOf(objects, tier, userId)
    },
    // The entry in the list is removed last of all, after the erasure of every capability.
    forget: async ({ objects, tier, userId }) => {
      const directory = directoryOf(objects, tier)
      await directory.users('unlink', { id: userId })
      await directory.users('forgetMail', { id: userId })
    },
  },
  moves: {
    account: (parts) => parts.once(createAccountHandlers),
  },
}

/** Adds the sign-in by a mailed code, which no account stores as a method because it works for every account. */
function withMailedCode({ env }: OperatorContext, user: ListedUser): ListedUser {
  const isByCode = authSettingsOf(env).methods.emailCode
  return { ...user, methods: [...user.methods, ...(isByCode ? ['emailCode'] : [])] }
}
