import { hasSentinel } from '../../../faults/sentinels.ts'
import { reservedHostProblem } from '../../accounts/accounts.ts'
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
import { isHostname } from '../zones/names.ts'
import { findScript } from '../../store/scripts.ts'
import { requireStored } from '../../../world/store.ts'
import type { Account, Script } from '../../types.ts'
import { findZone, listZones, type Zone, zoneOfHost, zoneStatus } from '../../store/zones.ts'

/**
 * The provider's error code when the user already has a DNS record for the host name. The other codes in this
 * file are invented.
 */
const FOREIGN_RECORD = 100117

export interface DomainInput {
  hostname: string
  zoneId?: string | undefined
  zoneName?: string | undefined
  isEnabled?: boolean | undefined
  hasPreviews?: boolean | undefined
}

/** Whether attaching a host name may replace another worker (`origin`) or a DNS record of the user (`dns`). */
interface AttachOverrides {
  origin: boolean
  dns: boolean
}

/**
 * Attaches a host name to the worker `service`. Throws an `ApiFailure` when another worker or a DNS record of
 * the user has the name and `overrides` does not permit replacing it.
 */
export function attachDomain(
  cloud: Cloud,
  account: Account,
  service: string,
  input: DomainInput,
  overrides: AttachOverrides,
): CustomDomain {
  const { store } = cloud
  const script = findScript(store, account.id, service)
  if (script === null) throw noSuchScript()
  const zone = requireZone(cloud, account, input)
  const domain = store.transact(() => {
    const known = findDomainByHost(store, zone.id, input.hostname)
    if (known !== null) requireOrigin(known, script, overrides)
    else clearRecords(cloud, zone, input.hostname, overrides)
    const { id, isEnabled, hasPreviews } =
      known ?? insertDomain(store, { script, zone, hostname: input.hostname, at: cloud.now() })
    updateDomain(store, {
      id,
      scriptId: script.id,
      isEnabled: input.isEnabled ?? isEnabled,
      hasPreviews: input.hasPreviews ?? hasPreviews,
    })
    return requireStored(findDomain(store, account.id, id))
  })
  cloud.apps.hosts.clear()
  return domain
}

/** Returns the changes that `replaceDomains` would make, for the client to confirm. */
export function planDomains(cloud: Cloud, account: Account, script: Script, inputs: DomainInput[]) {
  const found = inputs.map((input) => {
    const zone = requireZone(cloud, account, input)
    return { input, zone, domain: findDomainByHost(cloud.store, zone.id, input.hostname) }
  })
  const wanted = new Set(inputs.map(({ hostname }) => hostname))
  return {
    added: found
      .filter(({ domain }) => domain === null)
      .map(({ input, zone }) => ({
        hostname: input.hostname,
        zone_id: zone.id,
        zone_name: zone.name,
        enabled: input.isEnabled ?? true,
        previews_enabled: input.hasPreviews ?? false,
      })),
    removed: domainsOf(cloud, script).filter(({ hostname }) => !wanted.has(hostname)),
    updated: found.flatMap(({ input, domain }) =>
      domain === null ? [] : [{ domain, isModified: differsFromStored(input, domain, script) }],
    ),
    conflicting: found
      .filter(
        ({ input, zone, domain }) =>
          domain === null && foreignRecords(cloud, zone, input.hostname).length > 0,
      )
      .map(({ input, zone }) => ({ hostname: input.hostname, zone_id: zone.id, zone_name: zone.name })),
  }
}

/**
 * Makes `inputs` the complete list of a worker's domains: attaches them and detaches all others. Throws as `attachDomain` does, and then
 * changes nothing.
 */
export function replaceDomains(
  cloud: Cloud,
  account: Account,
  script: Script,
  inputs: DomainInput[],
  overrides: AttachOverrides,
): CustomDomain[] {
  const domains = cloud.store.transact(() => {
    for (const domain of planDomains(cloud, account, script, inputs).removed)
      deleteDomain(cloud.store, domain)
    return inputs.map((input) => attachDomain(cloud, account, script.name, input, overrides))
  })
  cloud.apps.hosts.clear()
  return domains
}

const domainsOf = ({ store }: Cloud, script: Script) =>
  listDomains(store, script.accountId).filter((domain) => domain.scriptId === script.id)

function differsFromStored(input: DomainInput, domain: CustomDomain, script: Script): boolean {
  const isSwitched = (input.isEnabled ?? domain.isEnabled) !== domain.isEnabled
  const isShown = (input.hasPreviews ?? domain.hasPreviews) !== domain.hasPreviews
  return domain.scriptId !== script.id || isSwitched || isShown
}

function requireZone(cloud: Cloud, account: Account, input: DomainInput): Zone {
  if (!isHostname(input.hostname)) throw new ApiFailure(400, 100115, `${input.hostname} is not a host name.`)
  const problem = reservedHostProblem(cloud.store, input.hostname)
  if (problem !== null) throw new ApiFailure(400, 100115, problem)
  const zone = findRequestedZone(cloud, account, input)
  const isIn = zone !== null && `.${input.hostname}`.endsWith(`.${zone.name}`)
  if (!isIn) throw new ApiFailure(400, 100115, `No zone of your account holds ${input.hostname}.`)
  if (zoneStatus(zone, cloud.now()) !== 'active')
    throw new ApiFailure(400, 100116, `The zone ${zone.name} is not active yet.`)
  return zone
}

function findRequestedZone({ store }: Cloud, account: Account, input: DomainInput): Zone | null {
  if (input.zoneId !== undefined) return findZone(store, account.id, input.zoneId)
  if (input.zoneName === undefined) return zoneOfHost(store, account.id, input.hostname)
  return listZones(store, account.id).find(({ name }) => name === input.zoneName) ?? null
}

function requireOrigin(known: CustomDomain, script: Script, overrides: AttachOverrides): void {
  if (known.scriptId !== script.id && !overrides.origin)
    throw new ApiFailure(409, 100118, `${known.hostname} is in use by the Worker ${known.service}.`)
}

const foreignRecords = ({ store }: Cloud, zone: Zone, hostname: string) =>
  listRecordsAt(store, zone.id, hostname).filter((record) => isAddress(record) && record.domainId === null)

function clearRecords(cloud: Cloud, zone: Zone, hostname: string, overrides: AttachOverrides): void {
  if (cloud.faults !== null && hasSentinel(hostname, 'fail-dns'))
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
