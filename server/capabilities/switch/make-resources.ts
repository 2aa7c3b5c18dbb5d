import type { Cloud } from '../../cloudflare/client.ts'
import { KINDS } from '../../resources/kinds/table.ts'
import { parts } from '../../resources/parts.ts'
import { reserveResource } from '../../resources/registry.ts'
import { chooseUploadsName } from '../../resources/uploads-name.ts'
import type { Work } from '../../resources/work.ts'
import { adminWorker, type ResourceSpec, sharedObject } from '../capability.ts'
import { capabilitiesOf } from '../catalog.ts'

interface MakeWork extends Omit<Work, 'cloud'> {
  /** What is enabled, or about to be. */
  enabled: ReadonlySet<string>
  open: () => Promise<Cloud>
}

/** Makes single resources. Calls for one that is being made already share its outcome. */
export function makeResources({ enabled, open, ...base }: MakeWork) {
  const { platform, project } = base
  const flights = new Map<string, Promise<void>>()
  const make = (capability: string, spec: ResourceSpec): Promise<void> => {
    const key = `${spec.kind} ${spec.name}`
    const pending = flights.get(key)
    if (pending !== undefined) return pending
    // A failed one is removed, so that the next attempt makes a new call.
    const flight = makeOne(capability, spec).catch((error: unknown) => {
      flights.delete(key)
      throw error
    })
    flights.set(key, flight)
    return flight
  }
  const makeOne = async (capability: string, spec: ResourceSpec): Promise<void> => {
    const cloud = await open()
    const work: Work = { ...base, cloud }
    if (spec.name === sharedObject(project).name) return await parts().makers.live(work, enabled)
    if (spec.name === adminWorker(project).name) {
      // It is bound to the objects and to buckets, so those must exist first.
      await make(capability, sharedObject(project))
      return await parts().makers.admin(work, await bindable())
    }
    // The upload worker is bound to its bucket, which exists then.
    if (spec.kind === 'worker') await make(capability, { ...spec, kind: 'bucket' })
    // Until the app runs it, a class of the live worker does.
    if (spec.kind === 'workflow') await make(capability, sharedObject(project))
    const kind = KINDS[spec.kind]
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, ...spec }
    const row = await reserveResource(platform, key, {
      tier: 'shared',
      capability,
      exists: async () => (await kind.find(cloud, unknownRow(cloud, spec), work)) !== 'missing',
    })
    await kind.make(work, { ...row, kind: spec.kind })
  }
  /**
   * The capabilities whose resources the admin worker is bound to, as far as they could be made: a bucket that cannot be
   * made must not fail the others. It waits for no other resource.
   */
  const bindable = async (): Promise<Set<string>> => {
    const { accountId } = await open()
    // Uploads keep the name they were first stored under, however the project is called now.
    const named = { ...project, uploads: await chooseUploadsName(platform.db, project, accountId) }
    const withOperatorBindings = capabilitiesOf(enabled).filter(
      (one) => one.operatorBindings(named).length > 0,
    )
    const usable = await Promise.all(
      withOperatorBindings.map(async (one) => {
        const bound = one.resources(named).filter(({ kind }) => kind !== 'worker')
        const made = await Promise.allSettled(bound.map((spec) => make(one.key, spec)))
        return made.every(({ status }) => status === 'fulfilled') ? [one.key] : []
      }),
    )
    return new Set(usable.flat())
  }
  return { make }
}

/** What a kind is asked to find before there is a row. */
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
