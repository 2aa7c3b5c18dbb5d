import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { WORKER_SOURCE } from './service-worker.ts'

class Browser {
  readonly shown: [title: string, options: object][] = []
  readonly opened: string[] = []
  readonly calls: { url: string; body: unknown }[] = []
  pages: { url: string; focus: () => void }[] = []
  readonly #handlers = new Map<string, (event: object) => void>()

  constructor() {
    runInNewContext(WORKER_SOURCE, {
      URL,
      addEventListener: (name: string, handler: (event: object) => void) => this.#handlers.set(name, handler),
      skipWaiting: () => {},
      location: { origin: 'https://app.example.com' },
      registration: {
        showNotification: (title: string, options: object) => void this.shown.push([title, options]),
        pushManager: { subscribe: async (options: object) => ({ endpoint: 'new', options }) },
      },
      clients: {
        matchAll: async () => this.pages,
        openWindow: (url: URL) => void this.opened.push(String(url)),
      },
      fetch: async (url: string, init?: { body: string }) => {
        this.calls.push({ url, body: init === undefined ? null : JSON.parse(init.body) })
        return Response.json({ ok: true, data: { key: 'the key' } })
      },
    })
  }

  async fire(name: string, event: object): Promise<void> {
    const work: unknown[] = []
    this.#handlers.get(name)?.({ ...event, waitUntil: (one: unknown) => void work.push(one) })
    await Promise.all(work)
  }
}

const MESSAGE = { title: 'Hello', body: 'There', icon: '/i.png', tag: 't', url: '/orders/1' }

describe('the service worker of an app', () => {
  test('the service worker shows a notification with the fields that were sent', async () => {
    const browser = new Browser()
    await browser.fire('push', { data: { json: () => MESSAGE } })
    const { title, url, ...texts } = MESSAGE
    assert.deepEqual(JSON.parse(JSON.stringify(browser.shown)), [[title, { ...texts, data: { url } }]])
  })

  test('clicking a notification closes it and opens its page, or focuses the page when it is already open', async () => {
    const browser = new Browser()
    let [closed, focused] = [0, 0]
    const notification = { close: () => void closed++, data: { url: '/orders/1' } }
    await browser.fire('notificationclick', { notification })
    assert.deepEqual([closed, browser.opened], [1, ['https://app.example.com/orders/1']])
    browser.pages = [
      { url: 'https://app.example.com/', focus: () => assert.fail() },
      { url: 'https://app.example.com/orders/1', focus: () => void focused++ },
    ]
    await browser.fire('notificationclick', { notification })
    assert.deepEqual([closed, focused, browser.opened.length], [2, 1, 1])
  })

  test('when a push subscription is replaced, the service worker sends the new one to the app, or creates one itself', async () => {
    const browser = new Browser()
    await browser.fire('pushsubscriptionchange', { newSubscription: { endpoint: 'replaced' } })
    assert.deepEqual(browser.calls.splice(0), [{ url: '/_app/push/devices', body: { endpoint: 'replaced' } }])
    await browser.fire('pushsubscriptionchange', {})
    assert.deepEqual(browser.calls, [
      { url: '/_app/push/key', body: null },
      {
        url: '/_app/push/devices',
        body: { endpoint: 'new', options: { userVisibleOnly: true, applicationServerKey: 'the key' } },
      },
    ])
  })
})
