import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Stripe } from 'stripe'
import * as z from 'zod'
import { starterTree } from '../agent/source/tree.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { cloudFetch } from '../cloudflare/fetch.ts'
import { findQueue, removeConsumers } from '../cloudflare/products/queues.ts'
import { putWorker, readBindings, rebind } from '../cloudflare/products/workers.ts'
import type { Client } from '../testing/app.ts'
import { type CloudApp, openCloudApp, until } from './testing.ts'
import { leaves } from '../testing/effects.ts'

const SECRET = 'whsec_of_the_payment_provider'
const JOB = `import { data, type HookEvent } from '@slipway/app/server'

export default async ({ body }: HookEvent) => {
  await data.system.create('sales', { what: (body as { id: string }).id })
}
`
const TIDY = `export default () => {}\n`

function shop(uses: string[], { word = 'one', retries = 1 } = {}) {
  const manifest = {
    slipway: 1,
    name: 'Shop',
    uses,
    pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
    collections: {
      payments: {
        partition: 'app',
        read: 'public',
        write: 'nobody',
        fields: {
          body: { type: 'json' },
          status: { type: 'enum', values: ['received', 'handled', 'failed'] },
        },
      },
      sales: { partition: 'app', read: 'public', write: 'nobody', fields: { what: { type: 'text' } } },
    },
    ...(uses.includes('hook') && {
      hooks: [{ name: 'pay', scheme: 'stripe', collection: 'payments', handler: 'on-payment' }],
    }),
    ...(uses.includes('schedule') && {
      schedules: [{ name: 'tidy', every: 'day at 03:00', handler: 'tidy' }],
    }),
    ...(uses.includes('queue') && { queues: [{ name: 'letters', handler: 'tidy', retries }] }),
  }
  return new Map([
    ...starterTree('Shop'),
    ['app.json', JSON.stringify(manifest)],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">${word}</Page>\n`,
    ],
    ...(uses.includes('hook') ? ([['server/jobs/on-payment.ts', JOB]] as const) : []),
    ['server/jobs/tidy.ts', TIDY],
  ])
}

interface Listed {
  id: string
  status?: string
  what?: string
}
interface Readiness {
  ready: boolean
  failed: { key: string; reason: string }[]
  missing: { key: string; reason: string }[]
}

class Shop {
  readonly operator: Client
  readonly slug: string
  readonly account: Cloud
  readonly #cloud: CloudApp
  readonly #id: string
  readonly at: string

  private constructor(
    cloud: CloudApp,
    account: Cloud,
    made: Awaited<ReturnType<CloudApp['personWithProject']>>,
  ) {
    this.#cloud = cloud
    this.account = account
    this.operator = made.person
    this.slug = made.project.slug
    this.#id = made.project.id
    this.at = made.path
  }

  static async open(cloud: CloudApp, keys: string[]): Promise<Shop> {
    const made = await cloud.personWithProject('Shop')
    const shop = new Shop(cloud, await cloud.accountOf(made.person.organizationId), made)
    for (const key of keys) await shop.put(key, key === 'hook' ? ENDPOINT : {})
    return shop
  }

  async put(key: string, change: object): Promise<void> {
    const { error } = await this.operator.call(`PUT ${this.at}/capabilities/${key}`, {
      enabled: true,
      ...change,
    })
    assert.equal(error, undefined)
  }

  async tryShip(tree: ReturnType<typeof shop>): Promise<string | undefined> {
    await this.#cloud.build(this.#id, tree)
    return (await this.operator.call(`POST ${this.at}/deploy`)).error?.message
  }

  async ship(tree: ReturnType<typeof shop>): Promise<void> {
    assert.equal(await this.tryShip(tree), undefined)
  }

  get url(): string {
    return this.account.appUrl(this.slug)
  }

  async pay(id: string): Promise<number> {
    const payload = JSON.stringify({ id })
    const answer = await cloudFetch(`${this.url}/_app/hook/pay`, {
      method: 'POST',
      headers: { 'stripe-signature': Stripe.webhooks.generateTestHeaderString({ payload, secret: SECRET }) },
      body: payload,
    })
    return answer.status
  }

  async sales(): Promise<string[]> {
    const answer = await cloudFetch(`${this.url}/_app/data/sales`)
    const { data } = (await answer.json()) as { data: { items: Listed[] } }
    return data.items.map(({ what }) => String(what))
  }

  async payments(): Promise<Listed[]> {
    return (await this.operator.call<Listed[]>(`GET ${this.at}/capabilities/data/records/payments`)).data
  }

