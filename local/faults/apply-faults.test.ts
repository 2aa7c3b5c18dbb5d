import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { afterEach, describe, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { Hono } from 'hono'
import { applyFaults, InjectedFailure } from './apply-faults.ts'
import { FaultRule, Faults } from './faults.ts'

interface Env {
  Variables: { fault: string }
}

describe('applying a fault to a call of a stand-in', () => {
  const faults = new Faults(0)
  afterEach(() => faults.clear())

  /** The method, path and fault of each call that was executed. */
  const executed: string[] = []
  const app = new Hono<Env>()
    .use(applyFaults({ faults, provider: 'cloud', accountOf: (c) => c.req.header('account') ?? null }))
    .all('*', (c) => {
      executed.push(`${c.req.method} ${c.req.path} ${c.get('fault') ?? 'none'}`)
      return c.text('done')
    })
  app.onError((error, c) => {
    if (!(error instanceof InjectedFailure)) throw error
    return c.json([error.code, error.message], error.status as 400, error.headers)
  })
  /** Sends a request with a socket that records whether it was cut. */
  const send = async (path: string, { signal, ...init }: RequestInit = {}) => {
    executed.length = 0
    const socket = new EventEmitter() as EventEmitter & { destroy(): void; isCut: boolean }
    socket.isCut = false
    socket.destroy = () => {
      socket.isCut = true
    }
    const request = new Request(`http://cloud.test${path}`, {
      method: 'POST',
      ...init,
      ...(signal && { signal }),
    })
    const answer = await app.fetch(request, { incoming: { socket } })
    const text = await answer.text()
    return {
      status: answer.status,
      text,
      retryAfter: answer.headers.get('retry-after'),
      isCut: socket.isCut,
      executed: [...executed],
    }
  }
  const order = (what: object, match: object = {}) =>
    faults.addRule(FaultRule.parse({ match: { provider: 'cloud', ...match }, do: what }))
  const done = (path: string, fault = 'none', method = 'POST') => ({
    status: 200,
    text: 'done',
    retryAfter: null,
    isCut: false,
    executed: [`${method} ${path} ${fault}`],
  })

  test('a call to a stand-in for which no fault is set is executed', async () => {
    assert.deepEqual(await send('/workers/shop'), done('/workers/shop'))
  })

  test("a simulated fault refuses a call without executing it, with the fault's status, code and Retry-After", async () => {
    order({ status: 503, code: 7, retryAfter: 2 })
    assert.deepEqual(
      [await send('/a'), await send('/a')],
      [
        {
          status: 503,
          text: '[7,"A fault was ordered for this call."]',
          retryAfter: '2',
          isCut: false,
          executed: [],
        },
        done('/a'),
      ],
    )
  })

  test('a path segment such as x-fail-403, even an encoded one, causes the simulated fault in its name', async () => {
    const statuses = []
    for (const path of [
      '/a/x-fail-403/b',
      '/a/x%2Dfail-403',
      '/a/x-fail-403-y',
      '/a/failx-403',
      '/a/%zz-fail-403',
      '/a?name=fail-403',
    ])
      statuses.push((await send(path)).status)
    assert.deepEqual(statuses, [403, 403, 403, 200, 403, 200])
  })

  test('a GET request ignores faults in its path, but not faults that were set through the control API', async () => {
    assert.deepEqual(await send('/x-fail-403', { method: 'GET' }), done('/x-fail-403', 'none', 'GET'))
    order({ status: 500 }, { method: 'GET' })
    assert.equal((await send('/x', { method: 'GET' })).status, 500)
  })

  test('a one-time fault in a resource name is applied once for each account and name', async () => {
    const statuses = []
    for (const [account, path] of [
      ['one', '/a-fail-500'],
      ['one', '/a-fail-500'],
      ['two', '/a-fail-500'],
      ['one', '/b-fail-500'],
    ] as const)
      statuses.push((await send(path, { headers: { account } })).status)
    assert.deepEqual(statuses, [500, 200, 500, 500])
  })

  test('a fault set through the control API applies `times` times, from the nth call that matches its path and account', async () => {
    order({ status: 500 }, { nth: 2, times: 2, path: '/a', account: 'one' })
    const statuses = []
    for (const [account, path] of [
      ['two', '/a'],
      ['one', '/b'],
      ['one', '/a'],
      ['one', '/a'],
      ['one', '/x/a/y'],
      ['one', '/a'],
    ] as const)
      statuses.push((await send(path, { headers: { account } })).status)
    assert.deepEqual(statuses, [200, 200, 200, 500, 500, 200])
    assert.deepEqual(
      faults.list().map((one) => (one as { hits: number }).hits),
      [2],
    )
  })

  test('a call with a simulated delay is executed after the delay', async () => {
    order({ delayMs: 1 })
    assert.deepEqual(
      [await send('/a'), await send('/slow-999s')],
      [done('/a', 'control'), done('/slow-999s', 'slow-999s')],
    )
  })

  test('a simulated reset breaks the connection before a call is executed, and a lost response after it', async () => {
    order({ reset: true })
    const reset = await send('/a')
    order({ commitThenDrop: true }, { path: '/b' })
    const lost = await send('/b')
    assert.deepEqual(
      [
        [reset.isCut, reset.executed],
        [lost.isCut, lost.executed],
        [(await send('/c-fail-drop')).isCut, executed],
      ],
      [
        [true, []],
        [true, ['POST /b control']],
        [true, ['POST /c-fail-drop fail-drop']],
      ],
    )
  })

  test('a call with a simulated hang is not executed, and ends when the client aborts it', async () => {
    order({ hang: true })
    const client = new AbortController()
    let isOver = false
    const hanging = send('/a', { signal: client.signal }).then((answer) => {
      isOver = true
      return answer
    })
    for (let i = 0; i < 5; i++) await setImmediate()
    assert.equal(isOver, false)
    client.abort()
    assert.deepEqual(await hanging, { status: 499, text: '', retryAfter: null, isCut: false, executed: [] })
  })

  test('a call with a simulated hang ends immediately when the client has already aborted it', async () => {
    order({ hang: true })
    assert.equal((await send('/a', { signal: AbortSignal.abort() })).status, 499)
  })
})
