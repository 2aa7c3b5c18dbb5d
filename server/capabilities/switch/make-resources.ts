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
import { ACTIONS } from '../actions.ts'

/**
 * Kinds of resources that must be created before the live worker is deployed, because its bindings contain their ids
 * or settings (`liveInAccount`).
 */
const MADE_BEFORE_LIVE_WORKER: readonly ResourceKind[] = ['widget', 'sfu_app', 'turn_key', 'ai_gateway']

/** The capabilities for which the live worker and the admin worker are deployed. */
export interface Together {
  enabled: ReadonlySet<string>
  /** The enabled capabilities that are being provisioned now. */
  pending: ReadonlySet<string>
}

/** An attempt to create a resource. It may be running or have succeeded. */
interface CreateAttempt {
  done: Promise<void>
  /** Capabilities that this attempt left out, or whose current settings it did not use. Another attempt is started for them. */
  without: Set<string>
}

interface MakeWork extends Omit<Work<MakingPorts>, 'cloud'> {
  open: () => Promise<Cloud>
}

/** Creates the resources of one project. A resource that several capabilities need is created once. */
export function makeResources({ open, ...base }: MakeWork) {
  const { platform, project } = base
  const flights = new Map<string, CreateAttempt>()
  /** Every attempt that was started, including failed ones, which are no longer in `flights`. */
  const all = new Set<Promise<void>>()
  const begun = new Map<string, number>()
  const specsOf = shared(async () => {
    const { accountId } = await open()
    // The upload worker keeps its original name when the project is renamed.
    const named = { ...project, uploads: await chooseUploadsName(platform.db, project, accountId) }
    return (key: CapabilityKey) => capabilityOf(key).resources(named)
  })

  const start = (id: string, work: (without: Set<string>) => Promise<void>): CreateAttempt => {
    const before = flights.get(id)?.done ?? Promise.resolve()
    const without = new Set<string>()
    const flight = { done: before.catch(() => {}).then(() => work(without)), without }
    flights.set(id, flight)
    all.add(flight.done)
    // Removes a failed attempt, so that the next call starts another one. Handling the rejection here also prevents
    // an unhandled one when no caller awaits the attempt; callers that do still get the error.
    flight.done.catch(() => {
      if (flights.get(id) === flight) flights.delete(id)
    })
    return flight
  }
  /**
   * Waits for the latest attempt to create this resource. Starts an attempt when there is none, or when the latest
   * one left this capability out.
   */
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
        // A workflow runs a class of a deployed worker. Until the app is deployed, that is a class of the live worker.
        if (spec.kind === 'workflow') await make(capability, sharedObject(project), together)
        await makeOwn({ ...base, cloud }, capability, spec)
      }
    })
  /** Creates a resource other than the live and the admin worker. */
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
   * Deploys the live worker after the resources whose ids are in its bindings were created and the products that it
   * is bound to were checked. When one of them fails, the worker is still deployed for the other capabilities.
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
        const named = resources(key).filter(({ kind }) => MADE_BEFORE_LIVE_WORKER.includes(kind))
        if ((await firstFailure(named.map((spec) => make(key, spec, together)))) !== null) without.add(key)
      }),
    ])
    const usable = new Set(together.enabled).difference(new Set(refused.flat()))
    await work.platform.makers.live(work, usable)
  }
  /**
   * Returns a list with the capability's key when the live worker must not be bound to its product, else an empty
   * list. It must not when the account refuses the product. When the account does not respond, an existing binding is
   * kept.
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
   * Returns the capabilities for which the admin worker can have its bindings. A bucket that cannot be created, or a
   * product that the account does not have, must not prevent the deployment for the other capabilities.
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
   * Returns the capabilities in `bound` whose resources could be created. The others are added to `without`, so that
   * the worker is deployed again once their resources exist.
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
        // The worker may already be bound to this capability. Leaving it out would remove that binding, so throw, and
        // the whole attempt is retried.
        if (!together.pending.has(key) && problem instanceof ProviderError && problem.retryable) throw problem
        without.add(key)
        return []
      }),
    )
    return new Set(usable.flat())
  }
  const requireProduct = async (key: CapabilityKey): Promise<void> => {
    const require = ACTIONS[key]?.requireProduct
    if (require !== undefined) await wait(`product ${key}`, key, async () => require(await open()))
  }

  return {
    /**
     * Starts to create those resources of a capability that need no other resource (`isOwn`), before it is known
     * which other capabilities are enabled at the same time. `generation` is that of the settings used. A failure is
     * reported by `provide`.
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
    /** Creates everything that a capability needs. Concurrent calls for one resource share its result. */
    provide: async (key: CapabilityKey, generation: number, together: Together): Promise<void> => {
      const specs = (await specsOf())(key)
      const madeBy = begun.get(key)
      begun.set(key, generation)
      // The settings were changed after `begin` had used them, so the resources that it created need another attempt.
      if (madeBy !== undefined && madeBy !== generation)
        for (const spec of specs.filter(isOwn)) flights.get(idOf(spec))?.without.add(key)
      // Waits for all resources even after one has failed, because the caller stores the result next. A deletion of the project waits only
      // until the result is stored, so a resource that is created later would remain in the account.
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

  /** Returns whether the resource can be created before any other. */
  function isOwn({ kind, name }: ResourceSpec): boolean {
    return kind !== 'workflow' && name !== sharedObject(project).name && name !== adminWorker(project).name
  }
}

const idOf = ({ kind, name }: ResourceSpec): string => `${kind} ${name}`

async function firstFailure(all: Promise<void>[]): Promise<unknown> {
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected')
  return failed === undefined ? null : failed.reason
}

/** The row with which the account is searched for a resource that is not registered yet. */
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
