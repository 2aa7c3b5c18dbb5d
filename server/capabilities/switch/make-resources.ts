import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { shared } from '../../lib/shared.ts'
import { KINDS } from '../../resources/kinds/table.ts'
import type { ResourceKind } from '../../resources/names.ts'
import { hooks } from '../../resources/hooks.ts'
import { reserveResource } from '../../resources/registry.ts'
import { chooseUploadsName } from '../../resources/uploads-name.ts'
import type { Work } from '../../resources/work.ts'
import { adminWorker, type ResourceSpec, sharedObject } from '../capability.ts'
import type { Capability } from '../capability.ts'
import { capabilitiesOf, capabilityOf } from '../catalog.ts'
import { PRODUCTS } from './products.ts'

/** The live worker is given their ids or what was chosen for them (`liveInAccount`), so they must be made before it. */
const NAMED_IN_LIVE: readonly ResourceKind[] = ['widget', 'sfu_app', 'turn_key', 'ai_gateway']

/** The capabilities that the shared workers are made for. */
export interface Together {
  enabled: ReadonlySet<string>
  /** The enabled ones that are being provisioned now. */
  pending: ReadonlySet<string>
}

/** A resource that is being made, or was made by this call. */
interface Flight {
  done: Promise<void>
  /** Capabilities whose present state it does not cover; for these it is made again. */
  without: Set<string>
}

interface MakeWork extends Omit<Work, 'cloud'> {
  open: () => Promise<Cloud>
}

