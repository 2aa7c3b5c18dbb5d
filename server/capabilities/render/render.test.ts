import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { starterTree } from '../../agent/source/tree.ts'
import { cloudFetch } from '../../cloudflare/fetch.ts'
import { type CloudApp, openCloudApp, until } from '../../releases/testing.ts'
import type { Client } from '../../testing/app.ts'
import { testBrowserPath } from '../../testing/chromium.ts'
import { leaves } from '../../testing/effects.ts'

interface Spend {
  month: string
  used: number
  monthly: number
}
interface AppResponse {
  status: number
  headers: Headers
  text: string
  code: string | null
}

const MANIFEST = {
  slipway: 1,
  name: 'Bakery',
  uses: ['render'],
  pages: [{ path: '/', file: 'Home.tsx', title: 'Home' }],
}
const ROUTES = `import { render } from '@slipway/app/server'
import { Hono } from 'hono'

export const routes = new Hono()
routes.post('/render/:what', async (c) => {
  const made = await render[c.req.param('what')](await c.req.json())
  return typeof made === 'string' ? c.text(made) : c.body(made)
})
routes.get('/invoice', (c) => c.html('<h1>Invoice 7</h1>'))
routes.get('/away', (c) => c.redirect('http://elsewhere.example.org/'))
routes.get('/endless', (c) => c.html('<h1>Wait</h1><img src="/api/never">'))
routes.get('/never', () => new Promise((resolve) => setTimeout(() => resolve(new Response('late')), 20_000)))
`
const TREE = new Map([
  ...starterTree('Bakery'),
  ['app.json', JSON.stringify(MANIFEST)],
  [
    'web/pages/Home.tsx',
    `import { Page } from '@slipway/app/react'\nexport default () => <Page title="Home">Fresh bread</Page>\n`,
  ],
  ['server/routes.ts', ROUTES],
])
const hasChromium = existsSync(testBrowserPath())

