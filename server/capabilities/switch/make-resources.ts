import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { readBindings } from '../../cloudflare/products/workers.ts'
import { ProviderError } from '../../lib/provider-error.ts'
import { memoizePromise } from '../../lib/shared.ts'
import { RESOURCE_KINDS } from '../../resources/kinds/table.ts'
import { liveName, type ResourceKind } from '../../resource-names.ts'
import { reserveResource } from '../../resources/registry.ts'
import { chooseUploadsName } from '../../resources/uploads-name.ts'
import type { MakingPorts, ResourceWork } from '../../resources/work.ts'
import { adminWorker, type ResourceSpec, sharedObject } from '../../capability-declaration/capability.ts'
import type { Capability } from '../../capability-declaration/capability.ts'
import { capabilitiesOf, capabilityOf } from '../../capability-catalog/catalog.ts'
import { ACTIONS } from '../actions.ts'
import { Attempts } from './attempts.ts'

/**
 * Kinds of resources that must be created before the live worker is deployed, because its bindings contain their ids
 * or settings (`readLive`).
 */
const MADE_BEFORE_LIVE_WORKER: readonly ResourceKind[] = ['widget', 'sfu_app', 'turn_key', 'ai_gateway']

/** The capabilities for which the live worker and the admin worker are deployed. */
export interface WorkerCapabilities {
  enabled: ReadonlySet<string>
  /** The enabled capabilities that are being provisioned now. */
  pending: ReadonlySet<string>
}

interface ResourceCreationWork extends Omit<ResourceWork<MakingPorts>, 'cloud'> {
  open: () => Promise<Cloud>
}

/** Creates the resources of one project. A resource that several capabilities need is created once. */
export class ResourceMaker {
  /** Opens the project's account. */
  readonly open: () => Promise<Cloud>
  readonly #work: Omit<ResourceCreationWork, 'open'>
  readonly #attempts = new Attempts()
  readonly #specsOf: () => Promise<(key: CapabilityKey) => readonly ResourceSpec[]>
  /** By capability, the generation of the settings with which its resources were last created. */
  readonly #begun = new Map<string, number>()
  #workerCapabilities: WorkerCapabilities = { enabled: new Set(), pending: new Set() }
  /** The capabilities that the last deployment of a shared worker omitted, by the worker's name. */
  readonly #omittedByWorker = new Map<string, Set<string>>()

