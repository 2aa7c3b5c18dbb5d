import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testToken } from '@slipway/runtime/guard/action.ts'
import * as z from 'zod'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { deleteWidget, findWidget, readWidgetSecret } from '../../cloudflare/products/turnstile.ts'
import { type DomainApp, type DomainProject, openDomainApp } from '../../domain/testing.ts'
import { until } from '../../releases/testing.ts'
import { leaves } from '../../testing/effects.ts'

const TREE = new Map([
  ...starterTree('Plants'),
  [
    'app.json',
    JSON.stringify({
      slipway: 1,
      name: 'Plants',
      uses: ['guard'],
      pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
    }),
  ],
  [
    'server/routes.ts',
    `import { guard } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/contact', (c) => c.json({ sent: true }))
routes.post('/limited', async (c) => c.json({ ok: await guard.limit('posts', c.req.raw) }))
`,
  ],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Hello</Page>\n`,
  ],
])
const SETTINGS = {
  mode: 'invisible',
  protect: ['/api/contact'],
  limits: [{ name: 'posts', limit: 2, period: 60, per: 'ip' }],
}
const Bindings = z.looseObject({
  bindings: z.array(z.looseObject({ type: z.string(), name: z.string(), text: z.string().optional() })),
})

/** The tests share one shipped app and depend on their order. */
describe('bot protection of a live app', () => {
  let cloud: DomainApp
  let one: DomainProject
  let url: string

  before(async () => {
    cloud = await openDomainApp()
    one = await cloud.newProject()
    await put(SETTINGS)
    await ship()
  })
  after(() => cloud.close())

  const account = () => cloud.accountOf(one.person.organizationId)
  const name = () => `${one.project.slug}-guard`
  const widget = async () => {
    const found = await findWidget(await account(), name())
    assert.ok(found)
    return found
  }
  async function put(settings: object) {
    const path = `${one.path}/capabilities/guard`
    const { status, error } = await one.person.call(`PUT ${path}`, { enabled: true, settings })
    assert.equal(status, 200, String(error?.message))
    const state = async () =>
      (await one.person.call<{ provision: { state: string } }>(`GET ${path}`)).data.provision.state
    await until(async () => (await state()) === 'idle')
  }
  async function ship() {
    await cloud.build(one.project.id, TREE)
    const answer = await one.person.call<{ state: string; url: string }>(`POST ${one.path}/deploy`)
    assert.equal(answer.data?.state, 'live', String(answer.error?.message))
    url = answer.data.url
  }
  const bindingsOf = async (script: string) =>
    (
      await (
        await account()
      ).call({
        method: 'GET',
        path: `/accounts/:account/workers/scripts/${script}/settings`,
        doing: 'read its bindings',
        result: Bindings,
      })
    ).bindings
  async function contact(at = url, token: string | null = testToken('api_contact', new URL(at).hostname)) {
    const headers = token === null ? {} : { 'x-guard-token': token }
    const answer = await cloudFetch(`${at}/api/contact`, { method: 'POST', headers, body: '{}' })
    await answer.body?.cancel()
    return answer.status
  }

  test('the bot protection widget is valid for the addresses of live app and preview, and its mode follows the settings', async () => {
    leaves({ activity: { 'widget.change': 1, 'worker.secrets': 'any' }, jobs: { provision: 'any' } })
    const { mode, domains } = await widget()
    const { slug } = one.project
    const { hostname } = new URL(url)
    assert.deepEqual(
      [mode, domains.toSorted()],
      ['invisible', [hostname, hostname.replace(slug, `${slug}-preview`)].toSorted()],
    )
    await put({ ...SETTINGS, mode: 'managed' })
    assert.equal((await widget()).mode, 'managed')
  })

  test('only the Durable Objects worker has the Turnstile secret, and no response about the project contains it', async () => {
    const { slug } = one.project
    const secretsOf = async (script: string) =>
      (await bindingsOf(script)).filter(({ type }) => type.startsWith('secret')).map((bound) => bound.name)
    assert.deepEqual(await secretsOf(`${slug}-live`), ['GUARD_SECRET'])
    assert.deepEqual(await secretsOf(slug), [])
    const secret = await readWidgetSecret(await account(), await widget())
    for (const path of ['/capabilities/guard', '/deployments', '/readiness']) {
      const shown = JSON.stringify(await one.person.call(`GET ${one.path}${path}`))
      assert.ok(!shown.includes(secret), path)
    }
  })

  test('a protected route accepts each bot protection token once and refuses requests without one', async () => {
    const token = testToken('api_contact', new URL(url).hostname)
    assert.deepEqual(
      [await contact(url, null), await contact(url, token), await contact(url, token)],
      [403, 200, 403],
    )
  })

  test('requests past a rate limit of the settings are refused', async () => {
    const use = async () => {
      const answer = await cloudFetch(`${url}/api/limited`, { method: 'POST', body: '{}' })
      return ((await answer.json()) as { ok: boolean }).ok
    }
    assert.deepEqual([await use(), await use(), await use()], [true, true, false])
  })

  test("attaching a custom domain adds it to the bot protection widget, and the domain accepts the widget's tokens", async () => {
    leaves({ activity: { 'domain.attach': 1, 'domain.set': 1, 'widget.change': 1 } })
    await one.domain.onboard(one.host)
    await one.domain.attach()
    assert.ok((await widget()).domains.includes(one.host))
    assert.equal(await contact(`http://${one.host}:${new URL(url).port}`), 200)
  })

  test('deploying again restores a deleted bot protection widget, and the app accepts its tokens', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: {
        'project.deployed': 1,
        'widget.create': 1,
        'widget.remove': 1,
        'worker.deploy': 'some',
        'worker.upload': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some' },
    })
    const before = await widget()
    await deleteWidget(await account(), before)
    assert.equal(await contact(), 503)
    cloud.app.clock.advance(61_000)
    await ship()
    const made = await widget()
    assert.notEqual(made.sitekey, before.sitekey)
    assert.ok(made.domains.includes(one.host))
    assert.equal(await contact(), 200)
  })

  test("another program's bot protection widget of the same name is neither used nor changed", async () => {
    leaves({ activity: { 'worker.upload': 'some' }, jobs: { provision: 'any' } })
    const other = await cloud.newProject()
    const theirs = await cloud.accountOf(other.person.organizationId)
    await theirs.call({
      method: 'POST',
      path: '/accounts/:account/challenges/widgets',
      json: { name: `${other.project.slug}-guard`, domains: ['theirs.test'], mode: 'managed' },
      doing: 'make a widget by hand',
      result: z.unknown(),
      write: null,
    })
    const path = `${other.path}/capabilities/guard`
    await other.person.call(`PUT ${path}`, { enabled: true })
    const read = async () =>
      (
        await other.person.call<{ provision: { state: string; error: { code: string } | null } }>(
          `GET ${path}`,
        )
      ).data.provision
    await until(async () => (await read()).state !== 'creating')
    assert.equal((await read()).error?.code, 'name_taken')
    assert.deepEqual((await findWidget(theirs, `${other.project.slug}-guard`))?.domains, ['theirs.test'])
  })
})
