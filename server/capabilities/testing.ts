import assert from 'node:assert/strict'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import * as z from 'zod'
import { type CloudApp, type DeployState, until, wordAt } from '../releases/testing.ts'
import { appUsing } from '../testing/apps/everything-app.ts'
import type { Client } from '../testing/app.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import type { Cloud } from '../cloudflare/client.ts'

export const STEPS = ['on', 'ship', 'settings', 'ship again', 'off', 'teardown'] as const
export type Step = (typeof STEPS)[number]

/** Returns valid settings other than the defaults: the first example of each setting that declares one. */
export const exampleSettings = (key: CapabilityKey): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(capabilityOf(key).settings.shape).flatMap(([name, field]) => {
      const { examples } = z.globalRegistry.get(field) ?? {}
      return Array.isArray(examples) ? [[name, examples[0]]] : []
    }),
  )

const Settings = z.object({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })),
})
const Versions = z.object({ items: z.array(z.object({ id: z.string() })) })
const Queues = z.array(
  z.object({ queue_name: z.string(), consumers: z.array(z.looseObject({ settings: z.looseObject({}) })) }),
)

/** Removes the number of versions from each description of a worker, because this number depends on how often an upload was repeated. */
export const withoutVersions = (held: string[]): string[] =>
  held.map((one) => one.replace(/versions \d+ /, ''))

const Named = z.object({ id: z.string() })
const Namespaces = z.array(z.object({ script: z.string(), class: z.string() }))
const Buckets = z.object({ buckets: z.array(z.object({ name: z.string() })) })
const Queue = z.object({ queue_name: z.string() })
const CallsItem = z.object({ name: z.string() })
const Workflow = z.object({ name: z.string(), script_name: z.string() })
const Widget = z.object({ name: z.string(), mode: z.string(), domains: z.array(z.string()) })

/** Reads the resources from the account itself and not from the service's tables. Returns `kind name` for each, sorted. */
export async function readAccount(cloud: CloudApp, orgId: string): Promise<string[]> {
  const { accountId } = await cloud.accountOf(orgId)
  const { credential } = await cloud.app.platform.accounts.requireCloud(orgId)
  const authorization = `Bearer ${await credential().token()}`
  const base = `${cloud.world.restUrl}/cloudflare/client/v4/accounts/${accountId}`
  async function list<T>(path: string, result: z.ZodType<T>): Promise<T> {
    const answer = await fetch(`${base}${path}?per_page=100`, { headers: { authorization } })
    return z.object({ result }).parse(await answer.json()).result
  }
  const [workers, namespaces, { buckets }, queues, widgets, ...others] = await Promise.all([
    list('/workers/scripts', z.array(Named)),
    list('/workers/durable_objects/namespaces', Namespaces),
    list('/r2/buckets', Buckets),
    list('/queues', z.array(Queue)),
    list('/challenges/widgets', z.array(Widget)),
    list('/calls/apps', z.array(CallsItem)),
    list('/calls/turn_keys', z.array(CallsItem)),
    list('/ai-gateway/gateways', z.array(Named)),
    list('/workflows', z.array(Workflow)),
  ])
  const [apps, keys, gateways, workflows] = others
  return [
    ...workers.map(({ id }) => `worker ${id}`),
    ...namespaces.map((one) => `object_namespace ${one.script} ${one.class}`),
    ...buckets.map(({ name }) => `bucket ${name}`),
    ...queues.map(({ queue_name }) => `queue ${queue_name}`),
    ...widgets.map(({ name }) => `widget ${name}`),
    ...apps.map(({ name }) => `sfu_app ${name}`),
    ...keys.map(({ name }) => `turn_key ${name}`),
    ...gateways.map(({ id }) => `ai_gateway ${id}`),
    ...workflows.map(({ name }) => `workflow ${name}`),
  ].toSorted()
}

interface CloudContents {
  workers: { name: string; isOnSubdomain: boolean }[]
  namespaces: { script: string; className: string }[]
  buckets: { name: string }[]
  queues: { name: string }[]
}

/** Returns a capability together with the capabilities that its default settings enable. */
export function withDependencies(key: CapabilityKey): CapabilityKey[] {
  const { dependsOn, settings } = capabilityOf(key)
  return [key, ...dependsOn(settings.parse({})).flatMap(withDependencies)]
}

