import assert from 'node:assert/strict'
import { starterTree } from '../../agent/source/tree.ts'
import { type CloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'

const MANIFEST = {
  slipway: 1,
  name: 'Shop',
  uses: ['auth', 'pay'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const HOME = `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`

export interface StripeObject {
  id: string
  [field: string]: unknown
}

export interface PayRead {
  enabled: boolean
  provision: { state: string; error: { code: string; message: string } | null }
  hasStripeKey: boolean
  hasStripeTestKey: boolean
  keyCheck: { ok: boolean; mode: string; missing: { mode: string; permission: string }[] } | null
}

let shops = 0

/** A project with payments enabled, and the Stripe account of its keys. */
export class Shop {
  readonly person: Client
  readonly project: { id: string; slug: string }
  readonly path: string
  readonly #cloud: CloudApp
  /** Keys of a Stripe account that no other test uses. */
  readonly keys: { live: string; test: string }

  private constructor(cloud: CloudApp, made: Awaited<ReturnType<CloudApp['personWithProject']>>) {
    this.#cloud = cloud
    this.person = made.person
    this.project = made.project
    this.path = made.path
    const account = `shop${process.pid}n${(shops += 1)}`
    this.keys = { live: `sk_live_local_${account}`, test: `sk_test_local_${account}` }
  }

  static async open(cloud: CloudApp): Promise<Shop> {
    return new Shop(cloud, await cloud.personWithProject('Shop'))
  }

  /** Saves these secrets, enables or disables payments and waits until the resources are provisioned. */
  async turnOn(secrets?: Record<string, string | null>, enabled = true) {
    const answer = await this.put(enabled, secrets)
    assert.equal(answer.error, undefined)
    await this.settled()
    return await this.read()
  }

  put(enabled: boolean, secrets?: Record<string, string | null>) {
    const body = { enabled, ...(secrets && { secrets }) }
    return this.person.call<PayRead>(`PUT ${this.path}/capabilities/pay`, body)
  }

  async read(): Promise<PayRead> {
    return (await this.person.call<PayRead>(`GET ${this.path}/capabilities/pay`)).data
  }

  async settled(): Promise<void> {
    await until(async () => {
      const { rows } = await this.#cloud.app.platform.pool.query(
        `select 1 from pgboss.job where state in ('created', 'retry', 'active') and data->>'projectId' = $1`,
        [this.project.id],
      )
      return rows.length === 0
    }, 120_000)
  }

  async ship(): Promise<string> {
    const tree = new Map([
      ...starterTree('Shop'),
      ['app.json', JSON.stringify(MANIFEST)],
      ['web/pages/Home.tsx', HOME],
    ])
    await this.#cloud.build(this.project.id, tree)
    const { data, error } = await this.person.call<{ url: string }>(`POST ${this.path}/deploy`)
    assert.equal(error, undefined)
    return data.url
  }

  call<T = unknown>(route: string, body?: object) {
    const [method, path] = route.split(' ')
    return this.person.call<T>(`${method} ${this.path}/pay/${path}`, body)
  }

  /** Calls the stand-in for Stripe directly. */
  async stripe<T = StripeObject>(
    path: string,
    key = this.keys.live,
    form?: Record<string, string>,
  ): Promise<T> {
    const answer = await fetch(`${this.#cloud.world.restUrl}/v1/${path}`, {
      method: form === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}` },
      ...(form !== undefined && { body: new URLSearchParams(form) }),
    })
    return (await answer.json()) as T
  }

  async listed(path: string, key = this.keys.live): Promise<StripeObject[]> {
    return (await this.stripe<{ data: StripeObject[] }>(path, key)).data
  }

  /** Creates a restricted key of the account, as a person does on Stripe's dashboard. */
  async restrictedKey(mode: 'live' | 'test', levels: Record<string, string>): Promise<string> {
    const account = this.keys.live.replace('sk_live_local_', '')
    const body = new URLSearchParams({ do: 'create', account, mode, ...levels })
    const answer = await fetch(`${this.#cloud.world.restUrl}/stripe/keys`, { method: 'POST', body })
    return /rk_\w+/.exec(await answer.text())?.[0] ?? ''
  }

  async revoke(key: string): Promise<void> {
    const body = new URLSearchParams({ do: 'revoke', key })
    await fetch(`${this.#cloud.world.restUrl}/stripe/keys`, { method: 'POST', body })
  }
}

export async function addStripeFault(
  { world }: CloudApp,
  match: { method?: string; path?: string; nth?: number; times?: number },
  effect: object,
): Promise<void> {
  await fetch(`${world.restUrl}/_control/faults`, {
    method: 'POST',
    headers: { authorization: `Bearer ${world.controlToken}` },
    body: JSON.stringify({ match: { provider: 'stripe', ...match }, do: effect }),
  })
}

export async function clearStripeFaults({ world }: CloudApp): Promise<void> {
  await fetch(`${world.restUrl}/_control/faults`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${world.controlToken}` },
  })
}
