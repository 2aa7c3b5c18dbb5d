import { Hono } from 'hono'
import * as z from 'zod'
import type { Cloud } from '../cloudflare/rest/context.ts'

const OfAccount = z.object({ account: z.string() })
const Narrow = OfAccount.extend({ scopes: z.array(z.string()) })

/** The life of an account's credentials: taken away, run out, made narrower. */
export function tokenControl({ store, now }: Cloud): Hono {
  return new Hono()
    .post('/revoke', async (c) => {
      const { account } = OfAccount.parse(await c.req.json())
      const count = store.run('UPDATE tokens SET revoked_at = ? WHERE account_id = ?', now(), account)
      return c.json({ tokens: count })
    })
    .post('/expire', async (c) => {
      const { account } = OfAccount.parse(await c.req.json())
      // Access tokens only: a refresh gives the next one, as after an hour.
      const sql = `UPDATE tokens SET expires_at = ? WHERE account_id = ? AND kind = 'access'`
      return c.json({ tokens: store.run(sql, now() - 1, account) })
    })
    .post('/narrow', async (c) => {
      const { account, scopes } = Narrow.parse(await c.req.json())
      const sql = 'UPDATE tokens SET scopes = ? WHERE account_id = ?'
      return c.json({ tokens: store.run(sql, JSON.stringify(scopes), account) })
    })
}