/** Makes the resources of one project. A resource that several capabilities need is made once. */
export function makeResources({ open, ...base }: MakeWork) {
  const { platform, project } = base
  const flights = new Map<string, Flight>()
  /** Everything that was started, including failed ones that are no longer in `flights`. */
  const all = new Set<Promise<void>>()
  const begun = new Map<string, number>()
  const specsOf = shared(async () => {
    const { accountId } = await open()
    // Uploads keep the name under which they were first stored, also after the project was renamed.
    const named = { ...project, uploads: await chooseUploadsName(platform.db, project, accountId) }
    return (key: CapabilityKey) => capabilityOf(key).resources(named)
  })

  const start = (id: string, work: (without: Set<string>) => Promise<void>): Flight => {
    const before = flights.get(id)?.done ?? Promise.resolve()
    const without = new Set<string>()
    const flight = { done: before.catch(() => {}).then(() => work(without)), without }
    flights.set(id, flight)
    all.add(flight.done)
    // Prevents an unhandled rejection while no caller waits yet. Callers get the error, and the next call makes another attempt.
    flight.done.catch(() => {
      if (flights.get(id) === flight) flights.delete(id)
    })
    return flight
  }
  /** Joins the attempt that is running. After a failed one, the next call makes another. */
  const wait = async (id: string, capability: string, work: Parameters<typeof start>[1]): Promise<void> => {
    const known = flights.get(id)
    await (known === undefined || known.without.has(capability) ? start(id, work) : known).done
  }

  const make = (capability: string, spec: ResourceSpec, together: Together): Promise<void> =>
    wait(idOf(spec), capability, async (without) => {
      const cloud = await open()
      if (spec.name === sharedObject(project).name) {
        await makeLive({ ...base, cloud }, together, without)
      } else if (spec.name === adminWorker(project).name) {
        const objects = make(capability, sharedObject(project), together)
        const usable = objects.then(() => bindable(together, without))
        await hooks().makers.admin({ ...base, cloud }, usable)
      } else {
        // A workflow needs a class, and until the app has one the live worker provides it.
        if (spec.kind === 'workflow') await make(capability, sharedObject(project), together)
        await makeOwn({ ...base, cloud }, capability, spec)
      }
    })
  /** For resources that belong to one capability alone. */
  const makeOwn = async (work: Work, capability: string, spec: ResourceSpec): Promise<void> => {
    // The upload worker is bound to its bucket, so that must exist first.
    if (spec.kind === 'worker') {
      const bucket = { ...spec, kind: 'bucket' as const }
      await wait(idOf(bucket), capability, () => makeOwn(work, capability, bucket))
    }
    const { cloud } = work
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
   * Waits for the resources whose ids it is given and for the products that it is bound to. One that cannot be made must not fail
   * the other capabilities.
   */
  const makeLive = async (work: Work, together: Together, without: Set<string>): Promise<void> => {
    const resources = await specsOf()
    const bound = capabilitiesOf(together.enabled).filter((one) => one.liveBindings.length > 0)
    const [refused] = await Promise.all([
      Promise.all(bound.map(({ key }) => refusedOf(key, together, without))),
      ...capabilitiesOf(together.pending).map(async ({ key }) => {
        const named = resources(key).filter(({ kind }) => NAMED_IN_LIVE.includes(kind))
        if ((await problemOf(named.map((spec) => make(key, spec, together)))) !== null) without.add(key)
      }),
    ])
    const usable = new Set(together.enabled).difference(new Set(refused.flat()))
    await hooks().makers.live(work, usable)
  }
  /** Returns the key when the account refuses its product. While the account cannot tell, what was set up before stays bound. */
  const refusedOf = async (key: CapabilityKey, together: Together, without: Set<string>) => {
    const problem = await problemOf([requireProduct(key)])
    if (problem === null) return []
    if (!together.pending.has(key) && problem instanceof ProviderError && problem.retryable) return []
    without.add(key)
    return [key]
  }
  /**
   * Returns the capabilities whose resources the admin worker can be bound to. A bucket that cannot be made, or a product that
   * the account does not have, must not fail the other capabilities. Besides these it waits only for the live worker.
   */
  const bindable = async (together: Together, without: Set<string>): Promise<Set<string>> => {
    const resources = await specsOf()
    const bound = capabilitiesOf(together.enabled).filter((one) => one.operatorBindings(project).length > 0)
    const needsOf = (key: CapabilityKey) => {
      const specs = resources(key).filter(({ kind }) => kind !== 'worker')
      return [...specs.map((spec) => make(key, spec, together)), requireProduct(key)]
    }
    return await usableAmong(bound, needsOf, together, without)
  }
  /** Returns the capabilities whose needs could be made. For the others the worker is made again later. */
  const usableAmong = async (
    bound: readonly Capability[],
    needsOf: (key: CapabilityKey) => Promise<void>[],
    together: Together,
    without: Set<string>,
  ): Promise<Set<string>> => {
    const usable = await Promise.all(
      bound.map(async ({ key }) => {
        const problem = await problemOf(needsOf(key))
        if (problem === null) return [key]
        // What the worker is bound to already stays bound, because the attempt is retried.
        if (!together.pending.has(key) && problem instanceof ProviderError && problem.retryable) throw problem
        without.add(key)
        return []
      }),
    )
    return new Set(usable.flat())
  }
  const requireProduct = async (key: string): Promise<void> => {
    const require = PRODUCTS[key]
    if (require !== undefined) await wait(`product ${key}`, key, async () => require(await open()))
  }

  return {
    /**
     * Starts what belongs to one capability alone, before it is known with which others it will share workers. `generation` is
     * that of the settings used. Failures are reported by `provide`.
     */
    begin: (key: CapabilityKey, generation: number): void => {
      if (begun.has(key)) return
      begun.set(key, generation)
      const beginAll = async () => {
        const [cloud, resources] = await Promise.all([open(), specsOf()])
        for (const spec of resources(key).filter(isOwn))
          if (!flights.has(idOf(spec))) start(idOf(spec), () => makeOwn({ ...base, cloud }, key, spec))
      }
      all.add(beginAll().catch(() => {}))
    },
    /** Makes everything that a capability needs. Calls for what is being made already share its outcome. */
    provide: async (key: CapabilityKey, generation: number, together: Together): Promise<void> => {
      const specs = (await specsOf())(key)
      const madeBy = begun.get(key)
      begun.set(key, generation)
      // The settings have changed since it was started.
      if (madeBy !== undefined && madeBy !== generation)
        for (const spec of specs.filter(isOwn)) flights.get(idOf(spec))?.without.add(key)
      // Waits for all of them, also after a failure, because the outcome is stored then: a resource that is still being made
      // could outlive a deletion of the project.
      const problem = await problemOf([
        ...specs.map((spec) => make(key, spec, together)),
        requireProduct(key),
      ])
      if (problem !== null) throw problem
    },
    make,
    /** Waits until nothing is being made any more, including what was started meanwhile. */
    ended: async (): Promise<void> => {
      for (let count = -1; count < all.size;) {
        count = all.size
        await Promise.allSettled(all)
      }
    },
  }

  /** Returns whether the resource needs no other one to exist first. */
  function isOwn({ kind, name }: ResourceSpec): boolean {
    return kind !== 'workflow' && name !== sharedObject(project).name && name !== adminWorker(project).name
  }
}

const idOf = ({ kind, name }: ResourceSpec): string => `${kind} ${name}`

async function problemOf(all: Promise<void>[]): Promise<unknown> {
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected')
  return failed === undefined ? null : failed.reason
}

/** Stands in for the stored row: an existing resource is searched for in the account before its row is written. */
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
