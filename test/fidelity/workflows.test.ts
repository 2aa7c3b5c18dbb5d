import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Cloudflare, ConflictError, NotFoundError } from 'cloudflare'
import { api, askApp, control, deployWorker, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const OWNER = (label: string) => `
import { WorkflowEntrypoint } from 'cloudflare:workers'
export class Order extends WorkflowEntrypoint {
  async run(event, step) {
    const first = await step.do('first', async () => ({ by: '${label}', runs: crypto.randomUUID() }))
    if (event.payload.nap) await step.sleep('nap', event.payload.nap)
    const paid = event.payload.waits ? await step.waitForEvent('payment', { type: 'paid', timeout: '1 hour' }) : null
    if (event.payload.fails) throw new Error('no such article')
    return { first, paid: paid?.payload ?? null, at: event.payload.at instanceof Date }
  }
}
export default { fetch: () => new Response('owner') }`

const CALLER = `
export default {
  async fetch(request, env) {
    const { pathname, searchParams } = new URL(request.url)
    const id = searchParams.get('id')
    if (pathname === '/begin') {
      const params = { at: new Date(), nap: searchParams.get('nap') }
      return new Response((await env.ORDERS.create({ id, params })).id)
    }
    return Response.json(await (await env.ORDERS.get(id)).status())
  },
}`
const uploadBindings = (more: object = {}) => ({
  bindings: [
    { type: 'workflow', name: 'ORDERS', workflow_name: 'orders', class_name: 'Order', script_name: 'shop' },
  ],
  ...more,
})

describe('workflows of the local cloud', () => {
  let world: TestWorld
  let client: Cloudflare
  const accountParams = () => ({ account_id: world.account.id })
  const connectClient = () =>
    new Cloudflare({
      apiToken: world.account.token,
      baseURL: `${world.restUrl}/cloudflare/client/v4`,
      maxRetries: 0,
    })
  before(async () => {
    world = await startTestWorld()
    client = connectClient()
  })
  after(() => world.remove())

  const createInstance = (id: string, params: object) =>
    client.workflows.instances.create('orders', { ...accountParams(), instance_id: id, params })
  const readInstance = (id: string) => client.workflows.instances.get('orders', id, accountParams())
  const changeStatus = (id: string, status: 'pause' | 'resume' | 'terminate' | 'restart') =>
    client.workflows.instances.status.edit('orders', id, { ...accountParams(), status })
  async function untilStatus(id: string, status: string) {
    let instance = await readInstance(id)
    await waitUntil(async () => (instance = await readInstance(id)).status === status, {
      details: () => `${id} is ${instance.status}`,
    })
    return instance
  }
  /** Waits until the first step is done and the following sleep or wait has started. */
  const untilSecondStep = (id: string) => waitUntil(async () => (await readInstance(id)).steps.length === 2)

  test('a workflow needs an existing worker and class, and another worker can start its instances', async () => {
    const putWorkflow = (script_name: string, class_name: string) =>
      client.workflows.update('orders', { ...accountParams(), script_name, class_name })
    await assert.rejects(putWorkflow('shop', 'Order'), NotFoundError)
    await deployWorker(world, 'shop', workerUpload(OWNER('one')))
    await assert.rejects(putWorkflow('shop', 'Nothing'), /does not export class 'Nothing'/)
    await putWorkflow('shop', 'Order')
    const answer = await deployWorker(world, 'caller', workerUpload(CALLER, uploadBindings()))
    assert.ok(answer.success, JSON.stringify(answer.errors))
    assert.equal((await askApp(world, 'caller', '/begin?id=from-outside')).text, 'from-outside')
    await untilStatus('from-outside', 'complete')
    const { text } = await askApp(world, 'caller', '/?id=from-outside')
    assert.equal((JSON.parse(text) as { output: { at: boolean } }).output.at, true)
  })

  test('a workflow instance starts once per id, waits for an event, fails or completes, and reports its steps', async () => {
    await createInstance('waits', { waits: true })
    await assert.rejects(createInstance('waits', {}), ConflictError)
    await createInstance('fails', { fails: true })
    const failed = await untilStatus('fails', 'errored')
    assert.deepEqual([failed.success, failed.error?.message], [false, 'no such article'])
    await untilSecondStep('waits')
    await client.workflows.instances.events.create('orders', 'waits', 'paid', {
      ...accountParams(),
      body: { euro: 5 },
    })
    const done = await untilStatus('waits', 'complete')
    assert.deepEqual((done.output as unknown as { paid: object }).paid, { euro: 5 })
    assert.deepEqual(
      done.steps.map((step) => step.type),
      ['step', 'waitForEvent'],
    )
    await assert.rejects(readInstance('nobody'), NotFoundError)
    const readStep = (name: string, type: 'step' | 'waitForEvent') =>
      client.workflows.instances.step('orders', 'waits', { ...accountParams(), name, type })
    const [first, waited] = [await readStep('first-1', 'step'), await readStep('payment-1', 'waitForEvent')]
    assert.deepEqual([first.status, (first.output as { by: string }).by], ['complete', 'one'])
    assert.deepEqual([waited.status, waited.output], ['complete', { euro: 5 }])
  })

  test('a workflow instance can be paused, resumed, terminated and restarted', async () => {
    await createInstance('moved', { nap: '1 hour' })
    await changeStatus('moved', 'pause')
    await untilStatus('moved', 'paused')
    await changeStatus('moved', 'resume')
    await untilStatus('moved', 'running')
    await changeStatus('moved', 'terminate')
    await untilStatus('moved', 'terminated')
    await assert.rejects(changeStatus('moved', 'terminate'), /finite state/)
    await changeStatus('moved', 'restart')
    await untilStatus('moved', 'running')
    await changeStatus('moved', 'terminate')
  })

  test('sleeping and waiting workflows continue after kill -9 of the local Cloudflare emulator, a crash and a deploy', async () => {
    for (const id of ['world', 'crash', 'deploy']) await createInstance(id, { nap: '3 seconds' })
    await createInstance('event', { waits: true })
    for (const id of ['world', 'crash', 'deploy', 'event']) await untilSecondStep(id)
    const before = await readInstance('world')
    await control(world, 'POST', '/apps/shop/kill', { account: world.account.id })
    await sleep(500)
    await deployWorker(world, 'shop', workerUpload(OWNER('two')))
    await sleep(500)
    await world.kill()
    await world.start()
    client = connectClient()
    for (const id of ['world', 'crash', 'deploy']) {
      const done = await untilStatus(id, 'complete')
      // A finished step is not repeated, so its result is from the code before the deploy.
      assert.equal((done.output as unknown as { first: { by: string } }).first.by, 'one')
    }
    const after = await readInstance('world')
    assert.deepEqual(after.steps[0], before.steps[0])
    await client.workflows.instances.events.create('orders', 'event', 'paid', {
      ...accountParams(),
      body: { n: 1 },
    })
    await untilStatus('event', 'complete')
  })

  test('workflow instances are listed newest first, over several pages and by status, and can be deleted', async () => {
    const ids: string[] = []
    for await (const { id } of client.workflows.instances.list('orders', { ...accountParams(), per_page: 3 }))
      ids.push(id)
    assert.deepEqual([ids.length, ids.at(-1)], [8, 'from-outside'])
    const { result } = await client.workflows.instances.list('orders', {
      ...accountParams(),
      status: 'errored',
    })
    assert.deepEqual(
      result.map(({ id }) => id),
      ['fails'],
    )
    const { instances } = await client.workflows.get('orders', accountParams())
    assert.deepEqual(instances, { complete: 6, errored: 1, terminated: 1 })
    const doomed = { instances: ['fails', 'nobody'] }
    const { result: removed } = await api(world, 'POST', '/workflows/orders/instances/batch/delete', doomed)
    assert.deepEqual((removed as { deleted: object[] }).deleted, [{ id: 'fails' }])
    await assert.rejects(readInstance('fails'), NotFoundError)
  })

  test('a worker can drop its workflow class only when no other worker is bound to the workflow', async () => {
    const deployBare = () =>
      deployWorker(world, 'shop', workerUpload(`export default { fetch: () => new Response('bare') }`))
    assert.equal((await deployBare()).errors[0]?.code, 10021)
    await deployWorker(world, 'caller', workerUpload(CALLER))
    assert.equal((await deployBare()).success, true)
    assert.equal((await askApp(world, 'shop', '/')).text, 'bare')
    await assert.rejects(readInstance('waits'), /cannot run now/)
  })

  test('a workflow recreated under a deleted name has no old instances', async () => {
    await client.workflows.delete('orders', accountParams())
    await deployWorker(world, 'shop', workerUpload(OWNER('three')))
    await client.workflows.update('orders', { ...accountParams(), script_name: 'shop', class_name: 'Order' })
    await assert.rejects(readInstance('waits'), NotFoundError)
    assert.deepEqual((await api(world, 'GET', '/workflows/orders/instances')).result, [])
  })
})
