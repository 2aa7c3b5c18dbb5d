import * as z from 'zod'
import { hexId } from '../../../world/ids.ts'
import { requireStored, type Store } from '../../../world/store.ts'
import type { Zone } from '../../store/zones.ts'
import { findWantedRecord, routingRecords } from './domains.ts'

/** A routing rule as the API accepts it: one matcher and one action, as at the provider. */
export const RuleInput = z.object({
  name: z.string().max(256).default(''),
  enabled: z.boolean().default(true),
  priority: z.int().min(0).default(0),
  matchers: z
    .array(
      z.union([
        z.object({ type: z.literal('literal'), field: z.literal('to'), value: z.string().max(90) }),
        z.object({ type: z.literal('all') }),
      ]),
    )
    .length(1),
  actions: z
    .array(
      z.object({
        type: z.enum(['drop', 'forward', 'worker']),
        value: z.array(z.string()).optional(),
      }),
    )
    .length(1),
})
export type RuleInput = z.output<typeof RuleInput>

/** A routing rule, which decides what happens to mail for an address of a zone. */
export interface Rule extends RuleInput {
  id: string
}

/** `misconfigured`: routing was enabled, but a DNS record that it needs was removed or changed. */
export type RoutingStatus = 'ready' | 'unconfigured' | 'misconfigured'

/** The time from enabling routing until mail arrives; `timeScale` multiplies it. */
const READY_AFTER_MS = 2000

interface RuleRow {
  id: string
  name: string
  enabled: number
  priority: number
  matchers: JsonText<Rule['matchers']>
  actions: JsonText<Rule['actions']>
}

const toRule = (row: RuleRow): Rule => ({
  id: row.id,
  name: row.name,
  enabled: row.enabled === 1,
  priority: row.priority,
  matchers: JSON.parse(row.matchers),
  actions: JSON.parse(row.actions),
})

/** Lists the rules by priority. The catch-all rule is last, whatever its priority. */
export const listRules = (store: Store, zoneId: string): Rule[] =>
  store
    .all<RuleRow>('SELECT * FROM routing_rules WHERE zone_id = ? ORDER BY priority, created_at, id', zoneId)
    .map(toRule)
    .toSorted((a, b) => Number(isCatchAll(a)) - Number(isCatchAll(b)))

export const findRule = (store: Store, zoneId: string, id: string): Rule | null =>
  listRules(store, zoneId).find((rule) => rule.id === id) ?? null

/** Returns whether the rule matches every address of its zone. */
export const isCatchAll = ({ matchers }: Pick<Rule, 'matchers'>): boolean => matchers[0]?.type === 'all'

/** Stores a rule. Replaces the rule `id` when there is one. */
export function putRule(store: Store, zoneId: string, rule: RuleInput, at: number, id = hexId()): Rule {
  const { name, enabled, priority, matchers, actions } = rule
  store.run(
    `INSERT INTO routing_rules VALUES (?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO UPDATE SET
       name = excluded.name, enabled = excluded.enabled, priority = excluded.priority,
       matchers = excluded.matchers, actions = excluded.actions`,
    id,
    zoneId,
    name,
    Number(enabled),
    priority,
    JSON.stringify(matchers) satisfies RuleRow['matchers'],
    JSON.stringify(actions) satisfies RuleRow['actions'],
    at,
  )
  return requireStored(findRule(store, zoneId, id))
}

export function deleteRule(store: Store, { id }: Rule): void {
  store.run('DELETE FROM routing_rules WHERE id = ?', id)
}

/** Returns the first rule by priority that matches the address; null when none does. */
export function findMatchingRule(store: Store, zoneId: string, address: string): Rule | null {
  const matchesAddress = ({ matchers: [matcher] }: Rule) =>
    matcher?.type === 'all' || matcher?.value.toLowerCase() === address.toLowerCase()
  return listRules(store, zoneId).find((rule) => rule.enabled && matchesAddress(rule)) ?? null
}

/** Returns when Email Routing was enabled in a zone; null when it is disabled. */
export function readRouting(store: Store, zoneId: string): { enabledAt: number } | null {
  const row = store.get<{ enabled_at: number }>(
    'SELECT enabled_at FROM email_routing WHERE zone_id = ?',
    zoneId,
  )
  return row === undefined ? null : { enabledAt: row.enabled_at }
}

/** Idempotent: the time at which routing was first enabled stays. */
export function enableRouting(store: Store, zoneId: string, at: number): void {
  store.run('INSERT OR IGNORE INTO email_routing VALUES (?, ?)', zoneId, at)
}

export function disableRouting(store: Store, zoneId: string): void {
  store.run('DELETE FROM email_routing WHERE zone_id = ?', zoneId)
}

/** Returns the state of Email Routing in a zone; mail arrives when it is `ready`. */
export function routingStatus(store: Store, zone: Zone, now: number, timeScale: number): RoutingStatus {
  const routing = readRouting(store, zone.id)
  if (routing === null) return 'unconfigured'
  const hasAll = routingRecords(zone).every((wanted) => findWantedRecord(store, zone.id, wanted) !== null)
  if (!hasAll) return 'misconfigured'
  return now >= routing.enabledAt + READY_AFTER_MS * timeScale ? 'ready' : 'unconfigured'
}