/** The tests share one shipped app and depend on their order. */
describe('the pages that a live app renders', { skip: !hasChromium && 'no browser here' }, () => {
  let cloud: CloudApp
  let operator: Client
  let at: string
  let appUrl: string
  let previewUrl: string

  async function ask(what: string, page: object, url = appUrl): Promise<AppResponse> {
    const answer = await cloudFetch(`${url}/api/render/${what}`, {
      method: 'POST',
      body: JSON.stringify(page),
    })
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    const code = answer.ok ? null : (JSON.parse(text) as { error: { code: string } }).error.code
    return { status: answer.status, headers: answer.headers, text, code }
  }
  /** Renders as the operator. Returns the bytes or the refusal. */
  async function run(page: object): Promise<AppResponse> {
    const answer = await operator.raw(`POST ${at}/capabilities/render/run`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(page),
    })
    const text = Buffer.from(await answer.arrayBuffer()).toString('latin1')
    const code = answer.ok ? null : (JSON.parse(text) as { error: { code: string } }).error.code
    return { status: answer.status, headers: answer.headers, text, code }
  }
  const spend = async () => (await operator.call<Spend>(`GET ${at}/capabilities/render/spend`)).data
  const set = async (settings: object) => {
    await operator.call(`PUT ${at}/capabilities/render`, { enabled: true, settings })
    assert.equal((await operator.call(`POST ${at}/deploy`)).error, undefined)
  }

  before(async () => {
    cloud = await openCloudApp()
    const made = await cloud.personWithProject('Bakery')
    operator = made.person
    at = made.path
    await operator.call(`PUT ${at}/capabilities/render`, { enabled: true, settings: { timeoutMs: 3000 } })
    const early = await operator.call(`GET ${at}/capabilities/render/spend`)
    assert.equal(early.error?.code, 'not_enabled', 'not deployed yet')
    await cloud.build(made.project.id, TREE)
    const shipped = await operator.call<{ url: string }>(`POST ${at}/deploy`)
    assert.equal(shipped.error, undefined)
    appUrl = shipped.data.url
    const preview = await operator.call<{ previewUrl: string }>(`POST ${at}/preview`, {})
    previewUrl = preview.data.previewUrl
  })
  after(() => cloud.close())

  test('IP addresses, local names and URLs are refused as hosts that an app may render', async () => {
    for (const host of ['10.0.0.1', 'localhost', 'db.internal', 'https://example.org', '[::1]']) {
      const settings = { allowedHosts: [host] }
      const { error } = await operator.call(`PUT ${at}/capabilities/render`, { enabled: true, settings })
      assert.equal(error?.code, 'invalid_request', host)
    }
  })

  test('an app renders HTML and its own pages as PDF, screenshot, text or HTML, and each rendering counts once', async () => {
    const month = new Date().toISOString().slice(0, 7)
    assert.deepEqual(await spend(), { month, used: 0, monthly: 500 })
    const pdf = await ask('pdf', { html: '<h1>Invoice 7</h1>' })
    assert.match(pdf.text, /^%PDF-/, pdf.text.slice(0, 300))
    assert.match((await ask('screenshot', { url: '/api/invoice' })).text, /^.PNG/)
    assert.equal((await ask('markdown', { url: '/api/invoice' })).text.trim(), '# Invoice 7')
    assert.match((await ask('html', { url: `${appUrl}/` })).text, /Fresh bread/)
    assert.equal((await spend()).used, 4)
  })

  test('rendering a file, a private address or a host that is not allowed is refused and not counted', async () => {
    const { used } = await spend()
    for (const url of [
      'file:///etc/passwd',
      'http://127.0.0.1/',
      'https://elsewhere.example.org/',
      '/api/away',
    ]) {
      const { status, code, text } = await ask('html', { url })
      assert.deepEqual([status, code], [400, 'invalid_request'], `${url} ${text}`)
    }
    assert.equal((await spend()).used, used)
  })

  test('the operator can render a page of the app as PDF, screenshot or text, and each rendering counts once', async () => {
    const { used } = await spend()
    const pdf = await run({ as: 'pdf', url: '/api/invoice' })
    assert.match(pdf.text, /^%PDF-/, pdf.text.slice(0, 300))
    assert.deepEqual(
      ['content-type', 'cache-control', 'content-security-policy', 'x-content-type-options'].map((name) =>
        pdf.headers.get(name),
      ),
      ['application/pdf', 'private, no-store', "sandbox; default-src 'none'", 'nosniff'],
    )
    const picture = await run({ as: 'screenshot', url: `${appUrl}/` })
    assert.deepEqual([picture.text.slice(1, 4), picture.headers.get('content-type')], ['PNG', 'image/png'])
    const text = await run({ as: 'markdown', url: '/api/invoice' })
    assert.deepEqual(
      [text.text.trim(), text.headers.get('content-type')],
      ['# Invoice 7', 'text/markdown; charset=utf-8'],
    )
    assert.equal((await spend()).used, used + 3)
  })

  test("the operator's request to render an invalid address or an invalid format is refused and not counted", async () => {
    const { used } = await spend()
    for (const [page, said] of [
      [
        { as: 'pdf', url: 'https://elsewhere.example.org/' },
        /^url: must be of this app or of an allowed host/,
      ],
      [{ as: 'pdf', url: 'http://127.0.0.1/' }, /^url: must be of this app/],
      [{ as: 'screenshot', url: 'file:///etc/passwd' }, /^url: must be a path of the app or an http address/],
      [{ as: 'markdown', url: '/api/away' }, /^url: leads to a host that is not allowed/],
      [{ as: 'html', url: '/' }, /^as: /],
      [{ as: 'pdf', url: '' }, /^url: /],
      [{ as: 'pdf' }, /^url: /],
    ] as const) {
      const { status, code, text } = await run(page)
      assert.deepEqual([status, code], [400, 'invalid_request'], text)
      assert.match((JSON.parse(text) as { error: { message: string } }).error.message, said)
    }
    const slow = await run({ as: 'pdf', url: '/api/endless' })
    assert.deepEqual([slow.status, slow.code], [503, 'unavailable'], slow.text)
    assert.match(slow.text, /The page did not load within 3000 ms/)
    assert.equal((await spend()).used, used)
  })

  test('rendering a page that never finishes loading fails after the configured time and is not counted', async () => {
    const { used } = await spend()
    const { status, code, text } = await ask('pdf', { url: '/api/endless' })
    assert.deepEqual([status, code], [503, 'unavailable'], text)
    assert.equal((await spend()).used, used)
  })

  test('renderings by the preview and by the live app share a monthly limit, beyond which calls are refused', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { 'project.deployed': 1, 'worker.upload': 'some' },
      jobs: { deploy: 'some', provision: 'any' },
    })
    const { used } = await spend()
    await set({ monthly: used + 1 })
    const pages = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        ask('pdf', { html: '<p>x</p>' }, i % 2 === 0 ? appUrl : previewUrl),
      ),
    )
    assert.equal(pages.filter(({ status }) => status === 200).length, 1)
    const refused = pages.filter(({ code }) => code === 'rate_limited')
    assert.equal(refused.length, 19)
    const seconds = Number(refused[0]?.headers.get('retry-after'))
    assert.ok(seconds > 0 && seconds <= 31 * 86_400, String(seconds))
    assert.deepEqual(await spend(), { month: (await spend()).month, used: used + 1, monthly: used + 1 })
    const own = await run({ as: 'pdf', url: '/api/invoice' })
    assert.deepEqual([own.status, own.code], [429, 'rate_limited'], 'the operator spends the same pages')
    assert.ok(Number(own.headers.get('retry-after')) > 0)
  })

  test('a rendering of a page or document above the size limit is refused', async () => {
    leaves({
      events: { 'project.deployed': 1 },
      activity: { 'project.deployed': 1, 'worker.upload': 'some' },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await set({ monthly: 500, maxBytes: 1024 })
    const { status, code } = await ask('pdf', { html: '<h1>Invoice 7</h1>' })
    assert.deepEqual([status, code], [400, 'invalid_request'])
  })

  test('an app cannot render pages while the render capability is off', async () => {
    leaves({ activity: { 'worker.rebind': 'any' }, jobs: { provision: 'any' } })
    await operator.call(`PUT ${at}/capabilities/render`, { enabled: false })
    await until(async () => (await ask('pdf', { html: '<p>x</p>' })).code === 'not_enabled')
    assert.equal((await operator.call(`GET ${at}/capabilities/render/spend`)).error?.code, 'not_enabled')
    assert.equal((await run({ as: 'pdf', url: '/' })).code, 'not_enabled')
  })

  test('the operator cannot render pages of an archived app until it is deployed again', async () => {
    leaves({
      events: { 'project.archived': 1, 'project.deployed': 1 },
      activity: {
        'project.archived': 1,
        'project.deployed': 1,
        'worker.deploy': 'some',
        'worker.offline': 'some',
        'worker.version': 'some',
      },
      jobs: { deploy: 'some', provision: 'any' },
    })
    await operator.call(`PUT ${at}/capabilities/render`, { enabled: true })
    await set({})
    assert.equal((await operator.call(`POST ${at}/archive`)).error, undefined)
    const { status, text } = await run({ as: 'pdf', url: '/' })
    assert.deepEqual([status, /not live/.test(text)], [409, true], text)
  })
})
