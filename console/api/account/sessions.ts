import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { readAuth, sendAuth } from '../request/auth-messages.ts'

/** A signed-in browser. The token only identifies the session: it cannot be used as a cookie, because cookies are signed. */
export interface DeviceSession {
  id: string
  token: string
  createdAt: string
  expiresAt: string
  ipAddress: string | null
  userAgent: string | null
}

/** The sessions of this user, newest first. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.sessions,
    queryFn: async () => {
      const sessions = await readAuth<DeviceSession[]>('/list-sessions')
      return sessions.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
  })

/** Ends another session; its next request gets a 401. */
export const revokeSession = (token: string) => sendAuth('/revoke-session', { token })

/** Ends all sessions of the user except the one of this browser. */
export const revokeOtherSessions = () => sendAuth('/revoke-other-sessions')
