import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { gatewayExists } from '../../cloudflare/products/ai.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'

const TREE = new Map([
  ...starterTree('Notes'),
  [
    'app.json',
    JSON.stringify({
      slipway: 1,
      name: 'Notes',
      uses: ['ai'],
      pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
      ai: [{ task: 'summarize', system: 'Summarize.', access: 'public' }],
    }),
  ],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])

/** The tests share one shipped app and depend on their order. */
describe('the models of a live app, for its operator', () => {
  let cloud: CloudApp
  let made: Awaited<ReturnType<CloudApp['personWithProject']>>
  let url: string

  before(async () => {
    cloud = await openCloudApp()
    made = await cloud.personWithProject('Notes')
    await put({})
    assert.equal((await run('Hi')).error?.code, 'not_enabled', 'not shipped yet')
    await cloud.build(made.project.id, TREE)
    const shipped = await made.person.call<{ url: string }>(`POST ${made.path}/deploy`)
    assert.equal(shipped.error, undefined)
    url = shipped.data.url
  })
  after(() => cloud.close())

  const at = () => `${made.path}/capabilities/ai`
  const run = (prompt: string) => made.person.call<{ text: string }>(`POST ${at()}/run`, { prompt })
  const spend = async () =>
    (await made.person.call<{ month: string; used: number }>(`GET ${at()}/spend`)).data
  async function put(settings: object, secrets: object = {}) {
    const answer = await made.person.call(`PUT ${at()}`, { enabled: true, settings, secrets })
    assert.equal(answer.error, undefined)
    const state = async () =>
      (await made.person.call<{ provision: { state: string } }>(`GET ${at()}`)).data.provision.state
    await until(async () => (await state()) === 'idle')
  }
  /** Runs a prompt until the response or the error matches the pattern. A match shows that the live worker uses the changed setting. */
  const answersLike = (pattern: RegExp) =>
    until(async () => {
      const { data, error } = await run('Hello')
      return pattern.test(error === undefined ? data.text : `${error.code} ${error.message}`)
    })

  test("a prompt runs through the project's AI Gateway, and model runs by the app and by the operator are counted", async () => {
    assert.ok(await gatewayExists(await cloud.accountOf(made.person.organizationId), 'notes-ai'))
    assert.equal((await run('What do ferns like?')).data.text, 'What do ferns like?')
    const task = await cloudFetch(`${url}/_app/ai/summarize`, { method: 'POST', body: '{"input":"a note"}' })
    assert.deepEqual(await task.json(), { ok: true, data: { text: 'a note' } })
    assert.deepEqual(await spend(), { month: new Date().toISOString().slice(0, 7), used: 2 })
    for (const prompt of ['', 'x'.repeat(100_001)])
      assert.equal((await run(prompt)).error?.code, 'invalid_request')
  })

  test('a run with a model that Cloudflare does not know is a model_error and is not counted', async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const { used } = await spend()
    await put({ model: '@cf/nobody/nothing' })
    await answersLike(/^model_error The provider does not know the model/)
    const { status, error } = await run('Hi')
    assert.deepEqual([status, error?.code], [502, 'model_error'])
    assert.equal((await spend()).used, used)
  })

  test("a model of a provider other than Cloudflare needs that provider's key, which no response contains", async () => {
    leaves({ activity: { 'worker.secrets': 'any', 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    await put({ model: 'openai/gpt-5-mini' })
    await answersLike(/^conflict .*needs a provider key/)
    await put({}, { providerKey: 'sk-canary-key' })
    await answersLike(/^Hello$/)
    const { data } = await made.person.call<{ hasProviderKey: boolean }>(`GET ${at()}`)
    assert.equal(data.hasProviderKey, true)
    assert.ok(!JSON.stringify(data).includes('canary'))
  })

  test('once the monthly limit of model runs is used up, the operator and the app get a 429 until the next month', async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const { used } = await spend()
    await put({ model: null, monthlyRuns: used + 1 })
    await answersLike(/^rate_limited/)
    const { status, error, headers } = await made.person.call(`POST ${at()}/run`, { prompt: 'Hi' })
    assert.deepEqual([status, error?.code], [429, 'rate_limited'])
    const now = new Date()
    const next = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1)
    assert.ok(Math.abs(Date.now() + Number(headers.get('retry-after')) * 1000 - next) < 120_000)
    const task = await cloudFetch(`${url}/_app/ai/summarize`, { method: 'POST', body: '{"input":"a note"}' })
    await task.body?.cancel()
    assert.equal(task.status, 429)
    assert.equal((await spend()).used, used + 1)
  })
})