  /** Returns the capabilities that may use the live worker's binding to the app, or null without this binding. */
  async callers(): Promise<string[] | null> {
    const bound = await readBindings(this.account, `${this.slug}-live`)
    const list = bound?.find(({ name }) => name === 'APP_CALLERS')?.text
    assert.equal(list !== undefined, bound?.some(({ name }) => name === 'APP') === true)
    return list === undefined ? null : (JSON.parse(list) as string[])
  }

  /** Returns how often the provider redelivers a message of the queue, or null without a consumer. */
  async repeats(): Promise<number | null> {
    const queue = await findQueue(this.account, `${this.slug}-jobs`)
    const settings = z.looseObject({ settings: z.looseObject({ max_retries: z.number() }) })
    const [consumer] = queue?.consumers ?? []
    return consumer === undefined ? null : settings.parse(consumer).settings.max_retries
  }

  async readiness(): Promise<Readiness> {
    return (await this.operator.call<{ readiness: Readiness }>(`GET ${this.at}/deploy/readiness`)).data
      .readiness
  }

  /** Makes the admin worker refuse every request, so that the next deployment fails when it activates the release there. */
  async refuseOperator(): Promise<void> {
    const refusal = `{ ok: false, error: { code: 'conflict', message: 'not now' } }`
    await putWorker(this.account, `${this.slug}-admin`, {
      mainModule: 'index.js',
      modules: { 'index.js': `export default { fetch: () => Response.json(${refusal}, { status: 409 }) }` },
      bindings: [],
      tags: [],
      compatibility: { date: '2026-06-01', flags: [] },
    })
  }
}

const ENDPOINT = { settings: { endpoints: { pay: {} } }, secrets: { paySecret: SECRET } }

