import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { CAPABILITY_KEYS, type CapabilityKey } from '@slipway/runtime/capabilities.ts'
import type { RunningCall } from '@slipway/runtime/call/types.ts'
import { type AppTree, starterTree } from '../server/agent/source/tree.ts'
import { filesInZip } from '../server/agent/testing/tree.ts'
import { RoomPage } from '../server/capabilities/live/testing.ts'
import { cloudFetch } from '../server/cloudflare/fetch.ts'
import { until } from '../server/releases/testing.ts'
import { HOOK_TOKEN } from '../server/capabilities/hook/sample.testing.ts'
import { appUsing, everythingFiles, OPERATOR_CHANGES } from '../server/testing/apps/everything-app.ts'
import { mp4 } from '../server/testing/apps/mp4.ts'
import { chooseScriptedModel } from './browser/scripted-project.ts'
import { api, askApp, control, type TestWorld } from './fidelity/world.ts'
import { installPackages, projectWith, readNeededNames, runScript } from './fidelity/wrangler.ts'
import { Person } from './support/client.ts'
import {
  finish,
  type ScriptedModel,
  type ScriptedStep,
  serveScriptedModel,
  write,
} from './support/scripted-model.ts'
import { ServiceProcess } from './support/service.ts'

/** The capabilities of the first ticket. The second ticket uses all remaining capabilities. */
const FIRST: CapabilityKey[] = ['data', 'auth', 'schedule', 'queue', 'flow', 'files', 'assets']
const VISITOR = { email: 'ada@example.test', password: 'ada likes apples', name: 'Ada' }

/** Returns the path and source of a test file for the app, because the check fails for an app without tests. */
const testSaying = (path: string, status: number): [string, string] => [
  'tests/app.test.ts',
  `import { app, expect, test } from '@slipway/app/testing'

test('POST ${path} returns the status ${status}', async () => {
  expect((await app.post('${path}')).status).toBe(${status})
})
`,
]

/** Returns the responses of a model that changes `before` to `after` and enables these capabilities. */
function turnsFor(before: AppTree, after: AppTree, keys: readonly CapabilityKey[]): ScriptedStep[] {
  const written = [...after].filter(([path, content]) => before.get(path) !== content)
  return [
    {
      toolCalls: [
        ...keys.map((key) => ({ name: 'enable_capability', args: { key } })),
        ...written.map(([path, content]) => write(path, content)),
      ],
    },
    { toolCalls: [finish('Letters are written.')], repeat: true },
  ]
}

