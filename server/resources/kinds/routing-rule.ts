import {
  changeRule,
  createRule,
  listRules,
  removeRule,
  type RoutingRule,
  ruleOf,
} from '../../cloudflare/products/email.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { CloudflareError } from '../../cloudflare/errors.ts'
import { findZone } from '../../cloudflare/products/zones.ts'
import { isRuleName, liveName, ruleName } from '../../resource-names.ts'
import { resourceKey, settleResource } from '../registry.ts'
import type { ResourceLifecycle } from './kind.ts'

/** A rule that routes mail for one address to the project's live worker. The address is the name of its row. */
export const routingRule: ResourceLifecycle = {
  holdsData: false,
  find: async (cloud, row) => {
    const { rule } = await findRule(cloud, row.name)
    if (rule === null) return 'missing'
    const slug = /^slipway:([^:]+):/.exec(rule.name)?.[1]
    const leadsHome = slug !== undefined && routesToWorker(rule, liveName({ slug }))
    return rule.enabled && leadsHome && isRuleName(rule.name, row.name) ? 'ok' : 'drifted'
  },
  make: async ({ platform, cloud, project }, row) => {
    const { zone, rule } = await findRule(cloud, row.name)
    if (zone === null) throw domainGone(row.name)
    const wish = { name: ruleName(project, row.name), address: row.name, worker: liveName(project) }
    if (rule !== null && !isRuleName(rule.name, row.name)) throw ruleTaken(row.name)
    const isRight = rule?.enabled === true && rule.name === wish.name && routesToWorker(rule, wish.worker)
    const made =
      rule === null
        ? await createRule(cloud, zone.id, wish)
        : isRight
          ? rule
          : await changeRule(cloud, zone.id, rule.id, wish)
    await settleResource(platform, resourceKey(project, row), { state: 'ok', providerId: made.id })
  },
  remove: async (cloud, row) => {
    const { zone, rule } = await findRule(cloud, row.name)
    if (zone === null || rule === null || !isRuleName(rule.name, row.name)) return
    // A rule with another id was made again by a person and is kept.
    if (row.provider_id !== null && row.provider_id !== rule.id) return
    await removeRule(cloud, zone.id, { id: rule.id, address: row.name })
  },
}

async function findRule(cloud: Cloud, address: string) {
  const zone = await findZone(cloud, address.slice(address.lastIndexOf('@') + 1))
  const rule = zone === null ? null : ruleOf(await listRules(cloud, zone.id), address)
  return { zone, rule }
}

const routesToWorker = ({ actions }: RoutingRule, worker: string): boolean =>
  actions.some(({ type, value }) => type === 'worker' && value?.includes(worker) === true)

/** The error message for an address whose mail is routed elsewhere. */
export const addressTakenMessage = (address: string): string =>
  `The domain already has a rule for mail to ${address} that does not belong to this project. It is not changed; remove it at Cloudflare or choose another address.`

const ruleTaken = (address: string) =>
  new CloudflareError('name_taken', addressTakenMessage(address), { status: 409 })

const domainGone = (address: string) =>
  new CloudflareError(
    'resource_missing',
    `The connected Cloudflare account has no domain for ${address} any more.`,
    { status: 404 },
  )
