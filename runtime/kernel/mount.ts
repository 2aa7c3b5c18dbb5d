import type { Hono } from 'hono'
import type { AdminContext } from './admin.ts'

/** The routes of a capability in the app's worker under `/_app/<key>`. `runtime/<key>/mount.ts` exports them as `mount`. */
export interface Mount {
  routes: Hono
  /** Returns whether these routes stream the request's body and limit it themselves. */
  isStream?: (method: string, pathname: string) => boolean
}

export type OperatorRoutes = Hono<AdminContext>
