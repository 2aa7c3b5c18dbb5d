import { Hono } from 'hono'
import type { Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import * as z from 'zod'
import { hasSentinel } from '../../../faults/sentinels.ts'
import { localOwner, readAccount, reservedHostProblem } from '../../accounts/accounts.ts'
import {
  checkActivation,
  deleteZone,
  findZone,
  insertZone,
  listZones,
  nameServersOf,
  type Zone,
  zoneStatus,
} from '../../store/zones.ts'
import { requireScope } from '../../rest/authenticate.ts'
import { certificateRoutes } from './certificate-routes.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { dnsRecordRoutes } from './dns-record-routes.ts'
import { isHostname, toAsciiName } from './names.ts'
import { respond, isoTime, respondWithPage } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { matchesName, sortList } from '../../rest/list-filters.ts'
import { readBody } from '../../rest/read-body.ts'

const NewZone = z.object({
  name: z.string().transform(toAsciiName),
  account: z.object({ id: z.string() }).optional(),
})

/** `emailRoutes` are the routes below `/zones/:zone/email`. */
export function zoneRoutes(cloud: Cloud, emailRoutes: Hono<ApiEnv>): Hono<ApiEnv> {
  const one = new Hono<ApiEnv>()
    .use(requireOwnZone(cloud))
    .route(
      '/dns_records',
      new Hono<ApiEnv>().use(requireScope('dns.write')).route('/', dnsRecordRoutes(cloud)),
    )
    .route(
      '/ssl/certificate_packs',
      new Hono<ApiEnv>().use(requireScope('ssl-and-certificates.write')).route('/', certificateRoutes(cloud)),
    )
    .route('/email', emailRoutes)
    .use(requireScope('zone.write'))
    .get('/', (c) => respond(c, toZone(cloud, c.get('zone'))))
    .delete('/', (c) => {
      deleteZone(cloud.store, c.get('zone'))
      cloud.apps.hosts.clear()
      return respond(c, { id: c.get('zone').id })
    })
    .put('/activation_check', (c) => {
      const zone = c.get('zone')
      // A zone whose name contains `fail-zone` is never activated.
      if (cloud.faults === null || !hasSentinel(zone.name, 'fail-zone'))
        checkActivation(cloud.store, zone, { now: cloud.now(), timeScale: cloud.timeScale })
      return respond(c, { id: zone.id })
    })
  return new Hono<ApiEnv>()
    .get('/', requireScope('zone.write'), (c) => listZonePage(cloud, c))
    .post('/', requireScope('zone.write'), async (c) => {
      const input = await readBody(c, NewZone)
      const { accountId: first, accountIds } = c.get('token')
      const accountId = input.account?.id ?? first
      if (!accountIds.includes(accountId)) throw new ApiFailure(403, 10000, 'Authentication error')
      return respond(c, toZone(cloud, createZone(cloud, accountId, input.name)))
    })
    .route('/:zone', one)
}

/** Responds with 403 when the zone in the path belongs to another account or does not exist. */
function requireOwnZone(cloud: Cloud) {
  return createMiddleware<ApiEnv>(async (c, next) => {
    const id = c.req.param('zone') ?? ''
    const zone = c
      .get('token')
      .accountIds.map((accountId) => findZone(cloud.store, accountId, id))
      .find((found) => found !== null)
    const account = zone === undefined ? null : readAccount(cloud.store, zone.accountId)
    if (zone === undefined || account === null)
      throw new ApiFailure(403, 9109, 'Unauthorized to access requested resource')
    c.set('zone', zone)
    c.set('account', account)
    await next()
  })
}

function listZonePage(cloud: Cloud, c: Context<ApiEnv>): Response {
  const zones = c.get('token').accountIds.flatMap((accountId) => listZones(cloud.store, accountId))
  const statusOf = (zone: Zone) => zoneStatus(zone, cloud.now())
  const accountName = (zone: Zone) => readAccount(cloud.store, zone.accountId)?.name ?? ''
  const { name, status, match, 'account.id': accountId, 'account.name': account } = c.req.query()
  const tests: ((zone: Zone) => boolean)[] = [
    ...(name === undefined ? [] : [(zone: Zone) => matchesName(zone.name, asciiFilter(name))]),
    ...(status === undefined ? [] : [(zone: Zone) => statusOf(zone) === status]),
    ...(accountId === undefined ? [] : [(zone: Zone) => zone.accountId === accountId]),
    ...(account === undefined ? [] : [(zone: Zone) => matchesName(accountName(zone), account)]),
  ]
  const found = zones.filter((zone) =>
    match === 'any' && tests.length > 0
      ? tests.some((isMatch) => isMatch(zone))
      : tests.every((isMatch) => isMatch(zone)),
  )
  const sorted = sortList(c, found, {
    name: (zone) => zone.name,
    status: statusOf,
    'account.id': (zone) => zone.accountId,
    'account.name': accountName,
    'plan.id': () => '',
  })
  return respondWithPage(
    c,
    sorted.map((zone) => toZone(cloud, zone)),
  )
}

/** Converts the name in a filter, which may begin with an operator, as in `contains:bücher`. */
const asciiFilter = (filter: string): string =>
  filter.replace(/^(\w+:)?(.*)$/s, (whole, operator = '', name: string) =>
    /[^\0-\x7f]/.test(name) ? operator + toAsciiName(name) : whole,
  )

function createZone(cloud: Cloud, accountId: string, name: string): Zone {
  if (!isHostname(name)) throw new ApiFailure(400, 1001, `Invalid zone name: ${name}`)
  const problem = reservedHostProblem(cloud.store, name)
  if (problem !== null) throw new ApiFailure(400, 1099, problem)
  if (listZones(cloud.store, accountId).some((zone) => zone.name === name))
    throw new ApiFailure(400, 1061, `${name} already exists`)
  return insertZone(cloud.store, { accountId, name, state: 'pending', at: cloud.now() })
}

function toZone(cloud: Cloud, zone: Zone): object {
  const status = zoneStatus(zone, cloud.now())
  const account = readAccount(cloud.store, zone.accountId)
  return {
    id: zone.id,
    name: zone.name,
    status,
    paused: false,
    type: 'full',
    development_mode: 0,
    name_servers: nameServersOf(zone),
    original_name_servers: null,
    original_registrar: null,
    original_dnshost: null,
    created_on: isoTime(zone.createdAt),
    modified_on: isoTime(zone.activeAt ?? zone.createdAt),
    activated_on: status === 'active' ? isoTime(zone.activeAt ?? zone.createdAt) : null,
    meta: {
      step: 2,
      custom_certificate_quota: 0,
      page_rule_quota: 3,
      phishing_detected: false,
      multiple_railguns_allowed: false,
    },
    owner: { id: localOwner.id, type: 'user', email: localOwner.email },
    account: { id: zone.accountId, name: account?.name ?? '' },
    permissions: ['#zone:read', '#zone:edit'],
    plan: { id: '0feeeeeeeeeeeeeeeeeeeeeeeeeeeeee', name: 'Free Website', price: 0, currency: 'USD' },
  }
}
