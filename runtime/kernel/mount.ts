import type { Hono } from 'hono'
import type { AdminContext } from './admin.ts'

/** The routes of a capability in the app's worker under `/_app/<key>`. `runtime/<key>/mount.ts` exports them as `mount`. */
export interface Mount {
  routes: Hono
  /** Returns whether the mount streams the request's body and limits it itself. */
  isStream?: (method: string, pathname: string) => boolean
}

export type OperatorRoutes = Hono<AdminContext>
