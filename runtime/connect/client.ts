import type { ProviderId } from '../types.gen.ts'
import { callRoute } from '../web/api.ts'
import type { Connection, UnlinkResult } from './types.ts'

export type { Connection, UnlinkResult, UnlinkResult as Unlinked } from './types.ts'

/** The connections of the person who is signed in. */
export interface BrowserConnect {
  /**
   * Navigates to the service's consent page, which returns to `returnTo`, a path of the app, with `?connect=` set to `linked`, `cancelled`,
   * `failed` or `expired`.
   */
  link(provider: ProviderId, options?: { returnTo?: string }): void
  list(): Promise<Connection[]>
  /** Removes the connection, and revokes the grant at the service if possible. */
  unlink(provider: ProviderId): Promise<UnlinkResult>
  /** Stores an API key, for a service that uses keys. */
  saveKey(provider: ProviderId, key: string): Promise<Connection>
}

const CONNECT_PATH = '/_app/connect'
/** Encode the name: it may come from the page's URL, and must not lead to another route. */
const pathOf = (provider: ProviderId) => `${CONNECT_PATH}/${encodeURIComponent(provider)}`

export const connect: BrowserConnect = {
  link(provider, { returnTo = location.pathname } = {}) {
    location.assign(`${pathOf(provider)}/start?${new URLSearchParams({ returnTo })}`)
  },
  list: () => callRoute('GET', CONNECT_PATH),
  unlink: (provider) => callRoute('DELETE', pathOf(provider)),
  saveKey: (provider, key) => callRoute('POST', `${pathOf(provider)}/key`, { key }),
}
