import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, mock, test } from 'node:test'
import { recordErrors } from '../data/partition/objects.test.fixture.ts'
import { enableCapabilities, importInWorkerd, workerEnv } from '../kernel/objects/workerd.test.fixture.ts'
import { manifest } from '../manifest.gen.ts'
import type * as RecordModule from './record.ts'
import type { EventRules } from './types.ts'

interface DataPoint {
  indexes: string[]
  blobs: string[]
  doubles: number[]
}

const SALT = Buffer.alloc(32, 7).toString('base64')
const RULES: EventRules = { day: '2026-11-20', salt: SALT, sampleRate: 1, autoPageviews: true }
const AGENT = 'Mozilla/5.0 (Windows NT 10.0) Firefox/140.0'
const VISITOR_FIELD = 2
let loads = 0

/** Resolves once all pending promise callbacks have run. */
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('counting the events of an app', () => {
  let recordEvents: typeof RecordModule.recordEvents
  let points: DataPoint[]
  let reads: number
  let rules: () => EventRules | Promise<EventRules>
  let logged: { message: string; route: string }[]

  before(() => {
    manifest.events = [{ name: 'sold' }, { name: 'joined', groups: ['free', 'pro'] }]
    manifest.paths = ['/', '/plants/:id']
  })
  after(() => {
    delete manifest.events
    delete manifest.paths
    enableCapabilities()
    for (const name of ['LIVE', 'EVENTS']) delete workerEnv[name]
  })
  beforeEach(async () => {
    mock.timers.enable({ apis: ['Date'], now: Date.parse('2026-11-20T23:58:30Z') })
    logged = recordErrors()
    points = []
    reads = 0
    rules = () => RULES
    enableCapabilities('events')
    workerEnv['LIVE'] = {
      eventRules: async () => {
        reads++
        return await rules()
      },
    }
    workerEnv['EVENTS'] = { writeDataPoint: (point: DataPoint) => void points.push(point) }
    // The module remembers the rules, so each test loads it afresh.
    const load = () => import(`./record.ts?app=${++loads}`) as Promise<typeof RecordModule>
    ;({ recordEvents } = await importInWorkerd(load))
  })
  afterEach(() => {
    mock.restoreAll()
    mock.timers.reset()
  })

  const requestOf = (headers: Record<string, string> = {}) =>
    new Request('https://app.test/_app/events', {
      headers: { 'user-agent': AGENT, 'cf-connecting-ip': '203.0.113.7', ...headers },
    })
  const count = async (drafts: object[], request: Request | null = requestOf()) => {
    recordEvents(drafts, request)
    await settled()
  }
  const visitors = () => points.map(({ blobs }) => blobs[VISITOR_FIELD])

  test('an event is stored with its name, group, path, value and sampling weight, and with a pseudonym of the visitor', async () => {
    rules = () => ({ ...RULES, sampleRate: 0.999_999 })
    await count([{ name: 'sold', group: 'gift', value: 3, path: '/plants/7' }])
    const [point] = points
    assert.match(point?.blobs[VISITOR_FIELD] ?? '', /^[0-9a-f]{20}$/)
    assert.deepEqual(point, {
      indexes: ['sold'],
      blobs: ['sold', 'gift', point?.blobs[VISITOR_FIELD], '/plants/:id'],
      doubles: [3, 1 / 0.999_999],
    })
  })

  test('a stored event contains neither the IP address nor the browser of the visitor', async () => {
    await count([{ name: 'sold', path: '/plants/203.0.113.7' }])
    assert.doesNotMatch(JSON.stringify(points), /203|Firefox|Windows/)
  })

  test('all events of a visitor on one day have one pseudonym, and other days and other visitors have different pseudonyms', async () => {
    const [ada, ben] = [requestOf(), requestOf({ 'cf-connecting-ip': '203.0.113.8' })]
    await count([{ name: 'sold' }, { name: 'joined' }], ada)
    await count([{ name: 'sold' }], ben)
    rules = () => ({ ...RULES, day: '2026-11-21', salt: Buffer.alloc(32, 8).toString('base64') })
    mock.timers.setTime(Date.parse('2026-11-21T00:00:00Z'))
    await count([{ name: 'sold' }], ada)
    const [first, second, other, next] = visitors()
    assert.equal(first, second)
    assert.equal(new Set([first, other, next]).size, 3)
  })

  test('the event settings are read at most once a minute, and again at midnight, because a salt is used for one day only', async () => {
    const at = async (time: string) => {
      mock.timers.setTime(Date.parse(time))
      await count([{ name: 'sold' }])
      return reads
    }
    assert.deepEqual(
      [
        await at('2026-11-20T23:58:30Z'),
        await at('2026-11-20T23:59:29.999Z'),
        await at('2026-11-20T23:59:30Z'),
        await at('2026-11-20T23:59:59.999Z'),
      ],
      [1, 1, 2, 2],
    )
    assert.equal(await at('2026-11-21T00:00:00Z'), 3)
  })

  test('when the event settings cannot be read, the event is dropped and logged, and the next event reads them again', async () => {
    rules = () => Promise.reject(new Error('The object restarts.'))
    await count([{ name: 'sold' }])
    assert.deepEqual([points, logged], [[], [{ message: 'The object restarts.', route: 'events' }]])
    rules = () => RULES
    await count([{ name: 'sold' }])
    assert.equal(points.length, 1)
  })

  test('when the dataset rejects an event, the error is logged and not thrown', async () => {
    workerEnv['EVENTS'] = {
      writeDataPoint: () => {
        throw new Error('too many points')
      },
    }
    await count([{ name: 'sold' }])
    assert.deepEqual(logged, [{ message: 'too many points', route: 'events' }])
  })

  test('an event of server code without a request has no visitor and no path', async () => {
    await count([{ name: 'sold', value: 2 }], null)
    assert.deepEqual(points, [{ indexes: ['sold'], blobs: ['sold', '', '', ''], doubles: [2, 1] }])
  })

  test('while automatic page views are switched off, only other events are counted', async () => {
    rules = () => ({ ...RULES, autoPageviews: false })
    await count([{ name: 'pageview', path: '/' }, { name: 'sold' }])
    assert.deepEqual(
      points.map(({ indexes }) => indexes),
      [['sold']],
    )
  })

  test('a request with no event to count, for instance from a bot or with an undeclared event, reads no settings and stores nothing', async () => {
    await count([{ name: 'undeclared' }, { name: 'pageview', path: '/nowhere' }])
    await count([{ name: 'sold' }], requestOf({ 'sec-gpc': '1' }))
    await count([{ name: 'sold' }], requestOf({ 'user-agent': 'Googlebot/2.1' }))
    assert.deepEqual([reads, points], [0, []])
  })

  test("recording an event while the events capability is off throws, so that the mistake in the app's code is noticed", () => {
    enableCapabilities()
    assert.throws(() => recordEvents([{ name: 'sold' }], null), { code: 'not_enabled' })
  })
})
