import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type { SseBytes, SseMessage } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { encodeMessages, sseResponse } from './sse.ts'

const HEARTBEAT = ':\n\n'
const settle = () => new Promise<void>((resolve) => void setImmediate(resolve))

describe('a stream of server-sent events', () => {
  beforeEach(() => mock.timers.enable({ apis: ['setInterval'] }))
  afterEach(() => mock.timers.reset())

  /** Opens a stream over `messages`; `left` returns how often `onLeft` was called. */
  function open(
    messages: AsyncIterable<SseMessage | SseBytes>,
    recheck: (() => Promise<unknown>) | null = null,
  ) {
    let left = 0
    const response = sseResponse(messages, {
      requestId: 'req_1',
      recheck,
      onLeft: () => void left++,
      onError: (error) => ({ data: `error ${(error as Error).message}` }),
    })
    const reader = (response.body as ReadableStream<Uint8Array>).getReader()
    const read = async () => {
      const { value, done } = await reader.read()
      return done ? null : new TextDecoder().decode(value)
    }
    return { response, reader, read, left: () => left }
  }
  /** A source that yields nothing until `yieldOne` is called; `state.ended` says whether the consumer has ended the source. */
  function waiting() {
    const state = { ended: false }
    const never = Promise.withResolvers<IteratorResult<SseMessage>>()
    const source: AsyncIterable<SseMessage> = {
      [Symbol.asyncIterator]: () => ({
        next: () => never.promise,
        return: async () => {
          state.ended = true
          return { done: true, value: undefined }
        },
      }),
    }
    return {
      source,
      state,
      fail: never.reject,
      yieldOne: (value: SseMessage) => never.resolve({ done: false, value }),
    }
  }
  const beat = async (count: number) => {
    for (let n = 0; n < count; n++) {
      mock.timers.tick(15_000)
      await settle()
    }
  }

  test('an event stream sends messages in order with their ids, and sends messages that are already encoded unchanged', async () => {
    const { response, read } = open(
      (async function* () {
        yield { id: '7', data: '{"a":1}' }
        yield { data: 'b' }
        yield { bytes: encodeMessages([{ data: 'c' }, { id: '9', data: 'd' }]) }
      })(),
    )
    const sent = [await read(), await read(), await read(), await read()]
    assert.deepEqual(sent, ['id: 7\ndata: {"a":1}\n\n', 'data: b\n\n', 'data: c\n\nid: 9\ndata: d\n\n', null])
    const names = [
      'content-type',
      'cache-control',
      'x-accel-buffering',
      'x-request-id',
      'x-content-type-options',
    ]
    assert.deepEqual(
      names.map((name) => response.headers.get(name)),
      ['text/event-stream; charset=utf-8', 'no-cache, no-store, no-transform', 'no', 'req_1', 'nosniff'],
    )
  })

  test('an event stream takes the next message from its source only after the client has read the previous one', async () => {
    let requested = 0
    const { read } = open(
      (async function* () {
        for (;;) yield { data: String(++requested) }
      })(),
    )
    await settle()
    assert.equal(requested, 1)
    assert.equal(await read(), 'data: 1\n\n')
    await settle()
    assert.equal(requested, 2)
  })

  test("an error of an event stream's source is sent as the stream's last message", async () => {
    const { read } = open(
      (async function* () {
        yield { data: 'a' }
        throw new Error('broken')
      })(),
    )
    assert.deepEqual(
      [await read(), await read(), await read()],
      ['data: a\n\n', 'data: error broken\n\n', null],
    )
  })

  test('an idle stream sends a heartbeat every fifteen seconds until it ends', async () => {
    const { source, yieldOne, fail } = waiting()
    const { read } = open(source)
    await beat(2)
    assert.deepEqual([await read(), await read()], [HEARTBEAT, HEARTBEAT])
    yieldOne({ data: 'a' })
    assert.equal(await read(), 'data: a\n\n')
    fail(new Error('after the end of the source'))
  })

  test('when the client of an event stream disconnects, the source is ended once and no heartbeat follows', async () => {
    const { source, state } = waiting()
    const { reader, left } = open(source, () => Promise.reject(new Error('must not be called')))
    await reader.cancel()
    await beat(4)
    assert.deepEqual([left(), state.ended], [1, true])
  })

  test('an event stream checks access at every second heartbeat, and continues while its caller has access', async () => {
    let checks = 0
    const { read } = open(waiting().source, async () => void checks++)
    await beat(5)
    assert.equal(checks, 2)
    for (let n = 0; n < 5; n++) assert.equal(await read(), HEARTBEAT)
  })

  test('an event stream whose caller has lost access ends with the reason, and its source is ended', async () => {
    const { source, state, yieldOne } = waiting()
    const { read, left } = open(source, () => Promise.reject(new ApiError('forbidden', 'revoked')))
    await beat(2)
    assert.deepEqual([await read(), await read()], [HEARTBEAT, HEARTBEAT])
    assert.deepEqual([await read(), await read()], ['data: error revoked\n\n', null])
    assert.deepEqual([left(), state.ended], [1, true])
    // A message that arrives after access is lost must not reach the client.
    yieldOne({ data: 'secret' })
    await beat(2)
    assert.equal(await read(), null)
    assert.equal(left(), 1)
  })

  test('an access check that fails for any reason but lost access does not end the event stream', async () => {
    const failures = [new Error('no database'), new ApiError('server_error', 'no database')]
    const { read, left } = open(waiting().source, () => Promise.reject(failures.shift() ?? new Error('x')))
    await beat(4)
    for (let n = 0; n < 4; n++) assert.equal(await read(), HEARTBEAT)
    assert.equal(left(), 0)
  })

  test('an error while closing an event stream whose caller lost access does not end the process', async () => {
    const source: AsyncIterable<SseMessage> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: () => Promise.reject(new Error('clean-up failed')),
      }),
    }
    const { read } = open(source, () => Promise.reject(new ApiError('unauthorized', 'ended')))
    await beat(2)
    assert.deepEqual(
      [await read(), await read(), await read(), await read()],
      [HEARTBEAT, HEARTBEAT, 'data: error ended\n\n', null],
    )
  })

  test('an access check that ends after the client of the event stream has disconnected changes nothing', async () => {
    const { source } = waiting()
    const check = Promise.withResolvers<void>()
    const { reader, left } = open(source, () => check.promise)
    await beat(2)
    await reader.cancel()
    check.reject(new ApiError('forbidden', 'revoked'))
    await settle()
    assert.equal(left(), 1)
  })
})
