import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { DEFAULT_LIMITS } from '../../agent/loop/run-limits.ts'
import { type TestApp, testApp } from '../../testing/app.ts'
import { tokenPlace } from '../cloudflare-connection.ts'
import { chooseModel } from './access.ts'
import type { ModelConnectionRecord } from './record.ts'
import { leaves } from '../../testing/effects.ts'

let app: TestApp
let provider: Server
let baseUrl: string
const seen: string[] = []

const compatible = (change: object = {}) => ({
  provider: 'openai-compatible',
  label: 'Mine',
  baseUrl,
  key: 'right',
  defaultModel: 'm-1',
  ...change,
})

describe('connecting a model', () => {
  before(async () => {
    // A fake model provider that accepts one key and implements only what these tests use.
    provider = createServer((request, response) => {
      const key = request.headers.authorization ?? ''
      seen.push(`${request.url} ${key}`)
      response.setHeader('content-type', 'application/json')
      if (key !== 'Bearer right') {
        response.statusCode = 401
        response.end('{"error":{"message":"Incorrect API key provided."}}')
      } else if (request.url === '/v1/models') response.end('{"data":[{"id":"m-1"},{"id":"m-2"}]}')
      else {
        response.end(
          '{"id":"1","model":"m-1","created":1,"choices":[{"index":0,"message":{"role":"assistant","content":"ok"},"finish_reason":"stop"}]}',
        )
      }
    })
    await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
    const origin = `http://127.0.0.1:${(provider.address() as AddressInfo).port}`
    baseUrl = `${origin}/v1`
    app = await testApp({ localWorld: false, modelBaseUrl: null, outboundAllow: [origin] })
  })
  after(async () => {
    await app.close()
    provider.closeAllConnections()
    provider.close()
  })

  test('the first model connection becomes the default, and its key is stored encrypted and absent from the response', async () => {
    leaves({ activity: { 'model.created': 1 } })
    const person = await app.signUp()
    const made = await person.call<ModelConnectionRecord>(
      'POST /connections/models',
      compatible({ key: 'sk-hidden' }),
    )
    assert.equal(made.status, 200, JSON.stringify(made.error))
    assert.deepEqual([made.data.isDefault, made.data.hasKey, made.data.models], [true, true, ['m-1']])
    assert.ok(!JSON.stringify(made.data).includes('sk-hidden'))
    const rows = await app.platform.db
      .selectFrom('model_connections')
      .select('key')
      .where('org_id', '=', person.organizationId)
      .execute()
    assert.ok(rows[0]?.key !== null && !rows[0]?.key.includes('sk-hidden'))
  })

  test("of an organization's model connections exactly one is the default after each addition, change and removal", async () => {
    leaves({ activity: { 'model.created': 3, 'model.deleted': 1, 'model.updated': 1 } })
    const person = await app.signUp()
    const ids: string[] = []
    for (const label of ['a', 'b', 'c']) {
      const made = await person.call<ModelConnectionRecord>('POST /connections/models', compatible({ label }))
      ids.push(made.data.id)
      app.clock.advance(1000)
    }
    const defaults = async () => {
      const list = await person.call<ModelConnectionRecord[]>('GET /connections/models')
      return list.data.filter((item) => item.isDefault).map((item) => item.label)
    }
    assert.deepEqual(await defaults(), ['a'])
    await person.call(`PATCH /connections/models/${ids[2]}`, { isDefault: true })
    assert.deepEqual(await defaults(), ['c'])
    await person.call(`DELETE /connections/models/${ids[2]}`)
    assert.deepEqual(await defaults(), ['a'], 'the oldest takes over')
  })

  test('an organization has at most a hundred model connections, also when the last two are added at the same time', async () => {
    leaves({ activity: { 'model.created': 100 } })
    const person = await app.signUp()
    const add = () => person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    for (let n = 0; n < 99; n++) assert.equal((await add()).status, 200)
    const last = await Promise.all([add(), add()])
    assert.deepEqual(last.map(({ status }) => status).sort(), [200, 409])
  })

  test('a change of a model connection keeps the fields that the request does not contain, such as the key', async () => {
    leaves({ activity: { 'model.created': 1, 'model.updated': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const changed = await person.call<ModelConnectionRecord>(`PATCH /connections/models/${data.id}`, {
      label: 'Other',
      limits: { steps: 5 },
    })
    assert.deepEqual(
      [changed.data.label, changed.data.hasKey, changed.data.baseUrl, changed.data.limits],
      ['Other', true, baseUrl, { steps: 5 }],
    )
  })

  test('stored limits and modalities of a model connection that are no longer accepted break neither its page nor a build', async () => {
    leaves({ activity: { 'model.created': 1, 'model.updated': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const { db } = app.platform
    await db
      .updateTable('model_connections')
      .set({
        limits: JSON.stringify({ steps: 501, tokens: 5000, minutes: 0 }),
        modalities: ['images', 'smells'],
      })
      .where('id', '=', data.id)
      .execute()
    const list = await person.call<ModelConnectionRecord[]>('GET /connections/models')
    assert.deepEqual(
      [list.status, list.data[0]?.limits, list.data[0]?.modalities],
      [200, { tokens: 5000 }, ['images']],
    )
    const project = { org_id: person.organizationId, model_connection_id: null, model: null }
    assert.deepEqual((await chooseModel(db, project)).limits, { ...DEFAULT_LIMITS, tokens: 5000 })
    const renamed = await person.call<ModelConnectionRecord>(`PATCH /connections/models/${data.id}`, {
      label: 'Other',
    })
    assert.deepEqual([renamed.status, renamed.data.limits], [200, { tokens: 5000 }])
  })

  test('a model key is never sent to a server other than the one for which it was entered', async () => {
    leaves({ activity: { 'model.created': 1, 'model.updated': 3 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const patch = (change: object) =>
      person.call<ModelConnectionRecord>(`PATCH /connections/models/${data.id}`, change)
    const before = seen.length
    const kept = await patch({ baseUrl: 'https://thief.test/v1' })
    assert.deepEqual(
      [kept.status, kept.error?.message],
      [400, 'key: enter the key again: the address changed'],
    )
    const list = await person.call<ModelConnectionRecord[]>('GET /connections/models')
    assert.equal(list.data[0]?.baseUrl, baseUrl)
    assert.equal(seen.length, before)
    assert.equal((await patch({ baseUrl: `${baseUrl}/other` })).status, 200, 'the same server')
    assert.equal((await patch({ baseUrl: 'https://new.test/v1', key: 'new' })).status, 200)
    assert.equal((await patch({ baseUrl: 'https://open.test/v1', key: null })).data.hasKey, false)
  })

  test('the activity log records connecting, changing and disconnecting a model with the names of the fields, without values', async () => {
    leaves({ activity: { 'model.created': 1, 'model.deleted': 1, 'model.updated': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>(
      'POST /connections/models',
      compatible({ key: 'sk-canary' }),
    )
    await person.call(`PATCH /connections/models/${data.id}`, {
      baseUrl: 'https://canary.test/v1',
      key: 'sk-canary-2',
    })
    await person.call(`DELETE /connections/models/${data.id}`)
    const log = await app.platform.db
      .selectFrom('activity')
      .select(['action', 'target', 'detail'])
      .where('org_id', '=', person.organizationId)
      .where('action', 'like', 'model.%')
      .orderBy('id')
      .execute()
    assert.deepEqual(log, [
      { action: 'model.created', target: 'Mine', detail: 'provider, label, baseUrl, key, defaultModel' },
      { action: 'model.updated', target: 'Mine', detail: 'baseUrl, key' },
      { action: 'model.deleted', target: 'Mine', detail: null },
    ])
  })

  test('a missing or invalid field of a model connection is refused with 400 and the name of the field', async () => {
    const person = await app.signUp()
    const problems: [object, RegExp][] = [
      [compatible({ baseUrl: null }), /^baseUrl: /],
      [compatible({ defaultModel: undefined }), /^defaultModel: /],
      [{ provider: 'anthropic', label: 'x', defaultModel: 'claude' }, /^key: /],
      [compatible({ provider: 'acme' }), /^provider: /],
      [compatible({ baseUrl: 'ftp://x' }), /^baseUrl: /],
      [{ provider: 'scaffold', label: 'x' }, /^provider: .*local world/],
    ]
    for (const [body, message] of problems) {
      const answer = await person.call('POST /connections/models', body)
      assert.equal(answer.status, 400)
      assert.match(answer.error?.message ?? '', message)
    }
  })

  test('testing a model connection calls the model with the stored key and returns latency and the list of models', async () => {
    leaves({ activity: { 'model.created': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const answer = await person.call<{ latencyMs: number; models: string[] }>(
      `POST /connections/models/${data.id}/test`,
      {},
    )
    assert.deepEqual(answer.data.models, ['m-1', 'm-2'])
    assert.ok(answer.data.latencyMs >= 0)
    assert.ok(seen.includes('/v1/chat/completions Bearer right'), 'the sealed key opened again')
  })

  test('testing a connection whose key the model provider refuses returns a model_error that names the refused key as the cause', async () => {
    leaves({ activity: { 'model.created': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>(
      'POST /connections/models',
      compatible({ key: 'wrong' }),
    )
    const answer = await person.call(`POST /connections/models/${data.id}/test`, {})
    assert.deepEqual([answer.status, answer.error?.code], [502, 'model_error'])
    assert.match(answer.error?.message ?? '', /refused the key/)
  })

  test('a private model address is refused with a message that names the setting to allow it', async () => {
    const person = await app.signUp()
    for (const inside of ['http://127.0.0.1:1234/v1', 'http://localhost:11434/v1', 'http://2130706433/']) {
      const answer = await person.call('POST /connections/models', compatible({ baseUrl: inside }))
      assert.equal(answer.status, 400, inside)
      assert.match(answer.error?.message ?? '', /^baseUrl: .*: add \S+ to SLIPWAY_OUTBOUND_ALLOW/)
    }
  })

  test('a model host that resolves to a private address is refused without revealing the address', async () => {
    leaves({ activity: { 'model.created': 1 } })
    const person = await app.signUp()
    const { data } = await person.call<ModelConnectionRecord>(
      'POST /connections/models',
      compatible({ baseUrl: 'http://models.localhost:1234/v1' }),
    )
    const answer = await person.call(`POST /connections/models/${data.id}/test`, {})
    assert.equal(answer.error?.code, 'model_error')
    assert.match(
      answer.error?.message ?? '',
      /models\.localhost is not public, so Slipway does not connect to it.*SLIPWAY_OUTBOUND_ALLOW/,
    )
    assert.doesNotMatch(answer.error?.message ?? '', /127\.0\.0\.1/)
  })

  test('a change of a model connection cannot remove a required field or set a private address', async () => {
    leaves({ activity: { 'model.created': 2 } })
    const person = await app.signUp()
    const mine = await person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const claude = { provider: 'anthropic', label: 'x', key: 'k', defaultModel: 'claude' }
    const theirs = await person.call<ModelConnectionRecord>('POST /connections/models', claude)
    const problems: [string, object, RegExp][] = [
      [mine.data.id, { baseUrl: null }, /^baseUrl: is required/],
      [mine.data.id, { baseUrl: 'http://169.254.169.254/v1' }, /^baseUrl: .*metadata/],
      [theirs.data.id, { key: null }, /^key: is required/],
    ]
    for (const [id, change, message] of problems) {
      const answer = await person.call(`PATCH /connections/models/${id}`, change)
      assert.equal(answer.status, 400)
      assert.match(answer.error?.message ?? '', message)
    }
  })

  test('a project uses the default model until it chooses one, and uses the default again when the chosen model is removed', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'model.created': 3, 'model.deleted': 1 } })
    const person = await app.signUp()
    const first = await person.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const second = await person.call<ModelConnectionRecord>(
      'POST /connections/models',
      compatible({ label: 'b', models: ['m-1', 'm-2'] }),
    )
    const project = await person.call<{ id: string }>('POST /projects', {})
    const route = `/projects/${project.data.id}/model`
    const inherited = await person.call(`GET ${route}`)
    assert.deepEqual([inherited.data['connectionId'], inherited.data['inherited']], [first.data.id, true])
    const chosen = await person.call(`PUT ${route}`, { connectionId: second.data.id, model: 'm-2' })
    assert.deepEqual([chosen.data['model'], chosen.data['inherited']], ['m-2', false])
    const unknown = await person.call(`PUT ${route}`, { connectionId: second.data.id, model: 'm-3' })
    assert.deepEqual([unknown.status, unknown.error?.message?.startsWith('model: ')], [400, true])
    assert.match((await person.call(`PUT ${route}`, { model: 'x' })).error?.message ?? '', /^connectionId: /)
    const stranger = await app.signUp()
    const foreign = await stranger.call<ModelConnectionRecord>('POST /connections/models', compatible())
    const refused = await person.call(`PUT ${route}`, { connectionId: foreign.data.id, model: 'm-1' })
    assert.match(refused.error?.message ?? '', /^connectionId: /)
    await person.call(`DELETE /connections/models/${second.data.id}`)
    assert.equal((await person.call(`GET ${route}`)).data['inherited'], true)
  })

  test('while no model is connected, reading the model of a project and choosing the default are refused with 412 model_required', async () => {
    leaves({ events: { 'project.created': 1 } })
    const person = await app.signUp()
    const project = await person.call<{ id: string }>('POST /projects', {})
    const path = `/projects/${project.data.id}`
    const read = await person.call(`GET ${path}/model`)
    assert.deepEqual([read.status, read.error?.code], [412, 'model_required'])
    const before = await person.call(`GET ${path}`)
    app.clock.advance(1000)
    const chosen = await person.call(`PUT ${path}/model`, { inherit: true })
    assert.deepEqual([chosen.status, chosen.error?.code], [412, 'model_required'])
    assert.deepEqual((await person.call(`GET ${path}`)).data, before.data, 'the project is not changed')
  })

  describe('Workers AI', () => {
    const calls: { url: string; authorization: string | null; body: string }[] = []
    let cloud: Server
    let world: TestApp

    before(async () => {
      // A fake of Cloudflare that refuses the expired token until the connection has renewed it.
      cloud = createServer((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          const url = request.url ?? ''
          const authorization = request.headers.authorization ?? null
          calls.push({ url, authorization, body: Buffer.concat(chunks).toString() })
          response.setHeader('content-type', 'application/json')
          if (url === '/oauth/token') {
            response.end('{"access_token":"fresh","refresh_token":"again","expires_in":3600}')
          } else if (authorization !== 'Bearer fresh') {
            response.statusCode = 401
            response.end('{"errors":[{"message":"Authentication error"}]}')
          } else if (url.startsWith('/v4/accounts/acc1/ai/models/search')) {
            response.end('{"result":[{"name":"@cf/meta/llama-3.3-70b"}]}')
          } else {
            const choice = { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' }
            response.end(JSON.stringify({ id: '1', model: 'm', created: 1, choices: [choice] }))
          }
        })
      })
      await new Promise<void>((resolve) => cloud.listen(0, '127.0.0.1', resolve))
      const origin = `http://127.0.0.1:${(cloud.address() as AddressInfo).port}`
      world = await testApp({ localWorld: false, modelBaseUrl: null })
      Object.assign(world.config.cloudflare, { api: `${origin}/v4`, oauth: `${origin}/oauth` })
    })
    after(async () => {
      await world.close()
      cloud.closeAllConnections()
      cloud.close()
    })

    const workersAi = { provider: 'workers-ai', label: 'Account', defaultModel: '@cf/meta/llama-3.3-70b' }

    async function connectAccount(orgId: string) {
      const place = { id: `con_${orgId}`, org_id: orgId }
      const { keyring, db, clock } = world.platform
      await db
        .insertInto('connections')
        .values({
          ...place,
          provider: 'cloudflare',
          profile: 'local',
          account_id: 'acc1',
          account_name: 'Account',
          subdomain: 'sub',
          token: keyring.seal('stale', tokenPlace(place, 'token')),
          refresh_token: keyring.seal('once', tokenPlace(place, 'refresh_token')),
          scopes: [],
          status: 'connected',
          expires_at: null,
          created_at: clock.now(),
        })
        .execute()
    }

    test('a connection to Workers AI is refused while no Cloudflare account is connected, and when the request contains a key or an address', async () => {
      leaves({ activity: { 'model.created': 1 } })
      const person = await world.signUp()
      const without = await person.call('POST /connections/models', workersAi)
      assert.deepEqual([without.status, without.error?.code], [409, 'conflict'])
      await connectAccount(person.organizationId)
      for (const [field, value] of [
        ['key', 'sk-1'],
        ['baseUrl', 'https://models.example/v1'],
      ] as const) {
        const refused = await person.call('POST /connections/models', { ...workersAi, [field]: value })
        assert.equal(refused.status, 400)
        assert.match(refused.error?.message ?? '', new RegExp(`^${field}: `))
      }
      const made = await person.call<ModelConnectionRecord>('POST /connections/models', workersAi)
      assert.deepEqual([made.status, made.data.hasKey, made.data.baseUrl], [200, false, null])
    })

    test('Workers AI is called at the Cloudflare account’s address with the account’s token, which is renewed after it has expired', async () => {
      leaves({ activity: { 'model.created': 1 } })
      const person = await world.signUp()
      await connectAccount(person.organizationId)
      const made = await person.call<ModelConnectionRecord>('POST /connections/models', workersAi)
      calls.length = 0
      const answer = await person.call<{ models: string[] }>(
        `POST /connections/models/${made.data.id}/test`,
        {},
      )
      assert.deepEqual(answer.data.models, ['@cf/meta/llama-3.3-70b'], JSON.stringify(answer.error))
      assert.deepEqual(
        calls.map(({ url, authorization }) => [url.split('?')[0], authorization]),
        [
          ['/v4/accounts/acc1/ai/v1/chat/completions', 'Bearer stale'],
          ['/oauth/token', null],
          ['/v4/accounts/acc1/ai/v1/chat/completions', 'Bearer fresh'],
          ['/v4/accounts/acc1/ai/models/search', 'Bearer fresh'],
        ],
      )
    })

    test('calling Workers AI without a cloud account is refused with a message that no account is connected', async () => {
      leaves({ activity: { 'model.created': 1 } })
      const person = await world.signUp()
      await connectAccount(person.organizationId)
      const made = await person.call<ModelConnectionRecord>('POST /connections/models', workersAi)
      await world.platform.db.deleteFrom('connections').where('org_id', '=', person.organizationId).execute()
      const answer = await person.call(`POST /connections/models/${made.data.id}/test`, {})
      assert.deepEqual([answer.status, answer.error?.code], [502, 'model_error'])
      assert.match(answer.error?.message ?? '', /No cloud account is connected/)
    })
  })

  test('the file types that a connection’s models read can be set, changed and cleared', async () => {
    leaves({ activity: { 'model.created': 1, 'model.updated': 3 } })
    const person = await app.signUp()
    const made = await person.call<ModelConnectionRecord>(
      'POST /connections/models',
      compatible({ modalities: ['images'] }),
    )
    assert.deepEqual(made.data.modalities, ['images'])
    const route = `PATCH /connections/models/${made.data.id}`
    const change = (modalities: unknown) => person.call<ModelConnectionRecord>(route, { modalities })
    assert.deepEqual((await change(['images', 'pdfs'])).data.modalities, ['images', 'pdfs'])
    assert.deepEqual((await change([])).data.modalities, [])
    assert.equal((await change(null)).data.modalities, null)
    assert.match((await change(['smells'])).error?.message ?? '', /^modalities/)
  })
})
