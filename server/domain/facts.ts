import * as z from 'zod'

/** The result of inspecting a host name in the account. It is stored as JSON, so it is parsed with this schema. */
export const DomainFacts = z.object({
  /** The DNS zone that contains the host name; null when the account has none. */
  zone: z
    .object({ id: z.string(), name: z.string(), status: z.string(), nameServers: z.array(z.string()) })
    .nullable(),
  /** The worker that the host name is attached to, or null. */
  service: z.string().nullable(),
  /** The provider's status of the certificate for the host name. */
  certificate: z.string().nullable(),
  /**
   * A, AAAA and CNAME records of the host name that other programs or people created. While there are any, the host
   * name is not attached.
   */
  records: z.array(z.object({ type: z.string(), content: z.string() })),
  /** Why the inspection failed; null when it succeeded. */
  failure: z.object({ state: z.enum(['needs_reconnect', 'unreachable']), message: z.string() }).nullable(),
})
export type DomainFacts = z.output<typeof DomainFacts>

/** The values of `GET /domain/status` (docs/glossary.md#custom-domain-states). */
export const DOMAIN_STATES = [
  'no_connection',
  'needs_reconnect',
  'unreachable',
  'no_domain',
  'pending_nameservers',
  'pending_ship',
  'pending_attach',
  'provisioning',
  'active',
] as const
export type DomainState = (typeof DOMAIN_STATES)[number]

/**
 * Returns the first state in `DOMAIN_STATES` that applies. The caller has already handled `no_connection` and
 * `no_domain`, which need no inspection.
 */
export function domainState(facts: DomainFacts, project: { service: string; isLive: boolean }): DomainState {
  if (facts.failure !== null) return facts.failure.state
  if (facts.zone?.status !== 'active') return 'pending_nameservers'
  if (!project.isLive) return 'pending_ship'
  if (facts.service !== project.service) return 'pending_attach'
  return facts.certificate === 'active' ? 'active' : 'provisioning'
}

/** Returns the message that explains a state; null when the state needs no explanation. */
export function domainStateMessage(
  state: DomainState,
  facts: DomainFacts,
  about: { hostname: string; problem: string | null },
) {
  const { hostname } = about
  if (facts.failure !== null) return facts.failure.message
  if (state === 'pending_nameservers') return nameServerMessage(facts, hostname)
  if (state === 'provisioning' && facts.certificate?.endsWith('_timed_out') === true)
    return `The certificate could not be made (${facts.certificate.replaceAll('_', ' ')}). Check the DNS and CAA records of ${hostname}, then remove the domain and set it again.`
  if (state !== 'pending_ship' && state !== 'pending_attach') return null
  if (facts.service !== null && state === 'pending_attach')
    return hostnameTakenMessage(hostname, facts.service)
  if (facts.records.length > 0) return recordsMessage(hostname, facts)
  return state === 'pending_attach' ? about.problem : null
}

function nameServerMessage(facts: DomainFacts, hostname: string): string | null {
  if (facts.zone === null)
    return `The connected Cloudflare account has no domain for ${hostname} any more. Add it there again.`
  return facts.zone.status === 'moved'
    ? `${facts.zone.name} has moved away from Cloudflare: its name servers were changed.`
    : null
}

/**
 * Returns the error message for a host name that is attached to another worker. The message names the worker, because
 * a person has to detach the host name from it.
 */
export const hostnameTakenMessage = (hostname: string, service: string): string =>
  `${hostname} points to the worker ${service} of the Cloudflare account. Detach it there first.`

/**
 * Returns the error message for a host name with other DNS records. The message lists the records, because a person
 * has to remove them before the host name can be attached.
 */
export function recordsMessage(hostname: string, { records }: Pick<DomainFacts, 'records'>): string {
  const list = records.map(({ type, content }) => `${type} ${content}`).join(', ')
  return `${hostname} already has a DNS record (${list}), which is not overwritten. Remove it at Cloudflare, then attach the domain.`
}
