import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { readBindings } from '../../cloudflare/workers.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { shared } from '../../lib/shared.ts'
import { RESOURCE_KINDS } from '../../resources/kinds/table.ts'
import { liveName, type ResourceKind } from '../../resource-names.ts'
import { reserveResource } from '../../resources/registry.ts'
import { chooseUploadsName } from '../../resources/uploads-name.ts'
import type { MakingPorts, Work } from '../../resources/work.ts'
import { adminWorker, type ResourceSpec, sharedObject } from '../../capability-declaration/capability.ts'
import type { Capability } from '../../capability-declaration/capability.ts'
import { capabilitiesOf, capabilityOf } from '../../capability-catalog/catalog.ts'
import { REQUIRED_PRODUCTS } from './products.ts'

/** Kinds that must be made before the live worker, because its bindings contain their ids or settings (`liveInAccount`). */
const NAMED_IN_LIVE: readonly ResourceKind[] = ['widget', 'sfu_app', 'turn_key', 'ai_gateway']

/** The capabilities for which the shared workers are made. */
export interface Together {
  enabled: ReadonlySet<string>
  /** The enabled capabilities that are being provisioned now. */
  pending: ReadonlySet<string>
}

/** An attempt to make a resource, running or finished. */
interface Flight {
  done: Promise<void>
  /** Capabilities whose current settings this attempt did not use. The resource is made again for them. */
  without: Set<string>
}

interface MakeWork extends Omit<Work<MakingPorts>, 'cloud'> {
  open: () => Promise<Cloud>
}

