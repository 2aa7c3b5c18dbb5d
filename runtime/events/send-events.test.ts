import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import type { BrowserEvents } from './client.ts'
import type * as sendEvents from './send-events.ts'

interface SentEvent {
  name: string
  path: string
  group?: string
  value?: number
}

const GLOBALS = ['navigator', 'location', 'addEventListener'] as const
const SEND_DELAY_MS = 2000

describe('counting events in the browser', () => {
  const known = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  const setGlobal = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const page = { pathname: '/' }
  const browser: { globalPrivacyControl?: boolean; sendBeacon: (path: string, body: Blob) => boolean } = {
    sendBeacon: (path, body) => bodies.push([path, body]) > 0,
  }
  let bodies: [path: string, body: Blob][]
  let windowEvents: EventTarget
  let events: { track: BrowserEvents['track']; view: () => void }
  let loads = 0

  before(() => {
    setGlobal('navigator', browser)
    setGlobal('location', page)
  })
  after(() => {
    for (const [name, descriptor] of known)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })
  beforeEach(async () => {
    mock.timers.enable({ apis: ['setTimeout'] })
    bodies = []
    page.pathname = '/'
    delete browser.globalPrivacyControl
    windowEvents = new EventTarget()
    setGlobal('addEventListener', windowEvents.addEventListener.bind(windowEvents))
    // The module keeps the events that wait, so each test loads it afresh.
    const loaded = (await import(`./send-events.ts?page=${++loads}`)) as typeof sendEvents
    events = { track: loaded.addEvent, view: loaded.trackView }
  })
  afterEach(() => mock.timers.reset())

  const wait = (ms = SEND_DELAY_MS) => mock.timers.tick(ms)
  const leavePage = () => windowEvents.dispatchEvent(new Event('pagehide'))
  /** The events of each request. */
  const sent = () =>
    Promise.all(
      bodies.map(async ([, body]) => (JSON.parse(await body.text()) as { events: SentEvent[] }).events),
    )

  test('the events of two seconds are sent in one request, each with the path of the page on which it was counted', async () => {
    events.view()
    page.pathname = '/plants'
    events.track('sold', { group: 'gift', value: 2 })
    wait(SEND_DELAY_MS - 1)
    assert.equal(bodies.length, 0)
    wait(1)
    assert.deepEqual(await sent(), [
      [
        { name: 'pageview', path: '/' },
        { name: 'sold', path: '/plants', group: 'gift', value: 2 },
      ],
    ])
    assert.deepEqual(
      bodies.map(([path, body]) => [path, body.type]),
      [['/_app/events', 'application/json']],
    )
  })

  test('an event that is counted after a request was sent is sent in the next request', async () => {
    events.track('first')
    wait()
    events.track('second')
    wait()
    assert.deepEqual(
      (await sent()).map((batch) => batch.map(({ name }) => name)),
      [['first'], ['second']],
    )
  })

  test('twenty events, the maximum of one request, are sent at once, and the rest follows after two seconds', async () => {
    for (let n = 0; n < 45; n++) events.track('sold')
    assert.equal(bodies.length, 2)
    wait()
    assert.deepEqual(
      (await sent()).map((batch) => batch.length),
      [20, 20, 5],
    )
  })

  test('waiting events are sent when the person leaves the page, and not a second time when the person returns and leaves again', async () => {
    events.track('sold')
    leavePage()
    leavePage()
    wait()
    assert.deepEqual(
      (await sent()).map((batch) => batch.length),
      [1],
    )
    events.track('sold')
    leavePage()
    assert.equal(bodies.length, 2)
  })

  test('no events are sent for a person whose browser asks not to be tracked (Global Privacy Control)', () => {
    browser.globalPrivacyControl = true
    events.view()
    events.track('sold')
    wait()
    leavePage()
    assert.equal(bodies.length, 0)
  })

  test('an event with a very long group is sent without the group, so that the other events of its request are not lost', async () => {
    events.track('sold', { group: 'g'.repeat(20_000), value: 1 })
    events.track('sold', { group: 'g'.repeat(64) })
    wait()
    assert.deepEqual(await sent(), [
      [
        { name: 'sold', path: '/', value: 1 },
        { name: 'sold', path: '/', group: 'g'.repeat(64) },
      ],
    ])
  })
})
