import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type { api as Api } from '../web/api.ts'
import type { guard as Guard } from './client.ts'

interface SentRequest {
  method: string
  path: string
  token: string | null
}
interface Widget {
  sitekey: string
  action: string
  callback: (token: string) => void
  'error-callback': () => void
  'before-interactive-callback': () => void
}

const REAL_KEY = '0x4AAAAAAADnPIDROrmt1Wwj'
let scriptLoads = 0

/** A browser with freshly loaded modules, because the modules remember which addresses need a token. */
class Browser {
  readonly sent: SentRequest[] = []
  readonly widgets: Widget[] = []
  /** The required action of each address that needs a token. */
  wants: Record<string, string> = {}
  siteKey: string | null = '1x00000000000000000000AA'
  api!: typeof Api
  guard!: typeof Guard
  boxes = 0

  async open(): Promise<this> {
    const page = globalThis as Record<string, unknown>
    page['location'] = { hostname: 'app.example.com' }
    page['fetch'] = (path: string, init: RequestInit = {}) => Promise.resolve(this.#respond(path, init))
    const turnstile = {
      render: (_box: unknown, options: Widget) => {
        this.widgets.push(options)
        return 'w1'
      },
      remove: () => {},
    }
    page['window'] = page
    page['document'] = {
      createElement: (name: string) => {
        if (name === 'div') this.boxes++
        const heard = new Map<string, () => void>()
        return {
          style: {},
          remove: () => name === 'div' && this.boxes--,
          addEventListener: (event: string, listener: () => void) => heard.set(event, listener),
          fire: (event: string) => heard.get(event)?.(),
        }
      },
      body: { append: () => {} },
      head: {
        append: (script: { fire: (event: string) => void; src: string }) => {
          assert.match(script.src, /^https:\/\/challenges\.cloudflare\.com\//)
          page['turnstile'] = turnstile
          if (!this.isSlow) script.fire(this.isBlocked ? 'error' : 'load')
        },
      },
    }
    const part = `?page=${++scriptLoads}`
    this.guard = ((await import(`./client.ts${part}`)) as { guard: typeof Guard }).guard
    this.api = ((await import(`../web/api.ts${part}`)) as { api: typeof Api }).api
    return this
  }

  isBlocked = false
  isSlow = false

  #respond(path: string, init: RequestInit): Response {
    const { siteKey } = this
    if (path === '/_app/guard')
      return siteKey === null
        ? new Response('', { status: 500 })
        : Response.json({ ok: true, data: { siteKey } })
    const token = new Headers(init.headers).get('x-guard-token')
    this.sent.push({ method: init.method ?? 'GET', path, token })
    const action = this.wants[path]
    if (action === undefined || token !== null) return Response.json({ done: true })
    const error = { code: 'forbidden', message: 'Confirm', field: `guard.${action}` }
    return Response.json({ ok: false, error }, { status: 403 })
  }
}

describe('CAPTCHA tokens of a page', () => {
  const kept = { fetch: globalThis.fetch, location: undefined, window: undefined, document: undefined }
  let browser: Browser
  beforeEach(async () => {
    browser = await new Browser().open()
  })
  afterEach(() => {
    Object.assign(globalThis, kept)
  })
  const contentOf = (token: string | null) =>
    JSON.parse(Buffer.from(token?.split('.').at(-1) ?? '', 'base64url').toString()) as object

  test('a request rejected without a CAPTCHA token is repeated with one, and later requests send a token at once', async () => {
    browser.wants = { '/api/contact': 'contact' }
    assert.deepEqual(await browser.api.post('/api/contact', { text: 'Hi' }), { done: true })
    assert.deepEqual(
      browser.sent.map(({ token }) => token === null),
      [true, false],
    )
    const { action, hostname } = contentOf(browser.sent[1]?.token ?? null) as Record<string, string>
    assert.deepEqual([action, hostname], ['contact', 'app.example.com'])
    await browser.api.post('/api/contact', {})
    assert.equal(browser.sent.length, 3)
    assert.ok(browser.sent[2]?.token)
    assert.notEqual(browser.sent[1]?.token, browser.sent[2]?.token)
  })

  test('a request to a path that needs no CAPTCHA token sends no token', async () => {
    await browser.api.post('/api/other', {})
    assert.deepEqual(browser.sent, [{ method: 'POST', path: '/api/other', token: null }])
  })

  test('with a real site key, the CAPTCHA widget creates the token and is then removed from the page', async () => {
    browser.siteKey = REAL_KEY
    const made = browser.guard.token('contact')
    while (browser.widgets.length === 0) await new Promise((resolve) => setImmediate(resolve))
    const [widget] = browser.widgets
    assert.deepEqual([widget?.sitekey, widget?.action], [REAL_KEY, 'contact'])
    assert.equal(browser.boxes, 1)
    widget?.callback('the token')
    assert.equal(await made, 'the token')
    assert.equal(browser.boxes, 0)
  })

  test('a CAPTCHA token request that fails, for instance because the script is blocked, rejects with "forbidden"', async () => {
    browser.siteKey = null
    await assert.rejects(browser.guard.token('contact'), { code: 'forbidden' })
    browser.siteKey = REAL_KEY
    browser.isBlocked = true
    await assert.rejects(browser.guard.token('contact'), { code: 'forbidden' })
    browser.isBlocked = false
    const made = browser.guard.token('contact')
    while (browser.widgets.length === 0) await new Promise((resolve) => setImmediate(resolve))
    browser.widgets[0]?.['error-callback']()
    await assert.rejects(made, { code: 'forbidden' })
    assert.equal(browser.boxes, 0)
  })

  test('a CAPTCHA that does not respond for 20 seconds rejects with "unavailable", and the next request gets a token', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      browser.siteKey = REAL_KEY
      for (const isSlow of [true, false]) {
        browser.isSlow = isSlow
        const made = browser.guard.token('contact')
        const rejected = assert.rejects(made, { code: 'unavailable', message: /Try again/ })
        await turns()
        assert.equal(browser.widgets.length, isSlow ? 0 : 1)
        mock.timers.tick(20_000)
        await rejected
        assert.equal(browser.boxes, 0)
      }
      const made = browser.guard.token('contact')
      await turns()
      browser.widgets[1]?.callback('the token')
      assert.equal(await made, 'the token')
    } finally {
      mock.timers.reset()
    }
  })

  test('a person who is asked to do something in the CAPTCHA widget may take longer than 20 seconds', async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      browser.siteKey = REAL_KEY
      const made = browser.guard.token('contact')
      await turns()
      browser.widgets[0]?.['before-interactive-callback']()
      mock.timers.tick(60_000)
      browser.widgets[0]?.callback('the token')
      assert.equal(await made, 'the token')
    } finally {
      mock.timers.reset()
    }
  })
})

async function turns(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve))
}
