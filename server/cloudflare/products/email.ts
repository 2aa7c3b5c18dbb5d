import * as z from 'zod'
import type { Cloud } from '../client.ts'
import { createOnce, ensureResource } from './create-once.ts'

const Subdomain = z.looseObject({ tag: z.string(), name: z.string(), enabled: z.boolean() })
/** A domain from which mail can be sent, once it is `enabled`. */
export type SendingDomain = z.output<typeof Subdomain>

const Wanted = z.looseObject({
  type: z.string(),
  name: z.string(),
  content: z.string(),
  priority: z.number().nullish(),
  ttl: z.number().nullish(),
})
export type WantedRecord = z.output<typeof Wanted>

const Rule = z.looseObject({
  id: z.string(),
  name: z.string().default(''),
  enabled: z.boolean().default(true),
  matchers: z.array(
    z.looseObject({ type: z.string(), field: z.string().nullish(), value: z.string().nullish() }),
  ),
  actions: z.array(z.looseObject({ type: z.string(), value: z.array(z.string()).nullish() })),
})
export type RoutingRule = z.output<typeof Rule>

const PAGE_SIZE = 50
const PAGES_MAX = 20
const zoneEmailPath = (zoneId: string, path: string) => `/zones/${encodeURIComponent(zoneId)}/email/${path}`

/** Returns the sending domain with this name, which must be in lower case; null when there is none. */
export async function findSendingDomain(
  cloud: Cloud,
  zoneId: string,
  name: string,
): Promise<SendingDomain | null> {
  for (let page = 1; page <= PAGES_MAX; page++) {
    const some = await cloud.call({
      method: 'GET',
      path: zoneEmailPath(zoneId, 'sending/subdomains'),
      query: { page: String(page), per_page: String(PAGE_SIZE) },
      doing: `check whether mail can be sent from ${name}`,
      result: z.array(Subdomain),
    })
    const found = some.find((one) => one.name.toLowerCase() === name)
    if (found !== undefined) return found
    if (some.length < PAGE_SIZE) return null
  }
  return null
}

/** Creates the sending domain if it does not exist. After a lost response it looks for the domain before it sends the call again. */
export async function ensureSendingDomain(
  cloud: Cloud,
  zoneId: string,
  name: string,
): Promise<SendingDomain> {
  const findDomain = () => findSendingDomain(cloud, zoneId, name)
  const createDomain = () =>
    cloud.call({
      method: 'POST',
      path: zoneEmailPath(zoneId, 'sending/subdomains'),
      json: { name },
      doing: `set ${name} up for sending mail`,
      result: Subdomain,
      write: { action: 'email.domain.create', target: name },
    })
  return await ensureResource({ find: findDomain, create: createDomain })
}

/** Returns the DNS records that the zone needs before mail from this domain is sent. */
export async function readSendingRecords(
  cloud: Cloud,
  zoneId: string,
  { tag, name }: Pick<SendingDomain, 'tag' | 'name'>,
): Promise<WantedRecord[]> {
  return await cloud.call({
    method: 'GET',
    path: zoneEmailPath(zoneId, `sending/subdomains/${encodeURIComponent(tag)}/dns`),
    doing: `read which DNS records ${name} needs`,
    result: z.array(Wanted),
  })
}

/** Deletes a sending domain. Succeeds when there is none. */
export async function removeSendingDomain(
  cloud: Cloud,
  zoneId: string,
  { tag, name }: Pick<SendingDomain, 'tag' | 'name'>,
): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: zoneEmailPath(zoneId, `sending/subdomains/${encodeURIComponent(tag)}`),
    doing: `stop sending mail from ${name}`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'email.domain.remove', target: name },
  })
}

/** Returns the provider's status of Email Routing in a zone; `unconfigured` when the response has none. */
export async function readRoutingStatus(cloud: Cloud, zoneId: string): Promise<string> {
  const { status } = await cloud.call({
    method: 'GET',
    path: zoneEmailPath(zoneId, 'routing'),
    doing: 'read the state of Email Routing of the domain',
    result: z.looseObject({ status: z.string().default('unconfigured') }),
  })
  return status
}

/** Enables Email Routing in a zone, which adds the provider's MX and SPF records. Idempotent. */
export async function enableRouting(cloud: Cloud, zone: { id: string; name: string }): Promise<void> {
  await cloud.call({
    method: 'POST',
    path: zoneEmailPath(zone.id, 'routing/dns'),
    json: {},
    doing: `enable Email Routing for ${zone.name}`,
    result: z.unknown(),
    write: { action: 'email.routing.enable', target: zone.name },
    repeatable: true,
  })
}

/** Reads at most 1,000 rules, 20 pages of 50. */
export async function listRules(cloud: Cloud, zoneId: string): Promise<RoutingRule[]> {
  const rules: RoutingRule[] = []
  for (let page = 1; page <= PAGES_MAX; page++) {
    const some = await cloud.call({
      method: 'GET',
      path: zoneEmailPath(zoneId, 'routing/rules'),
      query: { page: String(page), per_page: String(PAGE_SIZE) },
      doing: 'list the rules of Email Routing',
      result: z.array(Rule),
    })
    rules.push(...some)
    if (some.length < PAGE_SIZE) break
  }
  return rules
}

/**
 * Returns the rule of one address, or null. Never returns the catch-all rule, which has no address to match.
 */
export const ruleOf = (rules: readonly RoutingRule[], address: string): RoutingRule | null =>
  rules.find(({ matchers }) => matchers.some(({ value }) => value?.toLowerCase() === address)) ?? null

interface DesiredRule {
  name: string
  address: string
  worker: string
}

const ruleBody = ({ name, address, worker }: DesiredRule) => ({
  name,
  enabled: true,
  matchers: [{ type: 'literal', field: 'to', value: address }],
  actions: [{ type: 'worker', value: [worker] }],
})

/** Creates a rule. After a lost response it looks for a rule of this address before it sends the call again. */
export async function createRule(cloud: Cloud, zoneId: string, desired: DesiredRule): Promise<RoutingRule> {
  const findRule = async () => ruleOf(await listRules(cloud, zoneId), desired.address)
  const postRule = () =>
    cloud.call({
      method: 'POST',
      path: zoneEmailPath(zoneId, 'routing/rules'),
      json: ruleBody(desired),
      doing: `route mail to ${desired.address} to the app`,
      result: Rule,
      write: { action: 'email.rule.create', target: desired.address },
    })
  return await createOnce({ find: findRule, create: postRule })
}

export async function changeRule(
  cloud: Cloud,
  zoneId: string,
  id: string,
  desired: DesiredRule,
): Promise<RoutingRule> {
  return await cloud.call({
    method: 'PUT',
    path: zoneEmailPath(zoneId, `routing/rules/${encodeURIComponent(id)}`),
    json: ruleBody(desired),
    doing: `route mail to ${desired.address} to the app`,
    result: Rule,
    write: { action: 'email.rule.change', target: desired.address },
  })
}

/** Deletes a rule. Succeeds when there is none. */
export async function removeRule(
  cloud: Cloud,
  zoneId: string,
  rule: { id: string; address: string },
): Promise<void> {
  await cloud.call({
    method: 'DELETE',
    path: zoneEmailPath(zoneId, `routing/rules/${encodeURIComponent(rule.id)}`),
    doing: `stop routing mail to ${rule.address} to the app`,
    result: z.unknown(),
    missing: 'null',
    write: { action: 'email.rule.remove', target: rule.address },
  })
}
