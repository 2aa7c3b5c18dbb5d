import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import { requireScope } from '../../rest/authenticate.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { isoTime, respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'

interface CallsApp {
  uid: string
  name: string
  secret: string
  created_at: number
  modified_at: number
}
const Input = z.object({ name: z.string().max(254).default('') })

/**
 * The API for TURN keys and for the media server's apps, mounted at /calls. Only the response to a creation
 * contains the secret.
 */
export function callsRoutes(cloud: Cloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .use(requireScope('calls.write'))
    .route('/apps', itemRoutes(cloud, 'apps', 'secret'))
    .route('/turn_keys', itemRoutes(cloud, 'turn_keys', 'key'))
}

function itemRoutes({ store, now }: Cloud, kind: string, secretField: string): Hono<ApiEnv> {
  const requireItem = (c: Context<ApiEnv>): CallsApp => {
    const sql = 'SELECT * FROM calls_items WHERE account_id = ? AND kind = ? AND uid = ?'
    const item = store.get<CallsApp>(sql, c.get('account').id, kind, c.req.param('uid') ?? '')
    if (item === undefined) throw new ApiFailure(404, 10404, 'Not found.')
    return item
  }
  return new Hono<ApiEnv>()
    .get('/', (c) => {
      const sql = 'SELECT * FROM calls_items WHERE account_id = ? AND kind = ? ORDER BY created_at, uid'
      return respond(c, store.all<CallsApp>(sql, c.get('account').id, kind).map(toItem))
    })
    .post('/', async (c) => {
      const { name } = await readBody(c, Input)
      const at = now()
      const item = { uid: hexId(), name, secret: `${hexId()}${hexId()}`, created_at: at, modified_at: at }
      store.run(
        'INSERT INTO calls_items VALUES (?, ?, ?, ?, ?, ?, ?)',
        item.uid,
        c.get('account').id,
        kind,
        name,
        item.secret,
        at,
        at,
      )
      return respond(c, { ...toItem(item), [secretField]: item.secret })
    })
    .get('/:uid', (c) => respond(c, toItem(requireItem(c))))
    .put('/:uid', async (c) => {
      const item = { ...requireItem(c), ...(await readBody(c, Input)), modified_at: now() }
      const sql = 'UPDATE calls_items SET name = ?, modified_at = ? WHERE uid = ?'
      store.run(sql, item.name, item.modified_at, item.uid)
      return respond(c, toItem(item))
    })
    .delete('/:uid', (c) => {
      const item = requireItem(c)
      store.run('DELETE FROM calls_items WHERE uid = ?', item.uid)
      return respond(c, toItem(item))
    })
}

const toItem = ({ uid, name, created_at, modified_at }: CallsApp) => ({
  uid,
  name,
  created: isoTime(created_at),
  modified: isoTime(modified_at),
})
