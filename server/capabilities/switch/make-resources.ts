import type { Cloud } from '../../cloudflare/client.ts'
import { KINDS } from '../../resources/kinds/table.ts'
import { ensureLive } from '../../resources/workers/live.ts'
import { reserveResource } from '../../resources/registry.ts'
import type { Platform } from '../../platform.ts'
import { ensureAdmin } from '../../resources/workers/admin.ts'
import { operatorDoor, type ResourceSpec, sharedObject } from '../capability.ts'
import { capabilitiesOf } from '../catalog.ts'

export interface Provisioned {
  id: string
  org_id: string
  name: string
  slug: string
}

interface Work {
  platform: Platform
  project: Provisioned
  /** What is on, or on its way to be. */
  enabled: ReadonlySet<string>
  actor: string
  signal: AbortSignal
  open: () => Promise<Cloud>
}

/** Makes single resources; who asks for one that is being made already gets the same outcome. */
export function makeResources(work: Work) {
  const { platform, project, enabled, actor, signal } = work
  const flights = new Map<string, Promise<void>>()
  const make = (capability: string, spec: ResourceSpec): Promise<void> => {
    const key = `${spec.kind} ${spec.name}`
    const going = flights.get(key)
    if (going !== undefined) return going
    // Forgotten once it failed, so that the next attempt is one.
    const flight = makeOne(capability, spec).catch((error: unknown) => {
      flights.delete(key)
      throw error
    })
    flights.set(key, flight)
    return flight
  }
  const makeOne = async (capability: string, spec: ResourceSpec): Promise<void> => {
    const cloud = await work.open()
    if (spec.name === sharedObject(project).name)
      return await ensureLive(platform, cloud, project, { enabled, verify: true })
    if (spec.name === operatorDoor(project).name) {
      // It is bound to the objects and to buckets, so those are there first.
      await make(capability, sharedObject(project))
      return await ensureAdmin(platform, cloud, project, { enabled: await bindable(), verify: true })
    }
    const kind = KINDS[spec.kind]
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, ...spec }
    const row = await reserveResource(platform, key, {
      tier: 'shared',
      capability,
      exists: async () => (await kind.find(cloud, unknownRow(cloud, spec))) !== 'missing',
    })
    await kind.make({ platform, cloud, project, actor, signal }, { ...row, kind: spec.kind })
  }
  /** What the operator's worker can be bound to: one whose bucket cannot be made must not cost the others theirs. */
  const bindable = async (): Promise<Set<string>> => {
    const usable = await Promise.all(
      capabilitiesOf(enabled).map(async (one) => {
        const bound = one.resources(project).filter(({ kind }) => kind !== 'worker')
        const made = await Promise.allSettled(bound.map((spec) => make(one.key, spec)))
        return made.every(({ status }) => status === 'fulfilled') ? [one.key] : []
      }),
    )
    return new Set(usable.flat())
  }
  return { make }
}

/** What a kind looks for before there is a row. */
const unknownRow = (cloud: Cloud, spec: ResourceSpec) => ({
  id: '',
  ...spec,
  account_id: cloud.accountId,
  tier: 'shared' as const,
  capability: null,
  provider_id: null,
  version_id: null,
  state: 'creating' as const,
})
