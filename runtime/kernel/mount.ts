import type { Hono } from 'hono'
import type { AdminContext } from './admin.ts'

/** The part of a capability in the app's worker, below `/_app/<key>`; `runtime/<key>/mount.ts` exports it as `mount`. */
export interface Mount {
  routes: Hono
  /** Whether the body of a request is streamed on and has a limit of its own. */
  isStream?: (method: string, pathname: string) => boolean
}

/** The part of a capability in the admin worker, below `/<key>`; `runtime/<key>/operator.ts` exports it as `operator`. */
export type OperatorRoutes = Hono<AdminContext>
