import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type RunningApp, startApp } from '../../testing/bundle.ts'
import { plantsTree } from '../../testing/tree.ts'

interface ErrorLine {
  kind: string
  message: string
  stack: string
  route: string
  release: string
}

describe('uncaught errors of pages', () => {
  let app: RunningApp
  let lines: ErrorLine[] = []
  let networks = 0
  before(async () => {
    app = await startApp(plantsTree(), {
      onLog: (line) => {
        if (line.startsWith('{"kind":"error"')) lines.push(JSON.parse(line) as ErrorLine)
      },
    })
  })
  after(() => app.stop())
  beforeEach(async () => {
    // A new release restarts the worker, which resets the worker's count of reported errors.
    await app.ship(plantsTree())
    lines = []
  })

  const send = (body: unknown, headers: Record<string, string> = {}) =>
    app.fetch('/_app/error', {
      method: 'POST',
      headers: { origin: app.url.origin, 'cf-connecting-ip': `203.0.113.${++networks % 250}`, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    })
  async function written(count: number): Promise<ErrorLine[]> {
    for (let n = 0; n < 100 && lines.length < count; n++) await sleep(20)
    return lines
  }

  test('an uncaught error in a page is logged as one line with the release and the path of the page, without the query', async () => {
    const answer = await send({
      message: 'Error: boom',
      stack: 'Error: boom\n  at Home',
      path: '/teams?invite=a-token',
    })
    assert.equal(answer.status, 200)
    const [line] = await written(1)
    assert.deepEqual(
      [line?.message, line?.stack, line?.route, line?.release],
      ['Error: boom', 'Error: boom\n  at Home', 'page /teams', 'r1'],
    )
  })

  test('a page error report loses unknown fields and the ends of long strings, and a malformed report is refused with 400', async () => {
    const answer = await send({
      message: 'm'.repeat(5000),
      stack: 's'.repeat(9000),
      path: 'p'.repeat(900),
      extra: 'dropped',
    })
    assert.equal(answer.status, 200)
    const [line] = await written(1)
    assert.deepEqual([line?.message.length, line?.stack.length, line?.route.length], [1000, 4000, 205])
    assert.ok(!JSON.stringify(line).includes('dropped'))
    for (const body of ['no json', '[]', '{}', { message: 7 }, { message: 'm'.repeat(20_000) }])
      assert.equal((await send(body)).status, 400)
    assert.equal(lines.length, 1)
  })

  test('page error reports from another site, or without an Origin header, are refused', async () => {
    assert.equal((await send({ message: 'x' }, { origin: 'https://evil.test' })).status, 403)
    const bare = await app.fetch('/_app/error', { method: 'POST', body: '{"message":"x"}' })
    assert.equal(bare.status, 403)
    assert.equal(lines.length, 0)
  })

  test('page error reports are limited to ten per minute from one client network and sixty per minute in total', async () => {
    const statuses: number[] = []
    const one = { 'cf-connecting-ip': '198.51.100.1' }
    for (let n = 0; n < 12; n++) statuses.push((await send({ message: `one ${n}` }, one)).status)
    assert.deepEqual(statuses, [...Array<number>(10).fill(200), 429, 429])
    for (let n = 0; n < 60; n++) statuses.push((await send({ message: `all ${n}` })).status)
    assert.equal(statuses.filter((status) => status === 200).length, 60)
    assert.equal((await written(60)).length, 60)
  })
})
