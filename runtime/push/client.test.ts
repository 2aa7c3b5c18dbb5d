import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, test } from 'node:test'
import { push } from './client.ts'

const ENDPOINT = 'https://push.example.com/1'
const DEVICE = createHash('sha256').update(ENDPOINT).digest('hex')
const KEYS = { p256dh: 'p', auth: 'a' }

/** The subscription of a browser at its push service. */
class Subscription {
  readonly endpoint = ENDPOINT
  readonly key: string
  readonly browser: Browser

  constructor(browser: Browser, key: string) {
    this.browser = browser
    this.key = key
  }

  toJSON = () => ({ endpoint: this.endpoint, keys: KEYS })
  unsubscribe = async () => {
    this.browser.log.push('unsubscribe')
    this.browser.subscription = null
    return true
  }
}

/** A browser, and the app that its page sends requests to. */
class Browser {
  readonly log: string[] = []
  permission: NotificationPermission = 'default'
  /** What the person chooses when the browser asks. */
  choice: NotificationPermission = 'granted'
  subscription: Subscription | null = null
  isRegistered = false
  /** The state of the service worker after its registration. */
  worker: 'active' | 'installing' | 'redundant' = 'active'
  /** The error that the next attempt to subscribe throws. */
  failure: DOMException | null = null
  answer: (method: string, path: string) => Response = () => Response.json({ ok: true, data: null })

  readonly pushManager = {
    getSubscription: async () => this.subscription,
    subscribe: async ({
      applicationServerKey: key,
      userVisibleOnly,
    }: {
      applicationServerKey: string
      userVisibleOnly: boolean
    }) => {
      this.log.push(`subscribe ${key} ${userVisibleOnly}`)
      if (this.failure !== null) throw this.failure
      if (this.subscription !== null && this.subscription.key !== key)
        throw new DOMException('Another key is in use.', 'InvalidStateError')
      return (this.subscription ??= new Subscription(this, key))
    },
  }

  get #registration() {
    const worker = new EventTarget() as EventTarget & { state: string }
    worker.state = 'installing'
    if (this.worker !== 'active')
      setImmediate(() => {
        for (const state of ['installed', this.worker === 'redundant' ? 'redundant' : 'activated']) {
          worker.state = state
          this.log.push(`worker ${state}`)
          worker.dispatchEvent(new Event('statechange'))
        }
      })
    return {
      pushManager: this.pushManager,
      active: this.worker === 'active' ? {} : null,
      installing: this.worker === 'active' ? null : worker,
      waiting: null,
    }
  }

  readonly page = {
    window: { PushManager: {}, Notification: {} } as Record<string, unknown>,
    navigator: {
      serviceWorker: {
        getRegistration: async (scope: string) =>
          this.isRegistered && scope === '/_app/push/' ? this.#registration : undefined,
        register: async (path: string) => {
          this.log.push(`register ${path}`)
          this.isRegistered = true
          return this.#registration
        },
      },
    } as Record<string, unknown>,
    Notification: Object.defineProperty(
      {
        requestPermission: async () => {
          this.log.push('ask')
          return (this.permission = this.choice)
        },
      },
      'permission',
      { get: () => this.permission },
    ),
    fetch: async (path: string, { method = '', body }: RequestInit) => {
      this.log.push(`${method} ${path}${body === undefined ? '' : ` ${body as string}`}`)
      return this.answer(method, path)
    },
  }
}