  constructor({ open, ...work }: ResourceCreationWork) {
    this.#work = work
    this.open = open
    this.#specsOf = memoizePromise(async () => {
      const { platform, project } = work
      const { accountId } = await open()
      // The upload worker keeps its original name when the project is renamed.
      const named = { ...project, uploads: await chooseUploadsName(platform.db, project, accountId) }
      return (key: CapabilityKey) => capabilityOf(key).resources(named)
    })
  }

  /**
   * Starts to create those resources of a capability that depend on no other resource. At this time it is not yet known
   * which other capabilities are being enabled. `generation` identifies the current settings. A failure is reported by
   * `provide`.
   */
  begin(key: CapabilityKey, generation: number): void {
    if (this.#begun.has(key)) return
    this.#begun.set(key, generation)
    const beginAll = async () => {
      const [cloud, resources] = await Promise.all([this.open(), this.#specsOf()])
      for (const spec of resources(key))
        if (this.#isIndependent(spec) && !this.#attempts.has(idOf(spec)))
          void this.#attempts.start(idOf(spec), () =>
            this.#reserveAndMake({ ...this.#work, cloud }, key, spec),
          )
    }
    this.#attempts.include(beginAll())
  }

  /**
   * Sets the capabilities for which the live worker and the admin worker are deployed from now on. The workers are
   * deployed again for the `pending` capabilities, because an earlier deployment lacks these capabilities or has their
   * former settings.
   */
  deployFor(capabilities: WorkerCapabilities): void {
    this.#workerCapabilities = capabilities
    for (const omitted of this.#omittedByWorker.values())
      for (const key of capabilities.pending) omitted.add(key)
  }

  /** Creates everything that a capability needs. Concurrent calls for one resource share its result. */
  async provide(key: CapabilityKey, generation: number): Promise<void> {
    const specs = (await this.#specsOf())(key)
    const madeBy = this.#begun.get(key)
    this.#begun.set(key, generation)
    // The settings were changed after `begin` had used them, so the resources that `begin` created need another attempt.
    if (madeBy !== undefined && madeBy !== generation)
      for (const spec of specs) if (this.#isIndependent(spec)) this.#attempts.markOmitted(idOf(spec), [key])
    // Waits for all resources even after one has failed, because the caller stores the result next. A deletion of the project waits only
    // until the result is stored. A resource that is created later would remain in the account.
    const made = specs.map((spec) => this.make(key, spec))
    const problem = await firstFailure([...made, this.#requireProduct(key)])
    if (problem !== null) throw problem
  }

  make(capability: string, spec: ResourceSpec): Promise<void> {
    const [live, admin] = this.#sharedWorkers()
    return this.#attempts.share(idOf(spec), capability, async (omitted) => {
      const work = { ...this.#work, cloud: await this.open() }
      const capabilities = this.#workerCapabilities
      if (spec.name === live.name || spec.name === admin.name) this.#omittedByWorker.set(spec.name, omitted)
      if (spec.name === live.name) {
        await this.#makeLive(work, capabilities, omitted)
      } else if (spec.name === admin.name) {
        const objects = this.make(capability, live)
        const usable = objects.then(() => this.#bindable(capabilities, omitted))
        await work.platform.makers.admin(work, usable)
      } else {
        // A workflow runs a class of a deployed worker. Until the app is deployed, the live worker has this class.
        if (spec.kind === 'workflow') await this.make(capability, live)
        await this.#reserveAndMake(work, capability, spec)
      }
    })
  }

  /** Waits until every attempt has ended, including attempts that start during the wait. */
  ended(): Promise<void> {
    return this.#attempts.ended()
  }

  #sharedWorkers(): [live: ResourceSpec, admin: ResourceSpec] {
    const { project } = this.#work
    return [sharedObject(project), adminWorker(project)]
  }

  /** Returns whether the resource can be created without waiting for the live or the admin worker. */
  #isIndependent({ kind, name }: ResourceSpec): boolean {
    return kind !== 'workflow' && this.#sharedWorkers().every((one) => one.name !== name)
  }

  /** Creates a resource other than the live and the admin worker. */
  async #reserveAndMake(
    work: ResourceWork<MakingPorts>,
    capability: string,
    spec: ResourceSpec,
  ): Promise<void> {
    // The bucket must exist before the upload worker that is bound to it.
    if (spec.kind === 'worker') {
      const bucket = { ...spec, kind: 'bucket' as const }
      await this.#attempts.share(idOf(bucket), capability, () =>
        this.#reserveAndMake(work, capability, bucket),
      )
    }
    const { platform, project, cloud } = work
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
   * Deploys the live worker after the resources whose ids are in its bindings were created and the products that it is
   * bound to were checked. When a resource or a product check fails, the worker is still deployed for the other
   * capabilities.
   */
  async #makeLive(
    work: ResourceWork<'keyring' | 'makers'>,
    capabilities: WorkerCapabilities,
    omitted: Set<string>,
  ): Promise<void> {
    const resources = await this.#specsOf()
    const bound = capabilitiesOf(capabilities.enabled).filter((one) => one.liveBindings.length > 0)
    const [refused] = await Promise.all([
      Promise.all(bound.map((one) => this.#refusedOf(work, one, { capabilities, omitted }))),
      ...capabilitiesOf(capabilities.pending).map(async ({ key }) => {
        const named = resources(key).filter(({ kind }) => MADE_BEFORE_LIVE_WORKER.includes(kind))
        if ((await firstFailure(named.map((spec) => this.make(key, spec)))) !== null) omitted.add(key)
      }),
    ])
    const usable = new Set(capabilities.enabled).difference(new Set(refused.flat()))
    await work.platform.makers.live(work, usable)
  }

  /**
   * Returns a list with the capability's key when the account refuses the capability's product, because the live worker
   * must not be bound to a refused product. Otherwise returns an empty list. When the account does not respond, an
   * existing binding is kept.
   */
  async #refusedOf(
    { cloud, project }: ResourceWork,
    { key, liveBindings }: Capability,
    { capabilities, omitted }: { capabilities: WorkerCapabilities; omitted: Set<string> },
  ) {
    const problem = await firstFailure([this.#requireProduct(key)])
    if (problem === null) return []
    if (problem instanceof ProviderError && problem.retryable) {
      if (!capabilities.pending.has(key)) return []
      const found = await readBindings(cloud, liveName(project))
      if (liveBindings.every(({ name }) => found?.some((one) => one.name === name))) return []
    }
    omitted.add(key)
    return [key]
  }

  /**
   * Returns the capabilities for which the admin worker can have its bindings. A bucket that cannot be created, or a
   * product that the account does not have, must not prevent the deployment for the other capabilities. The keys of the
   * failed capabilities are added to `omitted`, so that the worker is deployed again once their resources exist.
   */
  async #bindable(capabilities: WorkerCapabilities, omitted: Set<string>): Promise<Set<string>> {
    const resources = await this.#specsOf()
    const { project } = this.#work
    const bound = capabilitiesOf(capabilities.enabled).filter(
      (one) => one.operatorBindings(project).length > 0,
    )
    const usable = await Promise.all(
      bound.map(async ({ key }) => {
        const specs = resources(key).filter(({ kind }) => kind !== 'worker')
        const made = specs.map((spec) => this.make(key, spec))
        const problem = await firstFailure([...made, this.#requireProduct(key)])
        if (problem === null) return [key]
        // The worker may already have the binding of this capability. Leaving the capability out would remove the
        // binding, so the error is thrown and the whole attempt is retried.
        if (!capabilities.pending.has(key) && problem instanceof ProviderError && problem.retryable)
          throw problem
        omitted.add(key)
        return []
      }),
    )
    return new Set(usable.flat())
  }

  async #requireProduct(key: CapabilityKey): Promise<void> {
    const require = ACTIONS[key]?.requireProduct
    if (require === undefined) return
    await this.#attempts.share(`product ${key}`, key, async () => require(await this.open()))
  }
}

const idOf = ({ kind, name }: ResourceSpec): string => `${kind} ${name}`

async function firstFailure(all: Promise<void>[]): Promise<unknown> {
  const failed = (await Promise.allSettled(all)).find((one) => one.status === 'rejected')
  return failed === undefined ? null : failed.reason
}

/** A placeholder row for the lookup of an unregistered resource in the account. */
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
