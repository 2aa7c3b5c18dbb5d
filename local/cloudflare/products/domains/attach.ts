import { asksFor } from '../../../faults/sentinels.ts'
import type { Store } from '../../../world/store.ts'
import { listAccounts } from '../../accounts/accounts.ts'
import type { Cloud } from '../../rest/context.ts'
import { ApiFailure, noSuchScript } from '../../rest/failure.ts'
import {
  type CustomDomain,
  deleteDomain,
  findDomain,
  findDomainByHost,
  insertDomain,
  listDomains,
  updateDomain,
} from './store.ts'
import { deleteRecord, isAddress, listRecordsAt } from '../zones/dns-records.ts'
import { findScript } from '../../scripts/scripts.ts'
import type { Account, Script } from '../../types.ts'
import { findZone, listZones, type Zone, zoneOfHost, zoneStatus } from '../zones/store.ts'

/** The provider's code for a name with a person's own records; the other codes of this file are our choice. */
const FOREIGN_RECORD = 100117

/** A host name that shall lead to a worker. */
export interface DomainWish {
  hostname: string
  zoneId?: string | undefined
  zoneName?: string | undefined
  isEnabled?: boolean | undefined
  hasPreviews?: boolean | undefined
}

/** What may be replaced: another worker behind the name, a person's own DNS record at it. */
interface Overrides {
  origin: boolean
  dns: boolean
}

/** Leads a host name to a worker of the account. */
export function attachDomain(
  cloud: Cloud,
  account: Account,
  service: string,
  wish: DomainWish,
  overrides: Overrides,
): CustomDomain {
  const { store } = cloud
  const script = findScript(store, account.id, service)
  if (script === null) throw noSuchScript()
  const zone = requireZone(cloud, account, wish)
  const domain = store.transact(() => {
    const known = findDomainByHost(store, zone.id, wish.hostname)
    if (known !== null) requireOrigin(known, script, overrides)
    else clearRecords(cloud, zone, wish.hostname, overrides)
    const { id, isEnabled, hasPreviews } =
      known ?? insertDomain(store, { script, zone, hostname: wish.hostname, at: cloud.now() })
    updateDomain(store, {
      id,
      scriptId: script.id,
      isEnabled: wish.isEnabled ?? isEnabled,
      hasPreviews: wish.hasPreviews ?? hasPreviews,
    })
    return findDomain(store, account.id, id) as CustomDomain
  })
  cloud.apps.hosts.clear()
  return domain
}

/** What `replaceDomains` would do, for somebody to agree to. */
export function planDomains(cloud: Cloud, account: Account, script: Script, wishes: DomainWish[]) {
  const found = wishes.map((wish) => {
    const zone = requireZone(cloud, account, wish)
    return { wish, zone, domain: findDomainByHost(cloud.store, zone.id, wish.hostname) }
  })
  const wanted = new Set(wishes.map(({ hostname }) => hostname))
  return {
    added: found
      .filter(({ domain }) => domain === null)
      .map(({ wish, zone }) => ({
        hostname: wish.hostname,
        zone_id: zone.id,
        zone_name: zone.name,
        enabled: wish.isEnabled ?? true,
        previews_enabled: wish.hasPreviews ?? false,
      })),
    removed: domainsOf(cloud, script).filter(({ hostname }) => !wanted.has(hostname)),
    updated: found.flatMap(({ wish, domain }) =>
      domain === null ? [] : [{ domain, isModified: differs(wish, domain, script) }],
    ),
    conflicting: found
      .filter(
        ({ wish, zone, domain }) => domain === null && foreignRecords(cloud, zone, wish.hostname).length > 0,
      )
      .map(({ wish, zone }) => ({ hostname: wish.hostname, zone_id: zone.id, zone_name: zone.name })),
  }
}

/** Makes these the host names of a worker, and no others. */
export function replaceDomains(
  cloud: Cloud,
  account: Account,
  script: Script,
  wishes: DomainWish[],
  overrides: Overrides,
): CustomDomain[] {
  return cloud.store.transact(() => {
    for (const domain of planDomains(cloud, account, script, wishes).removed)
      deleteDomain(cloud.store, domain)
    return wishes.map((wish) => attachDomain(cloud, account, script.name, wish, overrides))
  })
}

const domainsOf = ({ store }: Cloud, script: Script) =>
  listDomains(store, script.accountId).filter((domain) => domain.scriptId === script.id)

function differs(wish: DomainWish, domain: CustomDomain, script: Script): boolean {
  const isSwitched = (wish.isEnabled ?? domain.isEnabled) !== domain.isEnabled
  const isShown = (wish.hasPreviews ?? domain.hasPreviews) !== domain.hasPreviews
  return domain.scriptId !== script.id || isSwitched || isShown
}

function requireZone(cloud: Cloud, account: Account, wish: DomainWish): Zone {
  const problem = subdomainClash(cloud.store, wish.hostname)
  if (problem !== null) throw new ApiFailure(400, 100115, problem)
  const zone = findWishedZone(cloud, account, wish)
  const isIn = zone !== null && `.${wish.hostname}`.endsWith(`.${zone.name}`)
  if (!isIn) throw new ApiFailure(400, 100115, `No zone of your account holds ${wish.hostname}.`)
  if (zoneStatus(zone, cloud.now()) !== 'active')
    throw new ApiFailure(400, 100116, `The zone ${zone.name} is not active yet.`)
  return zone
}

/** What speaks against a name: below an account's own subdomain the apps of that account live. */
export function subdomainClash(store: Store, hostname: string): string | null {
  const above = `.${hostname}`
  const taken = listAccounts(store).find(({ subdomain }) => above.endsWith(`.${subdomain}.localhost`))
  return taken === undefined ? null : `${hostname} lies below the subdomain of an account.`
}

function findWishedZone({ store }: Cloud, account: Account, wish: DomainWish): Zone | null {
  if (wish.zoneId !== undefined) return findZone(store, account.id, wish.zoneId)
  if (wish.zoneName === undefined) return zoneOfHost(store, account.id, wish.hostname)
  return listZones(store, account.id).find(({ name }) => name === wish.zoneName) ?? null
}

function requireOrigin(known: CustomDomain, script: Script, overrides: Overrides): void {
  if (known.scriptId !== script.id && !overrides.origin)
    throw new ApiFailure(409, 100118, `${known.hostname} is in use by the Worker ${known.service}.`)
}

const foreignRecords = ({ store }: Cloud, zone: Zone, hostname: string) =>
  listRecordsAt(store, zone.id, hostname).filter((record) => isAddress(record) && record.domainId === null)

function clearRecords(cloud: Cloud, zone: Zone, hostname: string, overrides: Overrides): void {
  if (cloud.faults !== null && asksFor(hostname, 'fail-dns'))
    throw new ApiFailure(400, 1004, 'The DNS record could not be made: the name asks for it (fail-dns).')
  const records = foreignRecords(cloud, zone, hostname)
  if (records.length > 0 && !overrides.dns)
    throw new ApiFailure(
      409,
      FOREIGN_RECORD,
      `Hostname '${hostname}' already has externally managed DNS records (A, CNAME, etc). Either delete them, try a different hostname, or use the option 'override_existing_dns_record' to override.`,
    )
  for (const record of records) deleteRecord(cloud.store, record)
}
