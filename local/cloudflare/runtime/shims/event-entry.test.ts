import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { GroupPlan } from '../../workerd/plan.ts'
import { eventBindings, eventEntrySource, hasEventHandlers } from './event-entry.ts'

interface Entry {
  default: { fetch(request: Request, env: Record<string, object>): Promise<Response> }
}
interface Mail {
  from: string
  to: string
  raw: ReadableStream
  rawSize: number
  headers: Headers
  setReject(reason: unknown): void
  forward(): Promise<void>
  reply(): Promise<void>
}

describe('the worker that passes events to the handlers of other workers', async () => {
  const entry = (await import(`data:text/javascript,${encodeURIComponent(eventEntrySource)}`)) as Entry
  const deliver = async (event: string, handlers: object, body: object) => {
    const request = new Request(`http://x/shop/${event}`, { method: 'POST', body: JSON.stringify(body) })
    return (await entry.default.fetch(request, { 'worker:shop': handlers })).json()
  }
  const base64 = (text: string) => Buffer.from(text).toString('base64')

  test("a worker gets a queue message's body decoded according to its format: text, JSON, bytes or v8", async () => {
    const seen: unknown[] = []
    const message = (format: string, text: string) => ({
      id: 'm',
      timestamp: 5,
      attempts: 2,
      format,
      data: base64(text),
    })
    const outcome = await deliver(
      'queue',
      {
        queue: (name: string, messages: object[], { metrics }: { metrics: object }) => {
          seen.push(name, messages, metrics)
          return { outcome: 'ok', ackAll: true }
        },
      },
      {
        queue: 'jobs',
        messages: [
          message('text', 'ä'),
          message('json', '{"a":1}'),
          message('bytes', 'b'),
          message('v8', 'v'),
        ],
        metadata: { backlogCount: 4, backlogBytes: 9, oldestMessageTimestamp: 3 },
      },
    )
    const head = { id: 'm', timestamp: new Date(5), attempts: 2 }
    assert.deepEqual(seen, [
      'jobs',
      [
        { ...head, body: 'ä' },
        { ...head, body: { a: 1 } },
        { ...head, body: new Uint8Array(Buffer.from('b')).buffer },
        { ...head, serializedBody: new Uint8Array(Buffer.from('v')) },
      ],
      { backlogCount: 4, backlogBytes: 9, oldestMessageTimestamp: new Date(3) },
    ])
    assert.deepEqual(outcome, { outcome: 'ok', ackAll: true })
  })

  test("a worker's scheduled event has its cron expression and time, and its outcome has the handler's error message", async () => {
    const seen: unknown[] = []
    const tick = { cron: '* * * * *', scheduledTime: 60_000 }
    const scheduled = (event: object) => {
      seen.push(event)
      return { outcome: 'ok' }
    }
    assert.deepEqual(await deliver('scheduled', { scheduled }, tick), { outcome: 'ok' })
    assert.deepEqual(seen, [{ cron: '* * * * *', scheduledTime: new Date(60_000) }])
    for (const [error, message] of [
      [new Error('broken'), 'broken'],
      ['a text', 'a text'],
      [null, 'null'],
    ] as const)
      assert.deepEqual(await deliver('scheduled', { scheduled: () => Promise.reject(error) }, tick), {
        outcome: 'exception',
        message,
      })
  })

  test('an event for a missing worker or handler has the outcome exception', async () => {
    const answer = (await deliver('scheduled', {}, {})) as { outcome: string }
    assert.equal(answer.outcome, 'exception')
    const unknown = new Request('http://x/none/scheduled', { method: 'POST', body: '{}' })
    const response = (await (await entry.default.fetch(unknown, {})).json()) as { outcome: string }
    assert.equal(response.outcome, 'exception')
  })

  describe('mail', () => {
    const receive = async (raw: string, email: (mail: Mail) => unknown = () => undefined) => {
      let mail: Mail | null = null
      const outcome = await deliver(
        'email',
        {
          email: async (given: Mail) => {
            mail = given
            await email(given)
          },
        },
        { from: 'a@example.test', to: 'b@example.test', raw },
      )
      return { outcome, mail: mail as Mail | null }
    }

    test('a worker gets a mail with its raw text, size in bytes and unfolded headers, without malformed lines', async () => {
      const raw =
        'Subject: a long\r\n\tsubject\r\nX-One: 1\r\nX-One: 2\r\nBroken line\r\nB ad: x\r\n\r\nX-Text: ä'
      const { outcome, mail } = await receive(raw)
      assert.deepEqual(outcome, { outcome: 'ok' })
      assert.deepEqual(
        [mail?.from, mail?.to, mail?.rawSize],
        ['a@example.test', 'b@example.test', Buffer.byteLength(raw)],
      )
      assert.equal(await new Response(mail?.raw).text(), raw)
      assert.deepEqual(
        [...(mail?.headers ?? [])],
        [
          ['subject', 'a long subject'],
          ['x-one', '1, 2'],
        ],
      )
    })

    test('a worker can read a mail without headers, and one with LF instead of CRLF', async () => {
      assert.deepEqual([...((await receive('')).mail?.headers ?? [])], [])
      assert.deepEqual(
        [...((await receive('a: 1\nb:2\n\nc: 3')).mail?.headers ?? [])],
        [
          ['a', '1'],
          ['b', '2'],
        ],
      )
    })

    test('a worker can reject a mail with a reason, and calling forward() or reply() throws', async () => {
      const { outcome } = await receive('', (mail) => mail.setReject(7))
      assert.deepEqual(outcome, { outcome: 'ok', rejected: '7' })
      for (const name of ['forward', 'reply'] as const)
        assert.deepEqual((await receive('', (mail) => mail[name]())).outcome, {
          outcome: 'exception',
          message: `${name}() is not available in the local cloud`,
        })
    })
  })

  test('the event entry binds only workers with a handler for queue, scheduled or email events', () => {
    const worker = (name: string, ...handlers: string[]) => ({
      script: { name },
      content: { handlers, assets: null, bindings: [] },
    })
    const planOf = (...workers: object[]) => ({ workers }) as unknown as GroupPlan
    const plan = planOf(worker('web', 'fetch'), worker('jobs', 'fetch', 'queue'), worker('inbox', 'email'))
    assert.deepEqual(Object.keys(eventBindings(plan)), ['worker:jobs', 'worker:inbox'])
    assert.deepEqual(
      [hasEventHandlers(plan), hasEventHandlers(planOf(worker('web', 'fetch')))],
      [true, false],
    )
  })
})