/** Splits the items into sets of at most `size`, in their order. */
export const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, n) => items.slice(n * size, (n + 1) * size))

/**
 * A project with its own cloud account, for tests that enable capabilities, deploy, change settings, disable them and
 * delete the project step by step.
 */
export class Walk {
  readonly #cloud: CloudApp
  readonly account: Cloud
  readonly person: Client
  readonly #project: { id: string; slug: string }
  readonly #keys: readonly CapabilityKey[]
  readonly #path: string
  #isChanged = false

  private constructor(
    cloud: CloudApp,
    account: Cloud,
    keys: readonly CapabilityKey[],
    made: PersonWithProject,
  ) {
    this.#cloud = cloud
    this.account = account
    this.#keys = keys
    this.person = made.person
    this.#project = made.project
    this.#path = made.path
  }

  static async begin(cloud: CloudApp, keys: readonly CapabilityKey[]): Promise<Walk> {
    const made = await cloud.personWithProject('Plants')
    const walk = new Walk(cloud, await cloud.accountOf(made.person.organizationId), keys, made)
    await walk.#build('one')
    return walk
  }

  /** Runs a step and waits until it has ended. Returns the reason of its failure, or null. */
  async take(step: Step): Promise<string | null> {
    switch (step) {
      case 'on':
        return await this.#putAll(() => ({ enabled: true }))
      case 'ship':
        return await this.#ship('one')
      case 'settings':
        return await this.#putAll((key) => ({ enabled: true, settings: exampleSettings(key) }))
      case 'ship again':
        if (!this.#isChanged) await this.#build('two')
        this.#isChanged = true
        return await this.#ship('two')
      case 'off':
        return await this.#putAll(() => ({ enabled: false }))
      default:
        return await this.#tearDown()
    }
  }

  /**
   * Describes the contents of the account without ids and names that differ by project, so that the descriptions of
   * two projects with the same capabilities can be compared.
   */
  async held(): Promise<string[]> {
    const { restUrl, controlToken } = this.#cloud.world
    const answer = await fetch(`${restUrl}/_control/resources?account=${this.account.accountId}`, {
      headers: { authorization: `Bearer ${controlToken}` },
    })
    const { workers, namespaces, buckets, queues } = (await answer.json()) as CloudContents
    const described = await Promise.all(workers.map((worker) => this.#describe(worker)))
    const widgets = await this.#look('/challenges/widgets', z.array(Widget))
    const apps = await this.#look('/calls/apps', z.array(CallsItem))
    const keys = await this.#look('/calls/turn_keys', z.array(CallsItem))
    const gateways = await this.#look('/ai-gateway/gateways', z.array(Named))
    const workflows = await this.#look('/workflows', z.array(Workflow))
    return [
      ...described,
      ...namespaces.map(({ script, className }) => `objects ${script} ${className}`),
      ...buckets.map(({ name }) => `bucket ${name}`),
      ...(queues.length === 0 ? [] : await this.#describeQueues()),
      ...gateways.map(({ id }) => `gateway ${id}`),
      ...workflows.map((one) => `workflow ${one.name} run by ${one.script_name}`),
      ...widgets.map(({ name, mode, domains }) => {
        // Keeps the first label only, because the rest of a host name differs by account.
        const hosts = domains.map((domain) => domain.split('.')[0]).toSorted()
        return `widget ${name} ${mode} ${hosts.join(' ')}`
      }),
      ...apps.map(({ name }) => `sfu_app ${name}`),
      ...keys.map(({ name }) => `turn_key ${name}`),
    ].toSorted()
  }

  /** Returns the resources according to the service's tables. */
  async registered(): Promise<string[]> {
    const { status, data } = await this.person.call<{ managed: { kind: string; name: string }[] }>(
      `GET ${this.#path}/deployments`,
    )
    return status === 404 ? [] : data.managed.map(({ kind, name }) => `${kind} ${name}`).toSorted()
  }

  /** Calls Cloudflare's API without the service's client, whose rate limiter would delay the calls. */
  async #look<T>(path: string, result: z.ZodType<T>): Promise<T> {
    const { accounts } = this.#cloud.app.platform
    const { credential } = await accounts.requireCloud(this.person.organizationId)
    const { accountId } = this.account
    const url = `${this.#cloud.world.restUrl}/cloudflare/client/v4/accounts/${accountId}${path}`
    const answer = await fetch(url, { headers: { authorization: `Bearer ${await credential().token()}` } })
    return z.object({ result }).parse(await answer.json()).result
  }

  async #describe({ name, isOnSubdomain }: CloudContents['workers'][number]): Promise<string> {
    const script = `/workers/scripts/${name}`
    const { bindings } = await this.#look(`${script}/settings`, Settings)
    const { items } = await this.#look(`${script}/versions`, Versions)
    // Leaves out the values of keys and ids, because they differ by project.
    const text = ({ name, text }: (typeof bindings)[number]) =>
      SETTINGS.has(name) || FOUND_IN_ACCOUNT.test(name) ? `${name}=${text}` : name
    const bound = bindings.map(text).toSorted().join(' ')
    return `worker ${name} ${isOnSubdomain ? 'public' : 'hidden'} versions ${items.length} ${bound}`
  }

  async #describeQueues(): Promise<string[]> {
    const queues = await this.#look('/queues', Queues)
    return queues.map(({ queue_name, consumers }) => {
      const taken = consumers.map(({ settings }) => JSON.stringify(settings))
      return `queue ${queue_name} ${taken.join(' ')}`
    })
  }

  async #build(word: string): Promise<void> {
    const used = this.#keys.flatMap(withDependencies)
    await this.#cloud.build(this.#project.id, appUsing([...new Set(used)], word))
  }