describe('queues, schedules and webhooks that call an app', () => {
  let cloud: CloudApp
  before(async () => {
    cloud = await openCloudApp()
  })
  after(() => cloud.close())

  test('an app whose webhook endpoint was set up before the first release handles messages as soon as it is live', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.upload': 'some',
      },
      jobs: { deploy: 1, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data', 'hook'])
    await one.ship(shop(['data', 'hook']))
    assert.deepEqual(await one.callers(), ['hook'])
    assert.equal(await one.pay('evt_1'), 202)
    await until(async () => (await one.payments())[0]?.status === 'handled')
    assert.deepEqual(await one.sales(), ['evt_1'])
  })

  test('an archived project with webhooks but no schedules handles no webhook message until it is deployed again', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 2 },
      activity: {
        'assets.upload': 1,
        'project.archived': 1,
        'project.deployed': 2,
        'project.unarchived': 1,
        'record.replace': 1,
        'worker.address': 3,
        'worker.deploy': 1,
        'worker.offline': 1,
        'worker.upload': 'some',
        'worker.version': 1,
      },
      jobs: { deploy: 3, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data', 'hook'])
    await one.ship(shop(['data', 'hook']))
    await one.pay('evt_1')
    await until(async () => (await one.payments())[0]?.status === 'handled')
    await one.operator.call(`POST ${one.at}/archive`)
    await until(async () => (await one.callers()) === null)

    const [message] = await one.payments()
    assert.ok(message)
    const path = `${one.at}/capabilities/data/records/payments/app/${message.id}`
    const { error } = await one.operator.call(`PUT ${path}`, { ...message, status: 'received' })
    assert.equal(error, undefined)
    await sleep(2000)
    assert.equal((await one.payments())[0]?.status, 'received')

    await one.operator.call(`POST ${one.at}/unarchive`)
    await one.ship(shop(['data', 'hook']))
    await until(async () => (await one.payments())[0]?.status === 'handled')
    assert.deepEqual(await one.sales(), ['evt_1', 'evt_1'])
  })

  test('a disabled schedule or webhook stops calling the app, and calls it again after it was enabled and the app deployed', async () => {
    leaves({
      events: { 'project.deployed': 3 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 3,
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.secrets': 'any',
        'worker.upload': 'some',
        'worker.version': 2,
      },
      jobs: { deploy: 3, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data', 'hook', 'schedule'])
    const tree = shop(['data', 'hook', 'schedule'])
    await one.ship(tree)
    assert.deepEqual(await one.callers(), ['schedule', 'hook'])
    for (const [off, left] of [
      ['schedule', 'hook'],
      ['hook', 'schedule'],
    ] as const) {
      await one.put(off, { enabled: false })
      await until(async () => JSON.stringify(await one.callers()) === JSON.stringify([left]))
      await one.put(off, {})
      assert.deepEqual(await one.callers(), [left], 'on again it waits for a ship')
      await one.ship(tree)
      assert.deepEqual(await one.callers(), ['schedule', 'hook'])
    }
  })

  test('after a failed deployment of a version without webhooks, the live version still handles webhook messages', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 2,
        'project.deployed': 1,
        'queue.consume': 3,
        'queue.create': 4,
        'queue.create failed': 'any',
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 1,
      },
      jobs: { deploy: 2, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data', 'hook', 'queue'])
    await one.ship(shop(['data', 'hook', 'queue'], { retries: 5 }))
    await one.refuseOperator()
    assert.equal(await one.tryShip(shop(['data', 'queue'], { word: 'two', retries: 8 })), 'not now')
    assert.deepEqual([await one.callers(), await one.repeats()], [['hook'], 5])
    assert.equal(await one.pay('evt_1'), 202)
    await until(async () => (await one.sales()).length === 1)
  })

  test('a failed deployment that adds schedules and a queue leaves the live version with neither', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 2,
        'project.deployed': 1,
        'queue.consume': 1,
        'queue.create': 4,
        'queue.create failed': 'any',
        'queue.rest': 1,
        'worker.address': 2,
        'worker.deploy': 2,
        'worker.upload': 'some',
        'worker.version': 1,
      },
      jobs: { deploy: 2, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data', 'hook'])
    await one.ship(shop(['data', 'hook']))
    await one.put('schedule', {})
    await one.put('queue', {})
    await one.refuseOperator()
    assert.equal(await one.tryShip(shop(['data', 'hook', 'schedule', 'queue'], { word: 'two' })), 'not now')
    assert.deepEqual([await one.callers(), await one.repeats()], [['hook'], null])
  })

  test('the readiness check names a missing Worker binding and a missing queue consumer, and the next deployment restores both', async () => {
    leaves({
      events: { 'project.deployed': 2 },
      activity: {
        'assets.upload': 2,
        'project.deployed': 2,
        'queue.consume': 2,
        'queue.create': 4,
        'queue.create failed': 'any',
        'queue.rest': 1,
        'worker.address': 'some',
        'worker.deploy': 'some',
        'worker.rebind': 'any',
        'worker.upload': 'some',
        'worker.version': 1,
      },
      jobs: { deploy: 2, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data', 'hook', 'queue'])
    await one.ship(shop(['data', 'hook', 'queue']))
    assert.deepEqual(await one.readiness(), { ready: true, warming: [], failed: [], missing: [] })

    const queue = await findQueue(one.account, `${one.slug}-jobs`)
    assert.ok(queue)
    await removeConsumers(one.account, queue)
    await rebind(one.account, `${one.slug}-live`, [
      { type: 'durable_object_namespace', name: 'OBJECTS', class_name: 'AppObject' },
    ])
    const { ready, failed } = await one.readiness()
    assert.deepEqual([ready, failed.map(({ key }) => key)], [false, ['hook', 'queue']])
    assert.match(failed[0]?.reason ?? '', /-live is not bound to the app/)
    assert.match(failed[1]?.reason ?? '', /No worker takes the messages of .*-jobs/)

    await one.ship(shop(['data', 'hook', 'queue'], { word: 'two' }))
    assert.equal((await one.readiness()).ready, true)
  })

  test('the readiness check lists each secret without a value as missing and still reports the app as ready', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 'some',
        'worker.secrets': 'any',
        'worker.upload': 'some',
      },
      jobs: { deploy: 1, provision: 'some' },
    })
    const one = await Shop.open(cloud, ['data'])
    await one.put('hook', {})
    const methods = { password: true, oauth: [{ id: 'google', clientId: 'client' }] }
    await one.put('auth', { settings: { methods } })
    await one.ship(shop(['data', 'hook']))
    const google = { key: 'auth', reason: 'Client secret of google is not set.' }
    const [first, second] = (await one.readiness()).missing
    assert.deepEqual(first, google)
    assert.match(second?.reason ?? '', /^The endpoint pay is not among the settings/)

    await one.put('hook', { settings: { endpoints: { pay: {} } } })
    const pay = { key: 'hook', reason: 'Secret of pay is not set.' }
    await until(async () => (await one.readiness()).ready)
    assert.deepEqual((await one.readiness()).missing, [google, pay])

    await one.put('hook', ENDPOINT)
    await one.put('auth', { secrets: { googleClientSecret: 'client secret' } })
    assert.deepEqual((await one.readiness()).missing, [])
  })
})
