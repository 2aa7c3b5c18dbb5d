import { Hono } from 'hono'
import type { Context } from 'hono'
import * as z from 'zod'
import { deleteDomain, findDomain, listDomains } from './store.ts'
import { attachDomain, type DomainInput, planDomains, replaceDomains } from './attach.ts'
import type { CustomDomain } from './store.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { respond, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { findScriptOrRefuse } from '../../rest/find-script.ts'
import { toAsciiName } from '../zones/names.ts'

const Hostname = z.string().transform(toAsciiName)
const Attachment = z.object({
  hostname: Hostname,
  service: z.string(),
  zone_id: z.string().optional(),
  zone_name: z.string().optional(),
})
const Origin = z.object({
  hostname: Hostname,
  zone_id: z.string().optional(),
  zone_name: z.string().optional(),
  enabled: z.boolean().optional(),
  previews_enabled: z.boolean().optional(),
})
const Records = z.object({
  override_existing_origin: z.boolean().default(false),
  override_existing_dns_record: z.boolean().default(false),
  origins: z.array(Origin),
})

/** Custom domains of workers, mounted at /workers/domains. An attached name also gets a DNS record and a certificate. */
export function domainRoutes(cloud: Cloud): Hono<ApiEnv> {
  const requireDomain = (c: Context<ApiEnv>): CustomDomain => {
    const domain = findDomain(cloud.store, c.get('account').id, c.req.param('domain') ?? '')
    if (domain === null) throw new ApiFailure(404, 100114, 'This domain does not exist on your account.')
    return domain
  }
  const listShapes = (c: Context<ApiEnv>) => listMatching(cloud, c).map(toDomainJson)
  return (
    new Hono<ApiEnv>()
      .get('/', (c) => respond(c, listShapes(c)))
      .put('/', async (c) => {
        const { service, ...input } = await readBody(c, Attachment)
        // As at the provider, a host name that is attached to another worker is moved to the requested worker. A DNS
        // record of the user is never replaced.
        const overrides = { origin: true, dns: false }
        const domain = attachDomain(cloud, c.get('account'), service, toInput(input), overrides)
        return respond(c, toDomainJson(domain))
      })
      // `respondWithPage` accepts page 0, which wrangler requests.
      .get('/records', (c) => respondWithPage(c, listShapes(c)))
      .get('/records/:domain', (c) => respond(c, toDomainJson(requireDomain(c))))
      .get('/:domain', (c) => respond(c, toDomainJson(requireDomain(c))))
      .delete('/:domain', (c) => {
        deleteDomain(cloud.store, requireDomain(c))
        cloud.apps.hosts.clear()
        return respond(c, null)
      })
  )
}

/** The routes that wrangler uses, mounted below the script of a worker. */
export function scriptDomainRoutes(cloud: Cloud): Hono<ApiEnv> {
  return new Hono<ApiEnv>()
    .post('/domains/changeset', async (c) => {
      const inputs = (await readBody(c, z.array(Origin))).map(toInput)
      const plan = planDomains(cloud, c.get('account'), findScriptOrRefuse(cloud, c), inputs)
      const removed = c.req.query('replace_state') === 'true' ? plan.removed : []
      return respond(c, {
        added: plan.added.map((input) => ({
          ...input,
          service: c.req.param('script'),
          environment: 'production',
        })),
        removed: removed.map(toDomainJson),
        updated: plan.updated.map(({ domain, isModified }) => ({
          ...toDomainJson(domain),
          modified: isModified,
        })),
        conflicting: plan.conflicting,
      })
    })
    .put('/domains/records', async (c) => {
      const body = await readBody(c, Records)
      const overrides = { origin: body.override_existing_origin, dns: body.override_existing_dns_record }
      const script = findScriptOrRefuse(cloud, c)
      const domains = replaceDomains(cloud, c.get('account'), script, body.origins.map(toInput), overrides)
      return respond(c, domains.map(toDomainJson))
    })
}

const toInput = (origin: z.output<typeof Origin>): DomainInput => ({
  hostname: origin.hostname,
  zoneId: origin.zone_id,
  zoneName: origin.zone_name,
  isEnabled: origin.enabled,
  hasPreviews: origin.previews_enabled,
})

function listMatching(cloud: Cloud, c: Context<ApiEnv>): CustomDomain[] {
  const { hostname, service, zone_id: zoneId, zone_name: zoneName } = c.req.query()
  return listDomains(cloud.store, c.get('account').id).filter(
    (domain) =>
      (hostname === undefined || domain.hostname === toAsciiName(hostname)) &&
      (service === undefined || domain.service === service) &&
      (zoneId === undefined || domain.zoneId === zoneId) &&
      (zoneName === undefined || domain.zoneName === zoneName) &&
      // For tests, a name such as `late-3s.example.com` is missing in lists for three seconds after its attachment, as when the provider
      // reads from a stale replica.
      cloud.now() >= domain.createdAt + (cloud.faults?.visibilityDelayMs(domain.hostname) ?? 0),
  )
}

function toDomainJson(domain: CustomDomain): object {
  return {
    id: domain.id,
    cert_id: domain.certificateId,
    hostname: domain.hostname,
    service: domain.service,
    environment: 'production',
    zone_id: domain.zoneId,
    zone_name: domain.zoneName,
    enabled: domain.isEnabled,
    previews_enabled: domain.hasPreviews,
  }
}