  /**
   * Sends the change to every capability and waits until no job of the project is left. Returns the reason of a
   * failure, or null.
   */
  async #putAll(body: (key: CapabilityKey) => object): Promise<string | null> {
    const route = (key: string) => `${this.#path}/capabilities/${key}`
    for (const key of this.#keys) {
      const { status, error } = await this.person.call(`PUT ${route(key)}`, body(key))
      if (status !== 200) return `${key}: ${error?.message}`
    }
    await until(async () => !(await this.#isBusy()), 120_000)
    for (const key of this.#keys) {
      const { data } = await this.person.call<{ provision: Provision }>(`GET ${route(key)}`)
      assert.notEqual(data.provision.state, 'creating', key)
      if (data.provision.error !== null) return `${key}: ${data.provision.error.message}`
    }
    return null
  }

  /** Returns whether a job of the project is waiting or running. */
  async #isBusy(): Promise<boolean> {
    const { rows } = await this.#cloud.app.platform.pool.query(
      `select 1 from pgboss.job where state in ('created', 'retry', 'active') and data->>'projectId' = $1`,
      [this.#project.id],
    )
    return rows.length > 0
  }

  async #ship(word: string): Promise<string | null> {
    const { status, data, error } = await this.person.call<DeployState>(`POST ${this.#path}/deploy`)
    if (status !== 200) return String(error?.message)
    assert.equal(data.state, 'live')
    assert.equal(await wordAt(data.url ?? ''), word)
    return null
  }

  /** Repeats the deletion of the project until nothing remains, because on a busy machine one call does not finish it. */
  async #tearDown(): Promise<string | null> {
    for (let left = Infinity; ;) {
      const { status, data, error } = await this.person.call<Teardown>(`DELETE ${this.#path}`)
      if (status !== 200) return String(error?.message)
      const { remaining, failed } = data.teardown
      if (remaining === 0) return null
      if (failed.length > 0 || remaining >= left) return JSON.stringify(data.teardown)
      left = remaining
    }
  }
}

type PersonWithProject = Awaited<ReturnType<CloudApp['personWithProject']>>
interface Provision {
  state: string
  error: { message: string } | null
}
interface Teardown {
  teardown: { remaining: number; failed: object[] }
}

/** The variables that contain a capability's settings, without variables that differ by project even if the settings are equal. */
const SETTINGS: ReadonlySet<string> = new Set(
  CAPABILITY_KEYS.flatMap((key) => {
    const { settings, variables, uploadVariables } = capabilityOf(key)
    const defaults = settings.parse({})
    const one = { ...variables(defaults, 'one'), ...uploadVariables(defaults) }
    const other: Record<string, string> = { ...variables(defaults, 'other'), ...uploadVariables(defaults) }
    return Object.keys(one).filter((name) => one[name] === other[name])
  }),
)
/** The variables with the names of the account's AI gateway and model, and with the list of the app's capabilities. */
const FOUND_IN_ACCOUNT = /^AI_(GATEWAY|MODEL)$|^APP_CAPABILITIES$/