/** One app from its tickets to its teardown. Each test depends on the tests before it. */
describe('an app with every capability', () => {
  let service: ServiceProcess
  let model: ScriptedModel
  let person: Person
  let path: string
  let url: string
  let cookie = ''
  let tree: AppTree = starterTree('Everything')

  before(async () => {
    model = await serveScriptedModel()
    service = await ServiceProcess.start()
    person = await Person.signUp(service.url)
    await until(async () => (await readConnections()).cloudflare.connected)
    const { id } = await person.call<{ id: string }>('POST /projects', { name: 'Everything' })
    path = `/projects/${id}`
  })
  after(async () => {
    await service?.dispose()
    await model?.close()
  })

  const readConnections = () =>
    person.call<{ cloudflare: { connected: boolean; accountId: string } }>('GET /connections')
  const testWorld = () => ({ restUrl: service.localUrl, dir: service.dataDir }) as TestWorld

  async function buildTicket(title: string, after: AppTree, keys: readonly CapabilityKey[]): Promise<void> {
    const projectId = path.split('/')[2] ?? ''
    await chooseScriptedModel({ person, model }, { projectId, steps: turnsFor(tree, after, keys) })
    const { id } = await person.call<{ id: string }>(`POST ${path}/tickets`, { title })
    const run = await person.call<{ status: string }>(`POST ${path}/tickets/${id}/build`, {})
    assert.equal(run.status, 'built', JSON.stringify(run))
    tree = after
  }

  async function requestApp(line: string, body?: unknown, headers: Record<string, string> = {}) {
    const [method = '', at = ''] = line.split(' ')
    const answer = await cloudFetch(url + at, {
      method,
      headers: { origin: url, ...(cookie && { cookie }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? cookie
    const bytes = Buffer.from(await answer.arrayBuffer())
    assert.ok(answer.ok, `${line}: ${answer.status} ${bytes.toString()}`)
    return bytes
  }
  const readData = async <T>(line: string, body?: unknown, headers?: Record<string, string>): Promise<T> =>
    (JSON.parse((await requestApp(line, body, headers)).toString()) as { data: T }).data

  test('two tickets build an app with every capability, and shipping provides the secrets that the capabilities need', async () => {
    await buildTicket(
      'Members write letters',
      new Map([...appUsing(FIRST, 'one'), testSaying('/api/none', 404)]),
      FIRST,
    )
    const others = CAPABILITY_KEYS.filter((key) => !FIRST.includes(key))
    await buildTicket(
      'Letters are sent, paid, filmed and talked about',
      new Map([...everythingFiles(), testSaying('/api/letters', 401)]),
      others,
    )
    for (const { key, ...change } of OPERATOR_CHANGES)
      await person.call(`PUT ${path}/capabilities/${key}`, { enabled: true, ...change })
    ;({ url } = await person.call<{ url: string }>(`POST ${path}/deploy`))
    const capabilities = await person.call<{ key: string; enabled: boolean }[]>(`GET ${path}/capabilities`)
    assert.deepEqual(
      capabilities
        .filter(({ enabled }) => enabled)
        .map(({ key }) => key)
        .sort(),
      [...CAPABILITY_KEYS].sort(),
    )
  })

  test("every platform service that an app uses works at the app's public address", async () => {
    await requestApp('POST /_app/auth/sign-up', VISITOR)
    const written = JSON.parse((await requestApp('POST /api/letters', {})).toString()) as object
    assert.deepEqual(written, { remaining: 0, size: 8, logo: '/_app/assets/logo.svg' })
    const listWritten = async () =>
      (JSON.parse((await requestApp('GET /api/written')).toString()) as { text: string | null }[]).map(
        ({ text }) => text,
      )
    await until(async () => (await listWritten()).length === 3)
    assert.match((await requestApp('POST /api/letter.pdf', {})).toString('latin1'), /^%PDF-/)
    assert.equal((await readData<{ name: string }>('POST /_app/team', { name: 'Red' })).name, 'Red')
    await readData('POST /_app/hook/post', { text: 'by post' }, { authorization: `Bearer ${HOOK_TOKEN}` })
    assert.deepEqual(await readData('GET /_app/pay/products'), [])
    assert.match(
      (await readData<{ text: string }>('POST /_app/ai/summarize', { input: 'Dear Bob' })).text,
      /\w/,
    )

    const { id, uploadUrl } = await readData<{ id: string; uploadUrl: string }>('POST /_app/video/uploads', {
      name: 'Trip',
    })
    const form = new FormData()
    form.set('file', new Blob([mp4(5)]), 'trip.mp4')
    assert.equal((await fetch(uploadUrl, { method: 'POST', body: form })).status, 200)
    await until(async () => (await readData<{ status: string }>(`GET /_app/video/${id}`)).status === 'ready')

    const page = await RoomPage.open(url, 'desk/main', cookie)
    assert.ok((await page.ask('join', null)).iceServers)
    const inCalls = async () =>
      (await person.call<RunningCall[]>(`GET ${path}/capabilities/call/calls`)).flatMap((call) =>
        call.people.map(({ name }) => `${call.room}/${call.id} ${call.mode} ${name}`),
      )
    await until(async () => (await inCalls()).length > 0)
    assert.deepEqual(await inCalls(), ['desk/main mesh Ada'])
    await page.close()
  })

  test('shipping a changed line of code keeps the records of the app', async () => {
    const routes = tree.get('server/routes.ts') ?? ''
    const changed = routes.replace(
      "routes.get('/written'",
      "routes.get('/word', (c) => c.text('changed'))\nroutes.get('/written'",
    )
    await buildTicket('Say that it changed', new Map([...tree, ['server/routes.ts', changed]]), [])
    await person.call(`POST ${path}/deploy`)
    assert.equal((await requestApp('GET /api/word')).toString(), 'changed')
    assert.ok((JSON.parse((await requestApp('GET /api/written')).toString()) as unknown[]).length >= 3)
  })

  test('the deploy script of the exported source deploys the app with wrangler to another account', async () => {
    const made = (await control(testWorld(), 'POST', '/accounts', { name: 'Elsewhere' })) as {
      account: { id: string; subdomain: string }
      token: string
    }
    const elsewhere: TestWorld = {
      ...testWorld(),
      appsPort: Number(service.env['SLIPWAY_APPS_PORT']),
      account: { ...made.account, token: made.token },
    }
    const zip = await person.request(`GET ${path}/source.zip`)
    // All files of the archive are in one folder, so remove its name from the paths.
    const texts = [...filesInZip(await zip.arrayBuffer())].map(([at, text]) => [
      at.slice(at.indexOf('/') + 1),
      text,
    ])
    const dir = projectWith(elsewhere, Object.fromEntries(texts))
    await installPackages(dir)
    const { buckets, queues } = readNeededNames(dir)
    for (const name of buckets) await api(elsewhere, 'POST', '/r2/buckets', { name })
    for (const queue_name of queues) await api(elsewhere, 'POST', '/queues', { queue_name })
    const deployed = await runScript(elsewhere, dir, 'platform/deploy.mjs')
    assert.equal(deployed.code, 0, deployed.output)
    assert.equal((await askApp(elsewhere, 'everything', '/api/word')).text, 'changed')
  })

  test('repeated DELETE requests delete a project completely, and nothing of it is left in the cloud account', async () => {
    const { accountId } = (await readConnections()).cloudflare
    for (let remaining = 1; remaining > 0;) {
      const { teardown } = await person.call<{ teardown: { remaining: number; failed: object[] } }>(
        `DELETE ${path}`,
      )
      assert.deepEqual(teardown.failed, [])
      remaining = teardown.remaining
    }
    const left = (await control(testWorld(), 'GET', `/resources?account=${accountId}`)) as Record<
      string,
      object[]
    >
    assert.deepEqual(
      Object.entries(left).filter(([, list]) => list.length > 0),
      [],
    )
  })
})
