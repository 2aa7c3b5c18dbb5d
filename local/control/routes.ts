import { timingSafeEqual } from 'node:crypto'
import * as z from 'zod'
import { Hono } from 'hono'
import type { ApiCloud } from '../cloudflare/routes.ts'
import { createAccount, listAccounts } from '../cloudflare/accounts/accounts.ts'
import type { WorldClock } from '../world/clock.ts'
import { listAccount, processControl } from './apps.ts'
import { domainControl } from './domains.ts'
import { FaultRule } from '../faults/faults.ts'
import { issueToken } from '../cloudflare/accounts/tokens.ts'

interface ControlOptions {
  cloud: ApiCloud
  clock: WorldClock
  token: string
}

const Advance = z.object({ advanceMs: z.number().int().min(0) })
const NewAccount = z.object({
  name: z.string().min(1).default('test'),
  plan: z.enum(['free', 'paid']).default('paid'),
  scopes: z.array(z.string()).default([]),
  /** The API token of the new account, by default random. Set it when the service recognizes real Cloudflare tokens by their format. */
  token: z.string().min(8).optional(),
})

/** Routes for tests and development, mounted at /_control when the operator has enabled them. */
export function controlRoutes({ cloud, clock, token }: ControlOptions): Hono {
  const right = Buffer.from(`Bearer ${token}`)
  const app = new Hono()
  app.onError((error, c) => c.json({ error: error.message }, 400))
  return app
    .use(async (c, next) => {
      const given = Buffer.from(c.req.header('authorization') ?? '')
      if (given.length !== right.length || !timingSafeEqual(given, right)) {
        return c.json({ error: 'the control token is missing or wrong' }, 401)
      }
      return next()
    })
    .get('/ready', (c) => c.json({ ready: true, warm: cloud.apps.warm.length, starts: cloud.apps.starts }))
    .get('/journal', (c) => c.json({ entries: cloud.journal.read(Number(c.req.query('since') ?? 0)) }))
    .get('/faults', (c) => c.json({ faults: cloud.faults?.list() ?? [] }))
    .post('/faults', async (c) => {
      cloud.faults?.addRule(FaultRule.parse(await c.req.json()))
      return c.json({ faults: cloud.faults?.list() ?? [] }, 201)
    })
    .delete('/faults', (c) => {
      cloud.faults?.clear()
      return c.json({ faults: [] })
    })
    .route('/tokens', tokenControl(cloud))
    .route('/', processControl(cloud))
    .route('/', domainControl(cloud))
    .get('/resources', (c) => c.json(listAccount(cloud, c.req.query('account') ?? '')))
    .post('/clock', async (c) => {
      clock.advance(Advance.parse(await c.req.json()).advanceMs)
      return c.json({ now: clock.now() })
    })
    .get('/accounts', (c) => c.json({ accounts: listAccounts(cloud.store) }))
    .post('/accounts', async (c) => {
      const text = await c.req.text()
      const input = NewAccount.parse(text === '' ? {} : JSON.parse(text))
      const account = createAccount(cloud.store, { name: input.name, plan: input.plan, at: cloud.now() })
      const issued = issueToken(cloud.store, {
        kind: 'api',
        accountId: account.id,
        scopes: input.scopes,
        at: cloud.now(),
        ...(input.token !== undefined && { secret: input.token }),
      })
      return c.json({ account, token: issued.secret }, 201)
    })
}

const OfAccount = z.object({ account: z.string() })
const Narrow = OfAccount.extend({ scopes: z.array(z.string()) })

/** Routes that revoke an account's tokens, expire them, or reduce their scopes. */
function tokenControl({ store, now }: ApiCloud): Hono {
  return new Hono()
    .post('/revoke', async (c) => {
      const { account } = OfAccount.parse(await c.req.json())
      const count = store.run('UPDATE tokens SET revoked_at = ? WHERE account_id = ?', now(), account)
      return c.json({ tokens: count })
    })
    .post('/expire', async (c) => {
      const { account } = OfAccount.parse(await c.req.json())
      // Expires access tokens only, so that the client can and must refresh them, as after an hour.
      const sql = `UPDATE tokens SET expires_at = ? WHERE account_id = ? AND kind = 'access'`
      return c.json({ tokens: store.run(sql, now() - 1, account) })
    })
    .post('/narrow', async (c) => {
      const { account, scopes } = Narrow.parse(await c.req.json())
      const sql = 'UPDATE tokens SET scopes = ? WHERE account_id = ?'
      return c.json({ tokens: store.run(sql, JSON.stringify(scopes), account) })
    })
}
