import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import type { Cloud } from '../../cloudflare/client.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { deleteWorkflow, findWorkflow } from '../../cloudflare/products/workflows.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { leaves } from '../../testing/effects.ts'

const FLOWS = ['order', 'nap', 'steps']
const MANIFEST = {
  slipway: 1,
  name: 'Orders',
  uses: ['data', 'flow'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
  collections: {
    notes: { partition: 'app', read: 'public', write: 'nobody', fields: { text: { type: 'text' } } },
  },
  flows: FLOWS.map((name) => ({ name, handler: name })),
}
const ROUTES = `import { flow } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/start/:name/:id', async (c) => {
  const { name, id } = c.req.param()
  return c.json(await flow.start(name as 'order', await c.req.json(), { id }))
})
routes.get('/status/:id', async (c) => c.json(await flow.status(c.req.param('id'))))
routes.post('/signal/:id/:event', async (c) => {
  await flow.signal(c.req.param('id'), c.req.param('event'), await c.req.json())
  return c.json({})
})
routes.post('/cancel/:id', async (c) => {
  await flow.cancel(c.req.param('id'))
  return c.json({})
})
`
const JOBS = (word: string) => ({
  order: `export default async (item: string, step: FlowStep) => {
  await step.do('reserve', () => note(item + ' reserved by ${word}'))
  const paid = await step.waitFor<{ euro: number }>('paid')
  await step.do('ship', () => note(item + ' shipped by ${word}'))
  return paid?.euro
}`,
  nap: `export default async (item: string, step: FlowStep) => {
  await step.do('before', () => note(item + ' before by ${word}'))
  await step.sleep('nap', { seconds: 2 })
  await step.do('after', () => note(item + ' after by ${word}'))
}`,
  steps: `export default async ({ id, count }: { id: string; count: number }, step: FlowStep) => {
  for (let n = 1; n <= count; n++) {
    await step.do('effect', () => note(id + ' effect ' + n))
    await step.waitFor('go')
  }
}`,
})
const HEAD = `import { data, type FlowStep } from '@slipway/app/server'

const note = async (text: string) => {
  await data.system.create('notes', { text })
}
`
/** Returns the files of an app. A different `word` makes a different release. */
const orders = (word: string) =>
  new Map([
    ...starterTree('Orders'),
    ['app.json', JSON.stringify(MANIFEST)],
    [
      'web/pages/Home.tsx',
      `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">${word}</Page>\n`,
    ],
    ['server/routes.ts', `${ROUTES}routes.get('/word', (c) => c.text('${word}'))\n`],
    ...Object.entries(JOBS(word)).map(([name, text]): [string, string] => [
      `server/jobs/${name}.ts`,
      HEAD + text,
    ]),
  ])

interface Run {
  id: string
  flow: string | null
  status: string
  error: string | null
  steps: { name: string; kind: string; status: string; attempts: number }[]
}
interface AppResponse {
  status: number
  body: { status?: string; output?: unknown; id?: string; error?: { code: string } }
}

/** The tests share one shipped app and depend on their order. */
describe('the flows of a live app', () => {
  let cloud: CloudApp
  let person: Client
  let project: { id: string; slug: string }
  let account: Cloud
  let at: string
  let appUrl: string
  let previewUrl: string

  const put = (body: object) => person.call(`PUT ${at}/capabilities/flow`, body)
  async function ship(word: string) {
    await cloud.build(project.id, orders(word))
    const shipped = await person.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined, JSON.stringify(shipped.error))
    return shipped.data.url
  }
  async function ask(route: string, body?: unknown, url = appUrl): Promise<AppResponse> {
    const [method = '', path = ''] = route.split(' ')
    const init = body === undefined ? { method } : { method, body: JSON.stringify(body) }
    const answer = await cloudFetch(`${url}/api/${path}`, init)
    const text = await answer.text()
    // After a process was killed, the gateway responds with an error page until the process has restarted.
    const isOfApp = text.startsWith('{')
    return { status: answer.status, body: isOfApp ? (JSON.parse(text) as AppResponse['body']) : {} }
  }
  const start = async (name: string, id: string, input: unknown, url = appUrl) => {
    const { status, body } = await ask(`POST start/${name}/${id}`, input, url)
    assert.deepEqual([status, body.id], [200, id], JSON.stringify(body))
  }
  const isIn = async (id: string, wanted: string, url = appUrl) => {
    let last = ''
    await until(
      async () => (last = (await ask(`GET status/${id}`, undefined, url)).body.status ?? '') === wanted,
    ).catch(() => assert.fail(`${id} is ${last}`))
  }
  async function notes(word: string, url = appUrl): Promise<string[]> {
    const answer = await cloudFetch(`${url}/_app/data/notes?limit=200`)
    const { data } = (await answer.json()) as { data: { items: { text: string }[] } }
    return data.items
      .map(({ text }) => text)
      .filter((text) => text.startsWith(`${word} `))
      .toSorted()
  }
  const run = (id: string) => person.call<Run>(`GET ${at}/capabilities/flow/runs/${id}`)
  /** Waits until the run has `count` steps, including steps in which the run waits or sleeps. */
  const hasSteps = (id: string, count: number) =>
    until(async () => (await run(id)).data?.steps.length === count)
  const runnerOf = async (name: string) => (await findWorkflow(account, name))?.script_name
  const READS = ['GET runs', 'GET runs/order-1', 'POST runs/order-1/cancel'].map((route) =>
    route.replace(' ', ' AT/'),
  )
  const areRefused = (status: number, code: string) =>
    Promise.all(
      READS.map(async (route) => {
        const answer = await person.call(route.replace('AT', `${at}/capabilities/flow`))
        assert.deepEqual([answer.status, answer.error?.code], [status, code], route)
      }),
    )

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Orders')
    ;({ person, project, path: at } = made)
    account = await cloud.accountOf(person.organizationId)
    await person.call(`PUT ${at}/capabilities/data`, { enabled: true })
    await put({ enabled: true, settings: { maxSteps: 10 } })
    await cloud.untilProvisioned(project.id)
  })
  after(() => cloud.close())

  test('before the first deployment the Durable Objects worker runs the workflows, and workflow routes return not_enabled', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.address': 2,
        'worker.upload': 2,
        'workflow.put': 2,
      },
      jobs: { deploy: 2 },
    })
    const { slug } = project
    for (const name of [`${slug}-flow`, `${slug}-preview-flow`])
      assert.equal(await runnerOf(name), `${slug}-live`)
    await areRefused(404, 'not_enabled')
    appUrl = await ship('one')
    assert.equal((await person.call(`POST ${at}/preview`, {})).error, undefined)
    previewUrl = account.appUrl(`${slug}-preview`)
    assert.deepEqual(
      [await runnerOf(`${slug}-flow`), await runnerOf(`${slug}-preview-flow`)],
      [slug, `${slug}-preview`],
    )
    const { data } = await person.call<{ resource: object }>(`GET ${at}/capabilities/flow`)
    assert.deepEqual({ ...data.resource, id: '' }, { id: '', kind: 'workflow', name: `${slug}-flow` })
  })

  test('a workflow run waits for its signal, and starting a workflow twice with one id creates one run', async () => {
    await start('order', 'order-1', 'fern')
    await start('order', 'order-1', 'fern')
    await hasSteps('order-1', 2)
    const { data } = await run('order-1')
    assert.deepEqual([data.flow, data.status, data.error], ['order', 'waiting', null])
    assert.deepEqual(
      data.steps.map(({ name, kind, status, attempts }) => [name, kind, status, attempts]),
      [
        ['reserve', 'do', 'done', 1],
        ['paid', 'wait', 'waiting', 0],
      ],
    )
    assert.equal((await ask('POST signal/order-1/paid', { euro: 5 })).status, 200)
    await isIn('order-1', 'complete')
    assert.equal((await ask('GET status/order-1')).body.output, 5)
    assert.deepEqual(await notes('fern'), ['fern reserved by one', 'fern shipped by one'])
    const { body } = await ask('POST signal/order-1/paid', {})
    assert.equal(body.error?.code, 'conflict')
  })

  test('a workflow run receives a signal sent before its wait, and production and preview see only their own runs', async () => {
    await start('nap', 'nap-0', 'early')
    await start('steps', 'twice', { id: 'twice', count: 2 })
    await hasSteps('twice', 2)
    // Both signals arrive before the second wait has begun.
    await Promise.all([ask('POST signal/twice/go', 1), ask('POST signal/twice/go', 2)])
    await isIn('twice', 'complete')
    for (const [route, body] of [
      ['GET status/foreign'],
      ['POST signal/foreign/go', {}],
      ['POST cancel/foreign', {}],
    ] as const)
      assert.equal((await ask(route, body)).status, 404, route)
    await start('order', 'of-preview', 'moss', previewUrl)
    assert.equal((await ask('GET status/of-preview')).status, 404)
    assert.equal((await ask('GET status/order-1', undefined, previewUrl)).status, 404)
    assert.equal((await run('of-preview')).error?.code, 'not_found')
  })

  test('the operator can page through workflow runs and cancel one, and cancelling an ended run is a conflict', async () => {
    leaves({ activity: { 'workflow.terminate': 1 } })
    const page = (query: string) =>
      person.call<{ items: Run[]; nextCursor: string | null }>(`GET ${at}/capabilities/flow/runs?${query}`)
    await start('order', 'order-2', 'ivy')
    const { data: first } = await page('limit=2')
    assert.deepEqual([first.items.length, first.items[0]?.id], [2, 'order-2'])
    const { data: rest } = await page(`limit=2&cursor=${first.nextCursor}`)
    assert.deepEqual([...first.items, ...rest.items].map(({ id }) => id).toSorted(), [
      'nap-0',
      'order-1',
      'order-2',
      'twice',
    ])
    assert.equal((await page('limit=3&cursor=nothing')).error?.code, 'invalid_request')
    const cancel = (id: string) => person.call<Run>(`POST ${at}/capabilities/flow/runs/${id}/cancel`)
    assert.equal((await cancel('order-2')).data.status, 'cancelled')
    assert.equal((await cancel('order-2')).error?.code, 'conflict')
    assert.equal((await cancel('foreign')).error?.code, 'not_found')
    assert.deepEqual((await ask('GET status/order-2')).body, { status: 'cancelled' })
    assert.equal((await ask('POST cancel/order-2', {})).status, 200)
    const { data } = await person.call<{ items: { action: string; target: string }[] }>(
      'GET /activity?limit=50',
    )
    assert.ok(
      data.items.some(({ action, target }) => action === 'workflow.terminate' && target.endsWith('order-2')),
    )
  })

  test('a workflow run completes across a deployment, and after a rollback it continues with the earlier release', async () => {
    leaves({
      events: { 'project.deployed': 2, 'project.rolled_back': 1 },
      activity: {
        'assets.upload': 2,
        'project.deployed': 2,
        'project.rolled_back': 1,
        'worker.address': 1,
        'worker.deploy': 3,
        'worker.version': 2,
      },
      jobs: { deploy: 3 },
    })
    await start('nap', 'nap-1', 'asleep')
    await start('order', 'order-3', 'oak')
    await hasSteps('order-3', 2)
    await ship('two')
    await isIn('nap-1', 'complete')
    const [after, before] = await notes('asleep')
    // Shipping may take longer than the flow sleeps, so either release may run the last step.
    assert.equal(before, 'asleep before by one')
    assert.match(after ?? '', /^asleep after by (one|two)$/)
    const { data } = await person.call<{ managed: { id: string; name: string; kind: string }[] }>(
      `GET ${at}/deployments`,
    )
    const worker = data.managed.find((one) => one.kind === 'worker' && one.name === project.slug)
    assert.equal((await person.call(`POST ${at}/resources/${worker?.id}/rollback`, {})).error, undefined)
    assert.equal(await (await cloudFetch(`${appUrl}/api/word`)).text(), 'one')
    await ask('POST signal/order-3/paid', { euro: 1 })
    await isIn('order-3', 'complete')
    assert.deepEqual(await notes('oak'), ['oak reserved by one', 'oak shipped by one'])
    await ship('two again')
  })

  test('workflows pause while the flow capability is off, and continue after the next deployment with the capability on', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'assets.upload': 1,
        'project.deployed': 1,
        'worker.deploy': 1,
        'worker.rebind': 2,
        'worker.version': 1,
        'workflow.put': 5,
      },
      jobs: { deploy: 1, provision: 2 },
    })
    const { slug } = project
    await start('nap', 'nap-2', 'resting')
    await start('order', 'order-4', 'yew')
    await Promise.all([hasSteps('nap-2', 2), hasSteps('order-4', 2)])
    await put({ enabled: false })
    await cloud.untilProvisioned(project.id)
    assert.equal(await runnerOf(`${slug}-flow`), `${slug}-live`)
    await until(async () => (await ask('GET status/nap-2')).body.error?.code === 'not_enabled')
    await areRefused(404, 'not_enabled')
    await put({ enabled: true })
    await cloud.untilProvisioned(project.id)
    await ship('three')
    await Promise.all([isIn('nap-2', 'complete'), ask('POST signal/order-4/paid', { euro: 2 })])
    await isIn('order-4', 'complete')
    assert.deepEqual(await notes('resting'), ['resting after by three', 'resting before by two again'])
    assert.deepEqual(await notes('yew'), ['yew reserved by two again', 'yew shipped by three'])
  })

  test("workflows perform each effect once even if the app's process is stopped or killed between any two steps", async () => {
    let seed = 20_261_126
    const random = () => (seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648) / 2_147_483_648
    const flows = Array.from({ length: 10 }, (_, n) => ({
      id: `random-${n}`,
      count: 1 + Math.floor(random() * 4),
    }))
    const most = Math.max(...flows.map(({ count }) => count))
    await Promise.all(flows.map((one) => start('steps', one.id, one)))
    // After a crash a signal may be delivered a second time, which adds a wait to the list of steps. So count only the
    // steps with effects.
    const isBehind = (id: string, effects: number) =>
      until(async () => {
        const steps = (await run(id)).data?.steps ?? []
        return (
          steps.filter(({ kind }) => kind === 'do').length === effects && steps.at(-1)?.status === 'waiting'
        )
      })
    const { restUrl, controlToken } = cloud.world
    for (let n = 1; n <= most; n++) {
      const going = flows.filter(({ count }) => count >= n)
      for (const { id } of going) await isBehind(id, n)
      // An app that crashes three times in a minute is not restarted for a while, so every other process is stopped instead of killed.
      const end = n % 2 === 1 ? 'kill' : 'stop'
      const ended = await fetch(`${restUrl}/_control/apps/${project.slug}/${end}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${controlToken}` },
        body: JSON.stringify({ account: account.accountId }),
      })
      assert.equal(ended.status, 200)
      for (const { id } of going)
        await until(async () => (await ask(`POST signal/${id}/go`, n)).status === 200)
    }
    for (const { id, count } of flows) {
      await isIn(id, 'complete')
      const wanted = Array.from({ length: count }, (_, n) => `${id} effect ${n + 1}`)
      assert.deepEqual(await notes(id), wanted)
    }
  })

  test("a workflow run ends when it has more steps than the operator's setting allows", async () => {
    await start('steps', 'long', { id: 'long', count: 100 })
    for (let n = 0; n < 10; n++) await ask('POST signal/long/go', n)
    await isIn('long', 'failed')
    assert.match((await run('long')).data.error ?? '', /10 steps/)
  })

  test("listing workflow runs is a conflict during a project's move, and an upstream_error for a deleted workflow", async () => {
    leaves({
      activity: {
        'project.reconciled': 1,
        'resource.recreated': 1,
        'workflow.delete': 1,
        'workflow.put': 2,
      },
      jobs: { deploy: 1 },
    })
    const { db, clock } = cloud.app.platform
    const now = clock.now()
    const move = { project_id: project.id, org_id: person.organizationId, from_account: 'another' }
    await db
      .insertInto('moves')
      .values({ ...move, updated_at: now, created_at: now, live_data: 'copy', state: 'moving' })
      .execute()
    await areRefused(409, 'conflict')
    await db.deleteFrom('moves').where('project_id', '=', project.id).execute()
    await deleteWorkflow(account, `${project.slug}-flow`)
    await areRefused(502, 'upstream_error')
    const { data } = await person.call<{ repaired: { kind: string; name: string; action: string }[] }>(
      `POST ${at}/reconcile`,
    )
    assert.deepEqual(
      data.repaired.map((one) => [one.kind, one.name, one.action]),
      [['workflow', `${project.slug}-flow`, 'made empty']],
    )
    assert.equal(await runnerOf(`${project.slug}-flow`), project.slug)
    await start('order', 'order-1', 'elm')
    await hasSteps('order-1', 2)
  })
})
