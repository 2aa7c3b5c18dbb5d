import type { Hono } from 'hono'
import type { Hono as TinyHono } from 'hono/tiny'
import type { AdminContext } from '../objects/admin.ts'

/** The routes of a capability in the app's worker under `/_app/<key>`. `runtime/<key>/mount.ts` exports them as `mount`. */
export interface Mount {
  routes: Hono
  /**
   * Returns whether the route with this method and path streams the body of its requests and limits the size
   * itself.
   */
  isStream?: (method: string, pathname: string) => boolean
}

/** The routes of a capability in the admin worker. They use the smallest router of Hono, because the service sends few requests. */
export type OperatorRoutes = TinyHono<AdminContext>
