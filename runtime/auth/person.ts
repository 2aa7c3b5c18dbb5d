import { formatSessionToken } from '../kernel/access/actor.ts'
import { ApiError } from '../kernel/errors.ts'
import { type AuthContext, type AuthHandlers, nameIn, textIn } from './context.ts'
import type { User } from './types.ts'

type PersonCalls = 'me' | 'signOut' | 'update' | 'sessions' | 'revoke' | 'find' | 'rename' | 'signOutAll'

/** Handlers for the sessions and the name of a person, however that person signed in. */
export function personHandlers(auth: AuthContext): AuthHandlers<PersonCalls> {
  const { settings, directory, account, require, userOf, endSession, endAll } = auth

  async function renamePerson(id: string, name: unknown): Promise<User> {
    await auth.requireOpen()
    const checked = nameIn(name)
    await userOf(id)
    await account(id).account('setName', { name: checked })
    await directory.users('change', { id, name: checked })
    return userOf(id)
  }

  return {
    me: async ({ session, renews = true }) => {
      const holder = await auth.holderOf(session)
      if (holder === null) return null
      const { userId: id, sessionId } = holder
      const user = await userOf(id)
      if (!renews) return { user, renewed: null }
      const renewal = await account(id).account('renew', { sessionId, days: settings.sessionDays })
      if (renewal === null) return { user, renewed: null }
      const { expiresAt } = renewal
      const next = { ...holder, ...renewal }
      await directory.users('opened', { id, sessionId: next.sessionId, expiresAt })
      if (next.sessionId !== sessionId) await directory.users('ended', { id, sessionId })
      return { user, renewed: { user, token: formatSessionToken(next), expiresAt } }
    },

    signOut: async ({ session }) => {
      const holder = await auth.holderOf(session)
      if (holder !== null) await endSession(holder.userId, holder.sessionId)
      return null
    },

    update: async ({ session, name }) => renamePerson((await require(session)).userId, name),

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
    rename: async ({ id, name }) => renamePerson(id, name),
    signOutAll: async ({ id }) => {
      await userOf(id)
      await endAll(id)
      return null
    },
  }
}
