import { Hono } from 'hono'
import type { Context } from 'hono'
import { findScript } from '../../store/scripts.ts'
import type { ApiEnv, Cloud } from '../../rest/context.ts'
import { isoTime, respondWithPage, respond } from '../../rest/envelope.ts'
import { ApiFailure } from '../../rest/failure.ts'
import { readBody } from '../../rest/read-body.ts'
import { deleteRecord, insertRecord } from '../zones/dns-records.ts'
import { findWantedRecord, hasForeignMail, routingRecords } from './domains.ts'
import {
  deleteRule,
  disableRouting,
  enableRouting,
  findRule,
  isCatchAll,
  listRules,
  putRule,
  readRouting,
  type Rule,
  RuleInput,
  routingStatus,
} from './rules.ts'

/** Mounted at /zones/:zone/email/routing. */
export function routingRoutes(cloud: Cloud): Hono<ApiEnv> {
  const { store, now } = cloud
  const routingSettings = (c: Context<ApiEnv>) => {
    const zone = c.get('zone')
    const routing = readRouting(store, zone.id)
    const at = isoTime(routing?.enabledAt ?? zone.createdAt)
    return respond(c, {
      id: zone.id,
      tag: zone.id,
      name: zone.name,
      enabled: routing !== null,
      status: routingStatus(store, zone, now(), cloud.timeScale),
      created: at,
      modified: at,
      skip_wizard: true,
      support_subaddress: false,
    })
  }
  const enableWithRecords = (c: Context<ApiEnv>) => {
    const zone = c.get('zone')
    if (hasForeignMail(store, zone))
      throw new ApiFailure(400, 2008, 'The zone has MX records of another provider. Remove them first.')
    store.transact(() => {
      enableRouting(store, zone.id, now())
      for (const wanted of routingRecords(zone)) {
        if (findWantedRecord(store, zone.id, wanted) !== null) continue
        const { type, name, content, ttl, priority } = wanted
        const details = { ttl, proxied: false, comment: null, tags: [], priority }
        insertRecord(store, { zoneId: zone.id, domainId: null, type, name, content, details, at: now() })
      }
    })
    return routingSettings(c)
  }
  const disableWithRecords = (c: Context<ApiEnv>) => {
    const zone = c.get('zone')
    store.transact(() => {
      disableRouting(store, zone.id)
      for (const wanted of routingRecords(zone)) {
        const record = findWantedRecord(store, zone.id, wanted)
        if (record !== null && wanted.type === 'MX') deleteRecord(store, record)
      }
    })
    return routingSettings(c)
  }
  return new Hono<ApiEnv>()
    .get('/', routingSettings)
    .post('/enable', enableWithRecords)
    .post('/disable', disableWithRecords)
    .get('/dns', (c) => respondWithPage(c, routingRecords(c.get('zone'))))
    .post('/dns', enableWithRecords)
    .route('/rules', ruleRoutes(cloud))
}

function ruleRoutes(cloud: Cloud): Hono<ApiEnv> {
  const { store, now } = cloud
  const requireRule = (c: Context<ApiEnv>): Rule => {
    const rule = findRule(store, c.get('zone').id, c.req.param('rule') ?? '')
    if (rule === null) throw new ApiFailure(404, 2015, 'Rule not found.')
    return rule
  }
  const catchAll = (c: Context<ApiEnv>): Rule | null =>
    listRules(store, c.get('zone').id).find(isCatchAll) ?? null
  const readRule = async (c: Context<ApiEnv>, { forCatchAll }: { forCatchAll: boolean }) => {
    const rule = await readBody(c, RuleInput)
    if (isCatchAll(rule) !== forCatchAll) throw notTheCatchAll()
    requireValidRule(cloud, c, rule)
    return rule
  }
  return new Hono<ApiEnv>()
    .get('/', (c) =>
      respondWithPage(
        c,
        listRules(store, c.get('zone').id).map((rule) => ({ ...rule, tag: rule.id })),
      ),
    )
    .post('/', async (c) => {
      const rule = await readRule(c, { forCatchAll: false })
      return respond(c, withTag(putRule(store, c.get('zone').id, rule, now())))
    })
    .get('/catch_all', (c) => respond(c, withTag(catchAll(c) ?? DISABLED_RULE)))
    .put('/catch_all', async (c) => {
      const rule = await readRule(c, { forCatchAll: true })
      return respond(c, withTag(putRule(store, c.get('zone').id, rule, now(), catchAll(c)?.id)))
    })
    .get('/:rule', (c) => respond(c, withTag(requireRule(c))))
    .put('/:rule', async (c) => {
      const rule = await readRule(c, { forCatchAll: false })
      const known = requireRule(c)
      if (isCatchAll(known)) throw notTheCatchAll()
      return respond(c, withTag(putRule(store, c.get('zone').id, rule, now(), known.id)))
    })
    .delete('/:rule', (c) => {
      const rule = requireRule(c)
      deleteRule(store, rule)
      return respond(c, withTag(rule))
    })
}

const notTheCatchAll = () => new ApiFailure(400, 2016, 'The catch-all rule has a route of its own.')

const withTag = (rule: Rule) => ({ ...rule, tag: rule.id })

const DISABLED_RULE: Rule = {
  id: 'catch_all',
  name: '',
  enabled: false,
  priority: 2147483647,
  matchers: [{ type: 'all' }],
  actions: [{ type: 'drop' }],
}

function requireValidRule({ store }: Cloud, c: Context<ApiEnv>, { matchers, actions }: RuleInput): void {
  const zone = c.get('zone')
  const [matcher] = matchers
  if (matcher?.type === 'literal' && !matcher.value.toLowerCase().endsWith(`@${zone.name}`))
    throw new ApiFailure(400, 2017, 'The address is not of this zone.')
  for (const { type, value = [] } of actions) {
    if (type === 'drop') continue
    if (value.length === 0) throw new ApiFailure(400, 2018, 'The action has no target.')
    const missing =
      type === 'worker' && value.find((name) => findScript(store, zone.accountId, name) === null)
    if (missing) throw new ApiFailure(400, 2019, `The worker ${missing} does not exist.`)
  }
}
