import type { Hono } from 'hono'
import type { AdminContext } from './admin.ts'

/** The part of a capability in the app's worker, below `/_app/<key>`; `runtime/<key>/mount.ts` exports it as `mount`. */
export interface Mount {
  routes: Hono
  /** The mount streams the body of such a request on and limits it itself. */
  isStream?: (method: string, pathname: string) => boolean
}

export type OperatorRoutes = Hono<AdminContext>
