import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { isSoak } from '../../test/support/soak.ts'
import { deleteCalls, findCalls } from '../cloudflare/products/calls.ts'
import { deleteGateway } from '../cloudflare/products/ai.ts'
import { findQueue, deleteQueue, removeConsumers } from '../cloudflare/products/queues.ts'
import { deleteBucket } from '../cloudflare/products/r2.ts'
import { deleteWidget, findWidget } from '../cloudflare/products/turnstile.ts'
import { deleteWorkflow, putWorkflow } from '../cloudflare/products/workflows.ts'
import { deleteWorker, disableAddress, rebind } from '../cloudflare/products/workers.ts'
import type { Cloud } from '../cloudflare/client.ts'
import { type CloudApp, openCloudApp } from '../releases/testing.ts'
import type { ResourceKind } from '../resource-names.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { chunksOf, Walk, withoutVersions } from './testing.ts'
import { leaves } from '../testing/effects.ts'

/** Changes that a person can make in the account with the provider's command line or dashboard. */
const DAMAGE: Record<string, (account: Cloud) => Promise<void>> = {
  'the app was deleted': (account) => deleteWorker(account, 'plants'),
  'the app lost its address': (account) => disableAddress(account, 'plants'),
  'the app lost its bindings': (account) => rebind(account, 'plants', [{ type: 'assets', name: 'ASSETS' }]),
  'the admin worker was deleted': (account) => deleteWorker(account, 'plants-admin'),
  'the admin worker lost its address': (account) => disableAddress(account, 'plants-admin'),
  'the worker of the assets was deleted': (account) => deleteWorker(account, 'plants-assets'),
  'the worker of the assets lost its address': (account) => disableAddress(account, 'plants-assets'),
  'the widget was deleted': async (account) => {
    const widget = await findWidget(account, 'plants-guard')
    assert.ok(widget)
    await deleteWidget(account, widget)
  },
  'the media app and the relay key of calls were deleted': async (account) => {
    for (const kind of ['sfu_app', 'turn_key'] as const)
      for (const one of await findCalls(account, kind, 'plants-call')) await deleteCalls(account, kind, one)
  },
  'the AI gateway was deleted': (account) => deleteGateway(account, 'plants-ai'),
  'the queue was taken from the app': async (account) => {
    const queue = await findQueue(account, 'plants-jobs')
    assert.ok(queue)
    await removeConsumers(account, queue)
  },
  'the flows were taken from the app': async (account) => {
    const limits = { stepsMax: 256, concurrency: null, retentionDays: 7 }
    await putWorkflow(account, 'plants-flow', { script: 'plants-live', className: 'AppFlow', ...limits })
  },
}

/** The workflows that the provider deletes together with their worker, by the change in `DAMAGE`. */
const RUN_BY: Record<string, string[]> = {
  'the app was deleted': ['plants-flow'],
  // These tests do not publish the preview, so the live worker still runs the preview's workflow.
  'plants-live': ['plants-preview-flow'],
}

/** The kinds of resource that contain data, with the call that deletes such a resource and its data. */
const DELETE: Partial<Record<ResourceKind, (account: Cloud, name: string) => Promise<void>>> = {
  object_namespace: deleteWorker,
  bucket: deleteBucket,
  queue: deleteQueue,
  workflow: deleteWorkflow,
}

/** The call that deletes each declared resource with data, by the name of the resource. */
const LOSS = new Map(
  CAPABILITY_KEYS.flatMap((key) => capabilityOf(key).resources({ slug: 'plants' })).flatMap(
    ({ kind, name }) => {
      const remove = DELETE[kind]
      return remove === undefined ? [] : [[name, remove] as const]
    },
  ),
)

/** A deployment takes seconds, so each test repairs several changes with one deployment. With `--soak` each change has its own test. */
const together = (groups: string[][]): string[][] => (isSoak ? groups.flat().map((one) => [one]) : groups)

const DAMAGES = [
  ['the app was deleted', 'the admin worker lost its address', 'the worker of the assets was deleted'],
  ['the app lost its address', 'the admin worker was deleted', 'the worker of the assets lost its address'],
  [
    'the app lost its bindings',
    'the queue was taken from the app',
    'the widget was deleted',
    'the media app and the relay key of calls were deleted',
    'the AI gateway was deleted',
    'the flows were taken from the app',
  ],
]
const LOSSES = chunksOf([...LOSS.keys()], Math.ceil(LOSS.size / 2))

