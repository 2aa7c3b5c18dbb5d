import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Budget } from '../directory/budget.ts'
import { ApiError } from '../kernel/errors.ts'
import { memoryStorage } from '../kernel/objects/sqlite.test.fixture.ts'
import { renderWithinBudget, type Browser } from './within-budget.ts'
import type { PageSource, RenderSettings } from './types.ts'

const OWN = ['https://shop.example.workers.dev', 'http://shop.localhost:8788']
const NOW = Date.parse('2026-11-30T23:59:00Z')
const SETTINGS: RenderSettings = {
  monthly: 3,
  timeoutMs: 1000,
  allowedHosts: ['example.org', 'localhost', '10.0.0.1', 'router.internal'],
  maxBytes: 100,
}

/** Renders with the real budget and a fake browser, which returns the response of `answer`. */
class Desk {
  readonly asked: { action: string; options: Record<string, unknown> }[] = []
  readonly #budget = new Budget(memoryStorage())
  answer: () => Promise<Response> = async () => new Response('%PDF-1.4')
  nowMs = NOW
  settings = SETTINGS

  readonly browser: Browser = {
    quickAction: (action, options) => {
      this.asked.push({ action, options: options as Record<string, unknown> })
      return this.answer()
    },
  }
  readonly budget = {
    begin: async () => {
      const claim = { key: 'render', window: 'month' as const, limit: this.settings.monthly, amount: 1 }
      const reserved = this.#budget.reserve([claim], this.nowMs)
      if (!reserved.ok) throw new ApiError('rate_limited', 'used up')
      return { id: reserved.id, settings: this.settings }
    },
    end: async (id: string, isUsed: boolean) => {
      if (isUsed) this.#budget.settle(id)
      else this.#budget.release(id)
    },
  }

  get used() {
    return this.#budget.used({ key: 'render', window: 'month' }, this.nowMs)
  }

  render(source: PageSource) {
    return renderWithinBudget({ browser: this.browser, budget: this.budget, own: OWN }, 'pdf', {
      source,
      options: {},
    })
  }

  async refusal(source: PageSource) {
    try {
      await this.render(source)
    } catch (error) {
      assert.ok(error instanceof ApiError)
      return [error.code, error.field ?? null, error.retryAfterSeconds ?? null]
    }
    return 'rendered'
  }
}

describe('pages that may be rendered', () => {
  const refused = ['invalid_request', 'url', null]
  for (const [url, isFine] of [
    ['/invoices/1', true],
    ['https://shop.example.workers.dev/a?b=1', true],
    ['http://shop.localhost:8788/', true],
    ['https://example.org', true],
    ['https://example.org:8443/', false],
    ['https://sub.example.org/', false],
    ['https://example.org.evil.example/', false],
    ['https://example.org@evil.example/', false],
    ['//evil.example/', false],
    ['file:///etc/passwd', false],
    ['view-source:https://example.org', false],
    ['javascript:alert(1)', false],
    ['data:text/html,hello', false],
    ['ftp://example.org/', false],
    ['http://localhost/', false],
    ['http://10.0.0.1/', false],
    ['http://169.254.169.254/latest/meta-data', false],
    ['http://router.internal/', false],
  ] as const)
    test(`rendering ${url} is ${isFine ? 'allowed' : 'rejected before the browser is called, and does not count toward the budget'}`, async () => {
      const desk = new Desk()
      assert.deepEqual(await desk.refusal({ url }), isFine ? 'rendered' : refused)
      assert.deepEqual([desk.asked.length, desk.used], isFine ? [1, 1] : [0, 0])
    })

  test("requests and redirects of a rendered page are limited to the app's hosts and the allowed hosts", async () => {
    const desk = new Desk()
    await desk.render({ url: '/' })
    const patterns = desk.asked[0]?.options['allowRequestPattern'] as string[]
    const passes = (url: string) => patterns.some((one) => new RegExp(one).test(url))
    for (const url of [
      'https://example.org/a.png',
      'http://shop.localhost:8788/api',
      'data:image/png;base64,AA',
    ])
      assert.ok(passes(url), url)
    for (const url of [
      'https://evil.example/?https://example.org/',
      'https://example.org.evil.example/',
      'https://exampleXorg/',
      'https://example.org@evil.example/',
      'https://example.org:22/',
      'http://10.0.0.1/',
      'http://localhost/',
      'file:///etc/passwd',
      'wss://example.org/',
    ])
      assert.ok(!passes(url), url)
  })

  test('rendered HTML runs no scripts, and a render call takes either HTML or a URL', async () => {
    const desk = new Desk()
    await desk.render({ html: '<p>Hi</p>' })
    assert.equal(desk.asked[0]?.options['setJavaScriptEnabled'], false)
    for (const source of [{}, { url: '/', html: '<p>' }, { html: '' }, { url: 1 }] as unknown as PageSource[])
      assert.equal((await desk.refusal(source))[0], 'invalid_request')
    assert.equal(desk.used, 1)
  })
})