/** Makes the resources of one project. A resource that several capabilities need is made once. */
export function makeResources({ open, ...base }: MakeWork) {
  const { platform, project } = base
  const flights = new Map<string, Flight>()
  /** Every attempt that was started, including failed ones, which are no longer in `flights`. */
  const all = new Set<Promise<void>>()
  const begun = new Map<string, number>()
  const specsOf = shared(async () => {
    const { accountId } = await open()
    // The upload worker keeps its first name after the project is renamed.
    const named = { ...project, uploads: await chooseUploadsName(platform.db, project, accountId) }
    return (key: CapabilityKey) => capabilityOf(key).resources(named)
  })

  const start = (id: string, work: (without: Set<string>) => Promise<void>): Flight => {
    const before = flights.get(id)?.done ?? Promise.resolve()
    const without = new Set<string>()
    const flight = { done: before.catch(() => {}).then(() => work(without)), without }
    flights.set(id, flight)
    all.add(flight.done)
    // Prevents an unhandled rejection while no caller waits yet. Callers receive the error, and the next call makes another attempt.
    flight.done.catch(() => {
      if (flights.get(id) === flight) flights.delete(id)
    })
    return flight
  }
  /** Waits for the attempt that is running. After a failed attempt, the next call makes another. */
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
        await base.platform.makers.admin({ ...base, cloud }, usable)
      } else {
        // A workflow runs a class of a deployed worker. Until the app has one, that is the live worker.
        if (spec.kind === 'workflow') await make(capability, sharedObject(project), together)
        await makeOwn({ ...base, cloud }, capability, spec)
      }
    })
  /** Makes a resource that belongs to one capability alone. */
  const makeOwn = async (work: Work<MakingPorts>, capability: string, spec: ResourceSpec): Promise<void> => {
    // The bucket must exist before the upload worker that is bound to it.
    if (spec.kind === 'worker') {
      const bucket = { ...spec, kind: 'bucket' as const }
      await wait(idOf(bucket), capability, () => makeOwn(work, capability, bucket))
    }
    const { cloud } = work
    const kind = RESOURCE_KINDS[spec.kind]
    const key = { orgId: project.org_id, projectId: project.id, accountId: cloud.accountId, ...spec }
    const row = await reserveResource(platform, key, {
      tier: 'shared',
      capability,
      exists: async () => (await kind.find(cloud, unknownRow(cloud, spec), work)) !== 'missing',
    })
    await kind.make(work, { ...row, kind: spec.kind })
  }
  /**
   * Makes the live worker, after the resources whose ids it contains and the products that it is bound to. When one of them cannot be made,
   * the other capabilities are still bound.
   */
  const makeLive = async (
    work: Work<'keyring' | 'makers'>,
    together: Together,
    without: Set<string>,
  ): Promise<void> => {
    const resources = await specsOf()
    const bound = capabilitiesOf(together.enabled).filter((one) => one.liveBindings.length > 0)
    const [refused] = await Promise.all([
      Promise.all(bound.map((one) => refusedOf(work, one, { together, without }))),
      ...capabilitiesOf(together.pending).map(async ({ key }) => {
        const named = resources(key).filter(({ kind }) => NAMED_IN_LIVE.includes(kind))
        if ((await firstFailure(named.map((spec) => make(key, spec, together)))) !== null) without.add(key)
      }),
    ])
    const usable = new Set(together.enabled).difference(new Set(refused.flat()))
    await work.platform.makers.live(work, usable)
  }
  /**
   * Returns the capability's key in a list if the account refuses the product that it needs, else an empty
   * list. When the account does not respond, an existing binding is kept.
   */
  const refusedOf = async (
    { cloud }: Work,
    { key, liveBindings }: Capability,
    { together, without }: { together: Together; without: Set<string> },
  ) => {
    const problem = await firstFailure([requireProduct(key)])
    if (problem === null) return []
    if (problem instanceof ProviderError && problem.retryable) {
      if (!together.pending.has(key)) return []
      const found = await readBindings(cloud, liveName(project))
      if (liveBindings.every(({ name }) => found?.some((one) => one.name === name))) return []
    }
    without.add(key)
    return [key]
  }
  /**
   * Returns the capabilities whose resources the admin worker can be bound to. A bucket that cannot be made, or a product that the account
   * does not have, must not fail the other capabilities. Besides these it waits only for the live worker.
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
  /**
   * Returns the capabilities whose resources could be made. The worker is deployed without the others, and again once their resources
   * exist.
   */
  const usableAmong = async (
    bound: readonly Capability[],
    needsOf: (key: CapabilityKey) => Promise<void>[],
    together: Together,
    without: Set<string>,
  ): Promise<Set<string>> => {
    const usable = await Promise.all(
      bound.map(async ({ key }) => {
        const problem = await firstFailure(needsOf(key))
        if (problem === null) return [key]
        // Throws instead of leaving out a capability that the worker is already bound to, because the whole attempt is retried.
        if (!together.pending.has(key) && problem instanceof ProviderError && problem.retryable) throw problem
        without.add(key)
        return []
      }),
    )
    return new Set(usable.flat())
  }
  const requireProduct = async (key: string): Promise<void> => {
    const require = REQUIRED_PRODUCTS[key]
    if (require !== undefined) await wait(`product ${key}`, key, async () => require(await open()))
  }

  return {
    /**
     * Starts to make the resources of one capability alone, before it is known with which others it will share workers. `generation` is
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
    /** Makes everything that a capability needs. Concurrent calls for one resource share its result. */
    provide: async (key: CapabilityKey, generation: number, together: Together): Promise<void> => {
      const specs = (await specsOf())(key)
      const madeBy = begun.get(key)
      begun.set(key, generation)
      // The settings have changed since `begin` used them.
      if (madeBy !== undefined && madeBy !== generation)
        for (const spec of specs.filter(isOwn)) flights.get(idOf(spec))?.without.add(key)
      // Waits for all resources even after one has failed, because the result is stored next. A resource still being made could otherwise
      // outlive a deletion of the project.
      const problem = await firstFailure([
        ...specs.map((spec) => make(key, spec, together)),
        requireProduct(key),
      ])
      if (problem !== null) throw problem
    },
    make,
    /** Waits until every attempt has ended, including attempts that start during the wait. */
    ended: async (): Promise<void> => {
      for (let count = -1; count < all.size;) {
        count = all.size
        await Promise.allSettled(all)
      }
    },
  }

  /** Returns whether the resource can be made before any other. */
  function isOwn({ kind, name }: ResourceSpec): boolean {
    return kind !== 'workflow' && name !== sharedObject(project).name && name !== adminWorker(project).name
  }
}

const idOf = ({ kind, name }: ResourceSpec): string => `${kind} ${name}`

async function firstFailure(all: Promise<void>[]): Promise<unknown> {
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected')
  return failed === undefined ? null : failed.reason
}

/** A placeholder for a row that is not stored yet. The account is searched for the resource before its row is written. */
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