describe('notifications in a browser', () => {
  let browser: Browser
  const former = new Map<string, PropertyDescriptor | undefined>()
  before(() => {
    for (const name of ['window', 'navigator', 'Notification', 'fetch'])
      former.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
  })
  beforeEach(() => {
    browser = new Browser()
    for (const [name, value] of Object.entries(browser.page))
      Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
    answerKey('key-1')
  })
  after(() => {
    for (const [name, descriptor] of former)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })

  const answerKey = (key: string, isOn = true) => {
    browser.answer = (method) =>
      Response.json({ ok: true, data: method === 'POST' ? { id: DEVICE } : { key, isOn } })
  }
  const refuse = (status: number, code: string) => () =>
    Response.json({ ok: false, error: { code, message: 'No.' } }, { status })
  const subscribe = async (key = 'key-1') => {
    browser.permission = 'granted'
    browser.isRegistered = true
    browser.subscription = new Subscription(browser, key)
  }
  const ADD = `POST /_app/push/devices ${JSON.stringify({ endpoint: ENDPOINT, keys: KEYS })}`
  const REMOVE = `DELETE /_app/push/devices ${JSON.stringify({ id: DEVICE })}`
  const REGISTER = 'register /_app/push/sw.js'

  test('subscribing to notifications asks for permission first, and then sends the subscription to the app', async () => {
    assert.deepEqual(await push.subscribe(), { id: DEVICE })
    assert.deepEqual(browser.log, ['ask', 'GET /_app/push/key', REGISTER, 'subscribe key-1 true', ADD])
  })

  test('a person who denies permission for notifications is not subscribed, and nothing is sent', async () => {
    for (const choice of ['denied', 'default'] as const) {
      browser.choice = choice
      await assert.rejects(push.subscribe(), {
        code: 'forbidden',
        message: 'Notifications are not allowed in this browser.',
      })
    }
    assert.deepEqual(browser.log, ['ask', 'ask'])
  })

  test('a browser that cannot show notifications is reported as unsupported, and the person is not asked', async () => {
    for (const [place, name] of [
      ['navigator', 'serviceWorker'],
      ['window', 'PushManager'],
      ['window', 'Notification'],
    ] as const) {
      const { [name]: feature } = browser.page[place]
      delete browser.page[place][name]
      await assert.rejects(push.subscribe(), {
        code: 'unavailable',
        message: 'This browser does not support notifications.',
      })
      assert.equal(await push.state(), 'unsupported')
      await push.unsubscribe()
      browser.page[place][name] = feature
    }
    assert.deepEqual(browser.log, [])
  })

  test('subscribing waits until a new service worker is active, and continues when another tab has replaced that worker', async () => {
    for (const [worker, last] of [
      ['installing', 'activated'],
      ['redundant', 'redundant'],
    ] as const) {
      browser.log.length = 0
      browser.subscription = null
      browser.worker = worker
      await push.subscribe()
      assert.deepEqual(browser.log.slice(2, 6), [
        REGISTER,
        'worker installed',
        `worker ${last}`,
        'subscribe key-1 true',
      ])
    }
  })

  test('a push subscription with an outdated key is replaced', async () => {
    await subscribe('key-0')
    assert.deepEqual(await push.subscribe(), { id: DEVICE })
    assert.deepEqual(browser.log.slice(2), [
      REGISTER,
      'subscribe key-1 true',
      'unsubscribe',
      'subscribe key-1 true',
      ADD,
    ])
    assert.equal(browser.subscription?.key, 'key-1')
  })

  test('a push subscription that fails for another reason than an outdated key is kept, and nothing is sent to the app', async () => {
    await subscribe()
    browser.failure = new DOMException('The push service is down.', 'AbortError')
    await assert.rejects(push.subscribe(), { name: 'AbortError' })
    assert.deepEqual([browser.subscription !== null, browser.log.includes(ADD)], [true, false])
  })

  test("unsubscribing from notifications removes the device from the app, and then the browser's subscription", async () => {
    await subscribe()
    await push.unsubscribe()
    assert.deepEqual([browser.log, browser.subscription], [[REMOVE, 'unsubscribe'], null])
    await push.unsubscribe()
    assert.deepEqual(browser.log, [REMOVE, 'unsubscribe'])
  })

  test('a device that the app could not remove stays subscribed to notifications, so that unsubscribing can be repeated', async () => {
    await subscribe()
    browser.answer = refuse(503, 'unavailable')
    await assert.rejects(push.unsubscribe(), { code: 'unavailable', message: 'No.' })
    assert.notEqual(browser.subscription, null)
    answerKey('key-1')
    await push.unsubscribe()
    assert.equal(browser.subscription, null)
  })

  test('a person whose session has ended can still unsubscribe the browser from notifications', async () => {
    await subscribe()
    browser.answer = refuse(401, 'unauthorized')
    await push.unsubscribe()
    assert.deepEqual([browser.log, browser.subscription], [[REMOVE, 'unsubscribe'], null])
  })

  test('notifications count as on only if the browser is subscribed for the signed-in person', async () => {
    assert.equal(await push.state(), 'off')
    browser.permission = 'denied'
    assert.equal(await push.state(), 'denied')
    browser.permission = 'granted'
    assert.equal(await push.state(), 'off')
    assert.deepEqual(browser.log, [])
    await subscribe()
    assert.equal(await push.state(), 'on')
    assert.deepEqual(browser.log, [`GET /_app/push/key?device=${DEVICE}`])
    answerKey('key-1', false)
    assert.equal(await push.state(), 'off')
    browser.answer = refuse(401, 'unauthorized')
    assert.equal(await push.state(), 'off')
    browser.answer = refuse(503, 'unavailable')
    await assert.rejects(push.state(), { code: 'unavailable' })
  })
})
