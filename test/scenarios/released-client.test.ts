import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../scripts/lib.ts'
import { writeSdkClient } from '../../scripts/generate/sdk-client.ts'
import type * as Transport from '../../sdk/client/client/index.ts'
import type * as Sdk from '../../sdk/client/sdk.gen.ts'
import { unwrap as call } from '../../sdk/request.ts'
import { type CloudApp, openCloudApp, until } from '../../server/releases/testing.ts'
import { leaves } from '../../server/testing/effects.ts'
import {
  type Contract,
  type Exchange,
  exchangeProblems,
  recordExchanges,
} from '../support/contract-exchanges.ts'

const RELEASED = join(ROOT, 'docs/api/released.json')
const readReleased = () => JSON.parse(readFileSync(RELEASED, 'utf8')) as Contract

describe('a client of the last release', () => {
  let cloud: CloudApp
  let api: typeof Sdk
  let transport: typeof Transport
  const folder = mkdtempSync(join(tmpdir(), 'slipway-released-client-'))
  const exchanges: Exchange[] = []

  before(async () => {
    cloud = await openCloudApp()
    await writeSdkClient(RELEASED, folder)
    const load = (file: string): Promise<unknown> => import(pathToFileURL(join(folder, file)).href)
    api = (await load('sdk.gen.ts')) as typeof Sdk
    transport = (await load('client/index.ts')) as typeof Transport
  })
  after(async () => {
    await cloud.close()
    rmSync(folder, { recursive: true })
  })

  /** Returns options that send a call of the client to the service of this test. */
  const sendAs = (headers: Record<string, string>) => {
    const { app, config } = cloud.app
    const fetch = recordExchanges(exchanges, async (request) => app.request(request))
    const client = transport.createClient(
      transport.createConfig({ baseUrl: config.baseUrl, headers, fetch, throwOnError: true }),
    )
    return { client, throwOnError: true as const }
  }

  test("a client of the last release builds, ships and deletes an app, and every response keeps that release's contract", async () => {
    leaves({
      events: {
        'project.created': 1,
        'ticket.created': 2,
        'ticket.updated': 3,
        'ticket.build.succeeded': 1,
        'project.deployed': 1,
        'project.deleted': 1,
      },
      activity: {
        'api_key.created': 1,
        'api_key.revoked': 1,
        'assets.upload': 'some',
        'project.deleted': 1,
        'project.deployed': 1,
        'webhook.created': 1,
        'webhook.deleted': 1,
        'worker.address': 'some',
        'worker.delete': 'some',
        'worker.upload': 'some',
      },
      jobs: { build: 1, deploy: 'some', provision: 'any' },
    })
    const session = sendAs((await cloud.app.signUp()).headers)
    await until(async () => (await call(api.getConnections(session))).cloudflare.connected)
    assert.ok((await call(api.getMe(session))).organization.id)
    const { id: projectId } = await call(api.createProject({ ...session, body: { name: 'Plants' } }))
    const webhook = await call(
      api.createWebhook({ ...session, body: { url: 'https://example.test/hook', events: ['*'] } }),
    )
    const made = await call(
      api.createKey({
        ...session,
        body: {
          name: 'Client of the release',
          scopes: ['projects:read', 'projects:write', 'tickets:write', 'build:write', 'deploy:write'],
          expiresInDays: 1,
        },
      }),
    )

    const key = sendAs({ authorization: `Bearer ${made.key}` })
    const inProject = { ...key, path: { projectId } }
    const ticket = await call(
      api.captureTicket({ ...inProject, body: { text: 'Track my plants with name and room' } }),
    )
    const inTicket = { ...key, path: { projectId, ticketId: ticket.id } }
    await call(api.createTicket({ ...inProject, body: { title: 'Later', labels: ['ideas'] } }))
    await call(api.updateTicket({ ...inTicket, body: { priority: 'high' } }))
    assert.equal((await call(api.listTickets(inProject))).length, 2)
    const built = await call(api.buildTicket({ ...inTicket, body: {} }))
    assert.equal(built.status, 'built')
    const inRun = { ...key, path: { projectId, runId: built.runId } }
    assert.equal((await call(api.getRun(inRun))).status, 'succeeded')
    assert.ok((await call(api.listRunEvents({ ...inRun, query: { after: 0 } }))).length > 0)
    await call(api.listRuns({ ...inProject, query: { limit: 10 } }))
    const { stream } = await api.streamBuild({ ...inTicket, body: { run: built.runId, after: 0 } })
    const frames = await Array.fromAsync(stream)
    assert.equal((frames.at(-1) as { type?: string } | undefined)?.type, 'done')

    await call(api.getSource(inProject))
    await call(api.listVersions(inProject))
    assert.equal((await call(api.shipProject({ ...inProject, body: {} }))).state, 'live')
    await call(api.getDeploy(inProject))
    await call(api.listDeployments(inProject))
    await call(api.listHistory(inProject))
    assert.equal((await call(api.getProject(inProject))).lifecycle, 'live')
    assert.equal((await call(api.listProjects({ ...key, query: { limit: 1 } }))).items.length, 1)

    while ((await call(api.deleteProject({ ...inProject, body: {} }))).teardown.remaining > 0);
    const gone = await api.getProject({ ...inProject, throwOnError: false })
    assert.equal(gone.response?.status, 404)
    await call(api.listWebhooks(session))
    await call(api.deleteWebhook({ ...session, path: { id: webhook.id } }))
    await call(api.listKeys(session))
    await call(api.revokeKey({ ...session, path: { id: made.id } }))
    await call(api.listActivity({ ...session, query: { limit: 50 } }))
    const refused = await api.listProjects({ ...key, throwOnError: false })
    assert.equal(refused.response?.status, 401)

    const released = readReleased()
    assert.deepEqual(
      exchanges.flatMap((exchange) => exchangeProblems(released, exchange)),
      [],
    )
  })

  describe('the comparison of a recorded exchange with the contract', () => {
    /** Returns the problems of the first recorded exchange with this operation, after a change of the contract. */
    const problemsOf = (method: string, path: RegExp, change: (contract: Contract) => void) => {
      const contract = readReleased()
      change(contract)
      const exchange = exchanges.find((one) => one.method === method && path.test(one.url.pathname))
      assert.ok(exchange, `${method} ${path} was recorded`)
      return exchangeProblems(contract, exchange).map((problem) => problem.replace(exchange.url.pathname, ''))
    }
    const schemaOf = (contract: Contract, name: string) =>
      contract.components.schemas[name] as { properties: Record<string, object>; required: string[] }
    const bodyOf = (contract: Contract, path: string) =>
      contract.paths[path]?.['post']?.requestBody?.content?.['application/json']?.schema as {
        properties: Record<string, object>
      }

    test('the contract check of a recorded response reports a property that is missing', () => {
      assert.deepEqual(
        problemsOf('POST', /\/projects$/, (contract) => {
          schemaOf(contract, 'Project').properties['color'] = { type: 'string' }
          schemaOf(contract, 'Project').required.push('color')
        }),
        ['POST  returned body.data.color: Invalid input: expected string, received undefined'],
      )
    })

    test('the contract check of a recorded response reports a property that has another type', () => {
      assert.deepEqual(
        problemsOf('POST', /\/projects$/, (contract) => {
          schemaOf(contract, 'Project').properties['name'] = { type: 'integer' }
        }),
        ['POST  returned body.data.name: Invalid input: expected number, received string'],
      )
    })

    test('the contract check of a recorded stream reports a message that differs from the contract of the release', () => {
      const problems = problemsOf('POST', /\/build\/stream$/, ({ paths }) => {
        const path = '/api/v1/projects/{projectId}/tickets/{ticketId}/build/stream'
        const schema = { type: 'object', properties: { at: { type: 'string' } }, required: ['at'] }
        Object.assign(paths[path]?.['post']?.responses['200'] ?? {}, {
          content: { 'text/event-stream': { schema } },
        })
      })
      assert.equal(problems[0], 'POST  returned body.at: Invalid input: expected string, received undefined')
    })

    test('the contract check of a recorded request reports a property that the release did not have', () => {
      assert.deepEqual(
        problemsOf('POST', /\/webhooks$/, (contract) => {
          delete bodyOf(contract, '/api/v1/webhooks').properties['events']
        }),
        ['POST  sent body: Unrecognized key: "events"'],
      )
    })

    test('the contract check reports a query parameter, an operation or a status that the release did not have', () => {
      const path = '/api/v1/projects'
      const listed = (change: (methods: Contract['paths'][string]) => void) =>
        problemsOf('GET', /\/projects$/, ({ paths }) => change(paths[path] ?? {}))
      assert.deepEqual(
        listed(({ get }) => {
          if (get !== undefined) get.parameters = []
        }),
        ['GET  sent the parameter limit, which is not in the contract'],
      )
      assert.deepEqual(
        listed((methods) => {
          delete methods['get']
        }),
        ['GET  is not in the contract'],
      )
      assert.deepEqual(
        listed(({ get }) => {
          delete get?.responses['200']
        }),
        ['GET  returned 200, which is not in the contract'],
      )
    })

    test('the contract check accepts properties and values of a response that the release did not have', () => {
      assert.deepEqual(
        problemsOf('POST', /\/projects$/, (contract) => {
          const { properties, required } = schemaOf(contract, 'Project')
          delete properties['slug']
          required.splice(required.indexOf('slug'), 1)
          properties['lifecycle'] = { type: 'string', enum: ['live'] }
        }),
        [],
      )
    })
  })
})
