import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { loadPage } from './load-page.ts'
import { ContentOptions } from './options.ts'
import { BrowserRefusal } from './refusal.ts'
import { recordingPage } from './testing.ts'

const URL_OPTIONS = { url: 'https://example.test/' }

describe('loading a page in the browser', () => {
  const optionsOf = (options: object) => ContentOptions.parse(options)
  /** Starts loading a page. Returns a function that emits events and returns whether the load has then ended. */
  const startLoad = (options: object) => {
    const recorded = recordingPage()
    let hasEnded = false
    const loading = loadPage(recorded.page, optionsOf({ ...URL_OPTIONS, ...options })).then(() => {
      hasEnded = true
    })
    const endsAfter = async (...events: string[]) => {
      await nextTurn()
      recorded.emitLifecycle(...events)
      await nextTurn()
      return hasEnded
    }
    return { ...recorded, loading, endsAfter }
  }
  const waitUntil = (...events: string[]) => ({ gotoOptions: { waitUntil: events } })

  test('a page counts as loaded when its new document sends the load event, not when the blank first page does', async () => {
    const { endsAfter } = startLoad({})
    assert.deepEqual(
      [
        await endsAfter('load', 'networkIdle'),
        await endsAfter('init', 'DOMContentLoaded'),
        await endsAfter('load'),
      ],
      [false, false, true],
    )
  })

  test('the load events of a frame inside the page do not end the wait for the page', async () => {
    const { endsAfter } = startLoad({})
    assert.deepEqual(
      [
        await endsAfter('init', 'child init', 'child DOMContentLoaded', 'child load'),
        await endsAfter('DOMContentLoaded', 'load'),
      ],
      [false, true],
    )
  })

  test('each value of waitUntil waits for the browser lifecycle event with the same meaning', async () => {
    for (const [event, name] of [
      ['load', 'load'],
      ['domcontentloaded', 'DOMContentLoaded'],
      ['networkidle0', 'networkIdle'],
      ['networkidle2', 'networkAlmostIdle'],
    ] as const) {
      const all = ['DOMContentLoaded', 'load', 'networkAlmostIdle', 'networkIdle']
      const others = all.filter((one) => one !== name)
      const { endsAfter } = startLoad({ gotoOptions: { waitUntil: event } })
      assert.deepEqual([await endsAfter('init', ...others), await endsAfter(name)], [false, true], event)
    }
  })

  test('waiting for several browser lifecycle events ends once all of them were sent, in any order', async () => {
    for (const [first, last] of [
      ['networkIdle', 'DOMContentLoaded'],
      ['DOMContentLoaded', 'networkIdle'],
    ] as const) {
      const { endsAfter } = startLoad(waitUntil('domcontentloaded', 'networkidle0'))
      assert.deepEqual([await endsAfter('init', first), await endsAfter(last)], [false, true])
    }
    const { endsAfter } = startLoad(waitUntil())
    assert.deepEqual([await endsAfter('init'), await endsAfter('load')], [false, true])
  })

  test('a page that replaces its document while it loads is loaded once the second document has sent all events', async () => {
    const { endsAfter } = startLoad(waitUntil('domcontentloaded', 'load'))
    assert.deepEqual(
      [
        await endsAfter('init', 'DOMContentLoaded'),
        await endsAfter('init', 'load'),
        await endsAfter('DOMContentLoaded'),
      ],
      [false, false, true],
    )
  })

  test('loading a page fails with code 2005 when the page does not send the awaited event within the timeout', async () => {
    const { loading } = startLoad({ gotoOptions: { timeout: 1 } })
    await assert.rejects(loading, new BrowserRefusal(2005, 'The page did not finish loading within 1 ms'))
  })

  test("loading an address that the browser cannot open fails with the browser's reason", async () => {
    const { page } = recordingPage({ 'Page.navigate': { errorText: 'net::ERR_FAILED' } })
    await assert.rejects(
      loadPage(page, optionsOf(URL_OPTIONS)),
      new BrowserRefusal(2004, 'The page could not be opened: net::ERR_FAILED'),
    )
  })

  test('loading a page needs either `url` or `html`, and sends no browser command when both or neither are given', async () => {
    const { page, sent } = recordingPage()
    const refusal = new BrowserRefusal(2001, "Either 'url' or 'html' is required, but not both.", 400)
    await assert.rejects(loadPage(page, optionsOf({})), refusal)
    await assert.rejects(loadPage(page, optionsOf({ ...URL_OPTIONS, html: '<p>' })), refusal)
    assert.deepEqual(sent, [])
  })

  test("the option `html` is written into a new document of the page's main frame", async () => {
    const { page, sent, emitLifecycle } = recordingPage({
      'Page.getFrameTree': { frameTree: { frame: { id: 'main' } } },
      'Page.navigate': () => {
        emitLifecycle('init')
        return {}
      },
      'Page.setDocumentContent': () => {
        emitLifecycle('load')
        return {}
      },
    })
    await loadPage(page, optionsOf({ html: '<p>hello' }))
    assert.deepEqual(sent.slice(-3), [
      ['Page.getFrameTree', {}],
      ['Page.navigate', { url: 'about:blank#page' }],
      ['Page.setDocumentContent', { frameId: 'main', html: '<p>hello' }],
    ])
  })

  test("viewport, user agent, headers and script permission are set before a page's address is opened", async () => {
    const { sent, endsAfter } = startLoad({
      viewport: { width: 300, height: 200 },
      userAgent: 'me',
      setExtraHTTPHeaders: { 'x-one': '1' },
      setJavaScriptEnabled: false,
    })
    assert.equal(await endsAfter('init', 'load'), true)
    assert.deepEqual(sent, [
      ['Page.enable', {}],
      ['Page.setLifecycleEventsEnabled', { enabled: true }],
      [
        'Emulation.setDeviceMetricsOverride',
        { width: 300, height: 200, deviceScaleFactor: 1, mobile: false },
      ],
      ['Emulation.setScriptExecutionDisabled', { value: true }],
      ['Emulation.setUserAgentOverride', { userAgent: 'me' }],
      ['Network.enable', {}],
      ['Network.setExtraHTTPHeaders', { headers: { 'x-one': '1' } }],
      ['Page.navigate', { url: 'https://example.test/' }],
    ])
  })

  describe('filters of requests', () => {
    /** Returns for each address whether the page may send a request to it. */
    const filter = async (options: object, ...urls: string[]) => {
      const { sent, emit, endsAfter } = startLoad(options)
      await endsAfter('init', 'load')
      const before = sent.length
      for (const url of urls) emit('Fetch.requestPaused', { requestId: url, request: { url } })
      return sent.slice(before).map(([method]) => method === 'Fetch.continueRequest')
    }
    const URLS = ['https://a.test/x.css', 'https://a.test/x.js']

    test('allowRequestPattern sends only matching requests, and rejectRequestPattern only requests that do not match', async () => {
      assert.deepEqual(await filter({ allowRequestPattern: ['\\.css$'] }, ...URLS), [true, false])
      assert.deepEqual(await filter({ rejectRequestPattern: ['/\\.css$/'] }, ...URLS), [false, true])
      assert.deepEqual(await filter({ allowRequestPattern: [] }, ...URLS), [false, false])
      assert.deepEqual(await filter({ rejectRequestPattern: [] }, ...URLS), [true, true])
    })

    test('a request pattern that is not a valid regular expression, or takes too long, counts as not matching', async () => {
      const endless = '^(a+)+$'
      const url = `${'a'.repeat(40)}!`
      assert.deepEqual(await filter({ rejectRequestPattern: ['(', endless] }, url), [true])
      assert.deepEqual(await filter({ allowRequestPattern: ['(', '!$'] }, url), [true])
    })

    test('closing a page before its paused request is continued throws no error', async () => {
      const closed = () => {
        throw new Error('the browser has ended')
      }
      const { page, emit, emitLifecycle } = recordingPage({
        'Fetch.continueRequest': closed,
        'Page.navigate': () => {
          emitLifecycle('init', 'load')
          return {}
        },
      })
      await loadPage(page, optionsOf({ ...URL_OPTIONS, rejectRequestPattern: [] }))
      emit('Fetch.requestPaused', { requestId: '1', request: { url: 'https://a.test/' } })
      await nextTurn()
    })
  })
})