describe('manual changes in the Cloudflare account', () => {
  let cloud: CloudApp
  let walk: Walk
  let whole: string[]
  before(async () => {
    cloud = await openCloudApp()
    walk = await Walk.begin(cloud, CAPABILITY_KEYS)
    assert.equal(await walk.take('on'), null)
    assert.equal(await walk.take('ship'), null)
    whole = withoutVersions(await walk.held())
  })
  after(() => cloud.close())

  test('every manual change in the list `DAMAGE` has a deployment test, and these tests delete at least ten resources', () => {
    assert.deepEqual(DAMAGES.flat().toSorted(), Object.keys(DAMAGE).toSorted())
    assert.ok(LOSS.size >= 10, [...LOSS.keys()].join())
  })

  const lost = async () => {
    const { data } = await walk.person.call<{ items: { action: string; target: string }[] }>(
      'GET /activity?limit=200',
    )
    return data.items.filter(({ action }) => action === 'resource.recreated').map(({ target }) => target)
  }

  async function shipAfter(damage: () => Promise<void>): Promise<void> {
    await damage()
    assert.notDeepEqual(withoutVersions(await walk.held()), whole, 'it was damaged')
    // The service does not check the account again within a minute of the last check, so advance the clock by more than a minute.
    cloud.app.clock.advance(61_000)
    assert.equal(await walk.take('ship'), null)
    assert.deepEqual(withoutVersions(await walk.held()), whole)
  }

  for (const whats of together(DAMAGES))
    test(`deploying again repairs manual changes at Cloudflare, and reports only deleted workflows as recreated: ${whats.join(', ')}`, async () => {
      leaves({
        events: { 'project.deployed': 1 },
        activity: {
          'ai_gateway.create': 'any',
          'ai_gateway.remove': 'any',
          'project.deployed': 1,
          'queue.consume': 1,
          'queue.rest': 'any',
          'resource.recreated': 'any',
          'sfu_app.create': 'any',
          'sfu_app.remove': 'any',
          'turn_key.create': 'any',
          'turn_key.remove': 'any',
          'widget.create': 'any',
          'widget.remove': 'any',
          'worker.address': 'any',
          'worker.delete': 'any',
          'worker.deploy': 'any',
          'worker.deploy failed': 'any',
          'worker.offline': 'any',
          'worker.rebind': 'any',
          'worker.upload': 'some',
          'worker.version failed': 'any',
          'workflow.put': 'any',
        },
        jobs: { deploy: 'some' },
      })
      const before = await lost()
      await shipAfter(async () => {
        for (const what of whats) await DAMAGE[what]?.(walk.account)
      })
      assert.deepEqual(await lost(), whats.flatMap((what) => RUN_BY[what] ?? []).concat(before))
    })

  for (const names of together(LOSSES))
    test(`deploying again recreates resources deleted in the Cloudflare account and reports them as recreated: ${names.join(', ')}`, async () => {
      leaves({
        events: { 'project.deployed': 1 },
        activity: {
          'bucket.create': 'any',
          'bucket.delete': 'any',
          'project.deployed': 1,
          'queue.consume': 'some',
          'queue.create': 'some',
          'queue.delete': 'some',
          'queue.rest': 'any',
          'resource.recreated': 'some',
          'worker.delete': 'any',
          'worker.upload': 'any',
          'workflow.delete': 'any',
          'workflow.put': 'some',
        },
        jobs: { deploy: 'some' },
      })
      const before = await lost()
      await shipAfter(async () => {
        for (const name of names) await LOSS.get(name)?.(walk.account, name)
      })
      const after = await lost()
      const told = new Set(names.flatMap((name) => [name, ...(RUN_BY[name] ?? [])]))
      assert.deepEqual(after.slice(0, after.length - before.length).toSorted(), [...told].toSorted())
    })

  test('deploying again within a minute does not inspect every Cloudflare resource again', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { 'project.deployed': 1, 'queue.consume': 1 },
      jobs: { deploy: 'some' },
    })
    const before = await cloud.countCalls('GET')
    assert.equal(await walk.take('ship'), null)
    assert.ok((await cloud.countCalls('GET')) - before < 9)
  })
})
