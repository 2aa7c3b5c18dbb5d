import { Hono } from 'hono'
import * as z from 'zod'
import type { ApiCloud } from '../cloudflare/routes.ts'
import { CERTIFICATE_STATES, setCertificateState } from '../cloudflare/products/zones/certificates.ts'
import { listZonesByName, setZoneState } from '../cloudflare/store/zones.ts'

const ZoneTo = z.object({
  /** Required when several accounts have a zone of this name. */
  account: z.string().optional(),
  to: z.enum(['initializing', 'pending', 'active', 'moved']).default('active'),
})
const CertificateTo = z.object({ to: z.enum(CERTIFICATE_STATES).default('active') })

/** Routes that set the state of zones and certificates. */
export function domainControl({ store, apps }: ApiCloud): Hono {
  const readJson = async (c: { req: { text(): Promise<string> } }): Promise<unknown> =>
    JSON.parse((await c.req.text()) || '{}')
  return new Hono()
    .post('/zones/:name/advance', async (c) => {
      const { to, account } = ZoneTo.parse(await readJson(c))
      const zones = listZonesByName(store, c.req.param('name')).filter(
        (zone) => account === undefined || zone.accountId === account,
      )
      for (const zone of zones) setZoneState(store, zone, to)
      apps.hosts.clear()
      return c.json({ zones: zones.length })
    })
    .post('/certificates/:host/advance', async (c) => {
      const { to } = CertificateTo.parse(await readJson(c))
      return c.json({ certificates: setCertificateState(store, c.req.param('host'), to) })
    })
}
