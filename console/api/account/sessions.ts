import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { readAuth, sendAuth } from '../request/auth-words.ts'

/** One browser that is signed in. The token names it and opens nothing: cookies carry a signature as well. */
export interface DeviceSession {
  id: string
  token: string
  createdAt: string
  expiresAt: string
  ipAddress: string | null
  userAgent: string | null
}

/** Where this person is signed in, the newest first. */
export const sessionsQuery = () =>
  queryOptions({
    queryKey: queryKeys.account.sessions,
    queryFn: async () => {
      const sessions = await readAuth<DeviceSession[]>('/list-sessions')
      return sessions.toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    },
  })

/** Signs one browser out, at its next request. */
export const revokeSession = (token: string) => sendAuth('/revoke-session', { token })

export const revokeOtherSessions = () => sendAuth('/revoke-other-sessions')
