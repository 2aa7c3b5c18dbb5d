import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { compileFunction } from 'node:vm'
import { importInWorkerd, workerEnv } from '../objects/workerd.test.fixture.ts'

const CONSOLE = 'https://console.example.test'
const TAG = '<script src="/_app/preview.js"></script>'
const NOW = Date.parse('2026-11-20T10:30:00.000Z')
const importPreview = () => importInWorkerd(() => import('./preview.ts'))

describe('pages of a preview', () => {
  let preview: Awaited<ReturnType<typeof importPreview>>
  before(async () => {
    preview = await importPreview()
  })
  after(() => {
    delete workerEnv['APP_CONSOLE_ORIGIN']
  })

  describe('the error reporter in a page', () => {
    const html = (body: string | null, init: { status?: number; headers?: Record<string, string> } = {}) =>
      new Response(body, {
        ...init,
        headers: { 'content-type': 'text/html; charset=utf-8', ...init.headers },
      })
    const withReporter = async (body: string) => (await preview.withReporter(html(body))).text()

    test('the error reporter is the first script of a preview page', async () => {
      const page = '<!doctype html><html><head><script src="/a.js"></script></head><body>$&</body></html>'
      assert.equal(
        await withReporter(page),
        page.replace('<head>', () => `<head>${TAG}`),
      )
    })

    test('without a plain <head> tag the error reporter follows the doctype, because text before the doctype changes the layout', async () => {
      for (const [before, after] of [
        ['<!doctype html>', '<p>Hello</p>'],
        ['\n<!DOCTYPE HTML>', '<HEAD></HEAD>'],
        ['<!doctype html>', '<html lang="en"><head data-theme="dark"></head></html>'],
        ['', '<p>Hello</p>'],
        ['', ''],
      ] as const)
        assert.equal(await withReporter(before + after), before + TAG + after)
    })

    test('adding the error reporter to a page keeps its status, and its headers except those about the original body', async () => {
      const headers = { 'content-length': '9', etag: '"a"', 'x-robots-tag': 'noindex' }
      const answer = await preview.withReporter(html('<p>No</p>', { status: 404, headers }))
      assert.equal(answer.status, 404)
      assert.deepEqual(Object.fromEntries(answer.headers), {
        'content-type': 'text/html; charset=utf-8',
        'x-robots-tag': 'noindex',
      })
    })

    test('the error reporter is not added to a response without a body, such as 304', async () => {
      for (const status of [204, 304]) {
        const answer = html(null, { status })
        assert.equal(await preview.withReporter(answer), answer)
      }
    })

    test('the error reporter is not added to a response that is not an HTML page', async () => {
      for (const type of ['text/css', 'application/json', 'image/svg+xml', null]) {
        const answer = new Response('<head>', type === null ? {} : { headers: { 'content-type': type } })
        assert.equal(await preview.withReporter(answer), answer)
      }
    })
  })

  describe('the script of the reporter', () => {
    test('the script of the error reporter is not cached, and is empty when no valid console origin is configured', async () => {
      for (const origin of [undefined, '', 'not an address']) {
        workerEnv['APP_CONSOLE_ORIGIN'] = origin
        const answer = preview.previewScript()
        assert.deepEqual(Object.fromEntries(answer.headers), {
          'cache-control': 'no-store',
          'content-type': 'text/javascript; charset=utf-8',
        })
        assert.equal(await answer.text(), '')
      }
    })
  })

  describe('what a page reports to the console', () => {
    /** What the page has sent to the console. */
    let sent: Record<string, unknown>[]
    let page: TestPage
    let now: number

    /** The page that the console shows in a frame. */
    class TestPage extends EventTarget {
      readonly parent: unknown
      readonly location = { pathname: '/plants', search: '?of=me' }
      readonly logged: unknown[][] = []
      readonly visited: unknown[][] = []
      respond: (input: unknown) => Promise<object> = async () => ({ status: 200 })
      fetch: (input: unknown, init?: object) => Promise<object> = (input) => this.respond(input)
      isStorageBlocked = false
      readonly console = { error: (...values: unknown[]) => void this.logged.push(values) }
      readonly history = {
        pushState: (...values: unknown[]) => this.#visit(values),
        replaceState: (...values: unknown[]) => this.#visit(values),
      }

      constructor(isFramed = true) {
        super()
        const postMessage = (message: Record<string, unknown>, origin: string) => {
          assert.equal(origin, CONSOLE)
          sent.push(message)
        }
        this.parent = isFramed ? { postMessage } : this
      }

      get localStorage() {
        if (this.isStorageBlocked) throw new DOMException('denied', 'SecurityError')
        return { length: 0 }
      }

      #visit(values: unknown[]): void {
        this.visited.push(values)
        this.location.pathname = String(values[2])
        this.location.search = ''
      }

      async run(): Promise<this> {
        workerEnv['APP_CONSOLE_ORIGIN'] = `${CONSOLE}/projects`
        const script = await preview.previewScript().text()
        const clock = { now: () => now }
        const names = ['window', 'location', 'history', 'console', 'Date']
        const run = compileFunction(script, names) as (...values: unknown[]) => void
        run(this, this.location, this.history, this.console, clock)
        return this
      }

      fire(name: string, fields: object = {}): void {
        this.dispatchEvent(Object.assign(new Event(name), fields))
      }
    }

    beforeEach(async () => {
      sent = []
      now = NOW
      page = await new TestPage().run()
    })
    const source = 'slipway-preview'
    const errorOf = (message: string, stack?: string) => ({
      source,
      kind: 'error',
      message,
      stack,
      path: '/plants',
    })
    const messages = () => sent.map(({ message }) => message)
    const rejectWith = (reason: unknown) => page.fire('unhandledrejection', { reason })

    test('a page that is not shown in a console sends nothing, and keeps its own fetch, console and history functions', async () => {
      const alone = new TestPage(false)
      const own = { fetch: alone.fetch, error: alone.console.error, push: alone.history.pushState }
      await alone.run()
      alone.fire('error', { message: 'It broke.' })
      assert.deepEqual(sent, [])
      assert.deepEqual({ fetch: alone.fetch, error: alone.console.error, push: alone.history.pushState }, own)
    })

    test('a loaded page and each navigation in it are reported to the console with the path', () => {
      page.fire('DOMContentLoaded')
      page.history.pushState({ a: 1 }, '', '/new')
      page.history.replaceState(null, '', '/newer')
      page.location.search = '?a=1'
      page.fire('popstate')
      assert.deepEqual(sent, [
        { source, kind: 'ready', path: '/plants' },
        { source, kind: 'navigate', path: '/new' },
        { source, kind: 'navigate', path: '/newer' },
        { source, kind: 'navigate', path: '/newer?a=1' },
      ])
      assert.deepEqual(page.visited, [
        [{ a: 1 }, '', '/new'],
        [null, '', '/newer'],
      ])
    })

    test('an uncaught error of a preview page is reported to the console with its stack', () => {
      const error = new TypeError('no plant')
      page.fire('error', { message: 'Uncaught TypeError: no plant', error })
      page.fire('error', { message: '', error: new RangeError('too many') })
      rejectWith(new Error('rejected'))
      assert.deepEqual(messages(), [
        'Uncaught TypeError: no plant',
        'RangeError: too many',
        'Error: rejected',
      ])
      assert.deepEqual(sent[0], errorOf('Uncaught TypeError: no plant', error.stack))
    })

    test('an unhandled rejection of a preview page with a value that is not an error is reported as text', () => {
      for (const reason of ['plain text', 5, null, undefined, Symbol('s'), { a: 1 }]) rejectWith(reason)
      assert.deepEqual(messages(), ['plain text', '5', 'null', 'undefined', 'Symbol(s)', '[object Object]'])
      rejectWith({ toString: () => 'an object with a stack', stack: 5 })
      assert.deepEqual(sent.at(-1), errorOf('an object with a stack'))
    })

    test('an error that a preview page logs is still logged, and is also reported as text with its stack', () => {
      const error = new Error('no plant')
      page.console.error('Loading', 5, error)
      assert.deepEqual(page.logged, [['Loading', 5, error]])
      assert.deepEqual(sent, [errorOf('Loading 5 Error: no plant', error.stack)])
    })

    test('logging a value that cannot be converted to text does not throw in the page, and the rest is reported', () => {
      const value: unknown = Object.create(null)
      page.console.error('Loading', value)
      assert.deepEqual(page.logged, [['Loading', value]])
      assert.deepEqual(sent, [errorOf('Loading [object]')])
    })

    test('an error that a preview page repeats is reported to the console once', () => {
      for (let n = 0; n < 3; n++) page.console.error('again')
      now += 5000
      page.console.error('again')
      assert.deepEqual(sent, [errorOf('again')])
    })

    test('a preview page reports at most ten errors a second; an omitted error is reported when it occurs again', () => {
      for (let n = 1; n <= 12; n++) page.console.error(`e${n}`)
      assert.deepEqual(
        messages(),
        Array.from({ length: 10 }, (_, n) => `e${n + 1}`),
      )
      now += 1000
      for (const name of ['e10', 'e11', 'e12']) page.console.error(name)
      assert.deepEqual(messages().slice(10), ['e11', 'e12'])
    })

    test('a constantly repeated error does not prevent another error from being reported', () => {
      for (let n = 0; n < 50; n++) page.console.error('again')
      page.console.error('other')
      assert.deepEqual(messages(), ['again', 'other'])
    })

    test('the message of a reported page error is cut to 500 characters, and its stack to 4,000', () => {
      rejectWith(Object.assign(new Error('m'.repeat(600)), { stack: 's'.repeat(4001) }))
      assert.deepEqual(sent, [errorOf(`Error: ${'m'.repeat(493)}`, 's'.repeat(4000))])
    })

    test('a preview page reports a server error response with method and path, and still gets the response', async () => {
      const response = { status: 503, url: 'https://app.example.test/api/plants?secret=1' }
      page.respond = async () => response
      assert.equal(await page.fetch('/api/plants'), response)
      await page.fetch('/api/plants', { method: 'POST' })
      await page.fetch(new Request('https://app.example.test/api/plants', { method: 'DELETE' }))
      assert.deepEqual(messages(), [
        'GET /api/plants: 503',
        'POST /api/plants: 503',
        'DELETE /api/plants: 503',
      ])
      page.respond = async () => ({ status: 499, url: 'https://app.example.test/api/plants' })
      await page.fetch('/api/plants')
      assert.equal(sent.length, 3)
    })

    test('a fetch of a preview page that fails still rejects, and is not reported by the fetch wrapper', async () => {
      const lost = new TypeError('Failed to fetch')
      page.respond = async () => Promise.reject(lost)
      await assert.rejects(page.fetch('/api/plants'), lost)
      assert.deepEqual(sent, [])
    })

    test('a page whose browser blocks storage in frames reports this to the console', async () => {
      const blocked = new TestPage()
      blocked.isStorageBlocked = true
      await blocked.run()
      assert.deepEqual(sent, [{ source, kind: 'storage', path: '/plants' }])
    })
  })
})