describe('the monthly budget of rendered pages', () => {
  test("of 200 concurrent render calls for the last page of the month's budget, one is accepted", async () => {
    const desk = new Desk()
    await desk.render({ html: '1' })
    await desk.render({ html: '2' })
    const seen = await Promise.all(Array.from({ length: 200 }, () => desk.refusal({ html: '3' })))
    assert.equal(seen.filter((one) => one === 'rendered').length, 1)
    assert.deepEqual([desk.asked.length, desk.used], [3, 3])
  })

  test('the budget for rendered pages resets on the first of the month', async () => {
    const desk = new Desk()
    for (const html of ['1', '2', '3']) await desk.render({ html })
    assert.equal((await desk.refusal({ html: '4' }))[0], 'rate_limited')
    desk.nowMs = Date.parse('2026-12-01T00:00:00Z')
    await desk.render({ html: '4' })
    assert.equal(desk.used, 1)
  })

  test('a rendered page is returned and counted even if the Durable Object restarts at the end of the rendering', async () => {
    const desk = new Desk()
    desk.nowMs = Date.parse('2026-11-10T10:00:00Z')
    const { end } = desk.budget
    const calls: boolean[] = []
    desk.budget.end = async (id, isUsed) => {
      if (calls.push(isUsed) === 1) throw new Error('The object was restarted.')
      await end(id, isUsed)
    }
    await desk.render({ html: '1' })
    assert.deepEqual([calls, desk.used], [[true, true], 1])
    desk.nowMs += 10 * 60_000
    assert.equal(desk.used, 1)
  })

  test('after a crash during a rendering, the page reserved for it in the budget is released after ten minutes', async () => {
    const desk = new Desk()
    desk.nowMs = Date.parse('2026-11-10T10:00:00Z')
    await desk.budget.begin()
    assert.equal(desk.used, 1)
    desk.nowMs += 10 * 60_000
    assert.equal(desk.used, 0)
  })
})

describe('failed render calls', () => {
  for (const [what, answer, wanted] of [
    [
      'a render call to a busy browser is rate_limited with the retry delay that the provider names',
      () => new Response('{}', { status: 429, headers: { 'retry-after': '7' } }),
      ['rate_limited', null, 7],
    ],
    [
      'a render call to a busy browser is rate_limited for a minute when the provider names no delay',
      () => new Response('{}', { status: 429 }),
      ['rate_limited', null, 60],
    ],
    [
      'a rendered page that redirects to a host that is not allowed fails with an invalid URL',
      () => new Response('net::ERR_BLOCKED_BY_CLIENT', { status: 422 }),
      ['invalid_request', 'url', null],
    ],
    [
      'a rendered page that never finishes loading fails as unavailable',
      () => new Response('Navigation timeout of 1000 ms exceeded: TimedOut', { status: 422 }),
      ['unavailable', null, null],
    ],
    [
      'a render call to a failing provider fails as unavailable',
      () => new Response('secret words', { status: 500 }),
      ['unavailable', null, null],
    ],
  ] as const)
    test(`${what}, and does not count toward the budget`, async () => {
      const desk = new Desk()
      desk.answer = async () => answer()
      assert.deepEqual(await desk.refusal({ url: '/' }), wanted)
      assert.equal(desk.used, 0)
    })

  for (const [at, seconds] of [
    ['Tue, 01 Dec 2026 00:00:30 GMT', 90],
    ['Mon, 30 Nov 2026 23:58:00 GMT', 0],
    ['0', 0],
    ['1.2', 2],
    ['soon', 60],
  ] as const)
    test(`at 23:59 on Nov 30, a render call that gets 429 with Retry-After "${at}" is rate_limited for ${seconds} seconds`, async (t) => {
      t.mock.timers.enable({ apis: ['Date'], now: NOW })
      const desk = new Desk()
      desk.answer = async () => new Response('{}', { status: 429, headers: { 'retry-after': at } })
      assert.deepEqual(await desk.refusal({ url: '/' }), ['rate_limited', null, seconds])
    })

  test('a render call whose connection breaks does not count toward the budget', async () => {
    const desk = new Desk()
    desk.answer = () => Promise.reject(new Error('connection lost'))
    await assert.rejects(desk.render({ url: '/' }), /connection lost/)
    assert.equal(desk.used, 0)
  })

  test('a rendered result above the size limit is rejected without being read to its end, and counts toward the budget', async () => {
    const desk = new Desk()
    let chunks = 0
    const endless = () =>
      new ReadableStream({
        pull(controller) {
          chunks++
          controller.enqueue(new Uint8Array(40))
        },
      })
    desk.answer = async () => new Response(endless())
    assert.deepEqual(await desk.refusal({ url: '/' }), ['invalid_request', 'page', null])
    assert.ok(chunks < 10)
    assert.equal(desk.used, 1)
  })
})
