import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import type { PlannedWorker } from '../../workerd/plan.ts'
import { LineMarks } from './lines.ts'

const plannedWorker = (logs: object) =>
  ({
    script: { name: 'shop-live', settings: {} },
    content: { observability: { enabled: true, logs } },
  }) as unknown as PlannedWorker

describe('log lines of workers whose invocations are not recorded', () => {
  const quiet = plannedWorker({ invocation_logs: false })

  /** Returns what a worker with this module writes to the runtime's output. */
  function runModule(source: string | null, code: string): string[] {
    const lines: string[] = []
    const write = (...message: unknown[]) => void lines.push(message.join(' '))
    const console = { debug: write, error: write, info: write, log: write, warn: write }
    const module = (source ?? '').replace('export const watch', 'const watch')
    runInNewContext(`${module};${code}`, { console, encodeURIComponent })
    return lines
  }
  const readAll = (marks: LineMarks, code: string) =>
    runModule(marks.moduleFor(quiet, []), code).map((message) => marks.read({ message, timestamp: 7 }))

  test('log lines are attributed to the worker that wrote them', () => {
    const marks = new LineMarks()
    const code = `console.error('the pump\\nis dry', { at: 'hall' }, undefined, 5n, '\\ud800')`
    const [message = ''] = runModule(marks.moduleFor(quiet, []), code)
    assert.deepEqual(marks.read({ message, timestamp: 7 }), {
      script: 'shop-live',
      level: 'error',
      timestamp: 7,
      message: ['the pump\nis dry', { at: 'hall' }, 'undefined', '5', '\ud800'],
    })
  })

  test("an exception in a worker's handler is written to the worker's output and still thrown", () => {
    const marks = new LineMarks()
    const [thrown, caught] = readAll(
      marks,
      `const shop = { fetch({ url }) { throw new RangeError('dry ' + url) } }
      watch({ default: shop, note: 'a text', nothing: null })
      try { shop.fetch({ url: 'http://shop.test/', method: 'GET' }) } catch (error) { console.log(error.message) }`,
    )
    assert.partialDeepStrictEqual(thrown, {
      script: 'shop-live',
      event: { request: { url: 'http://shop.test/', method: 'GET' } },
      exception: { name: 'RangeError', message: 'dry http://shop.test/', timestamp: 7 },
    })
    assert.partialDeepStrictEqual(caught, { level: 'log', message: ['dry http://shop.test/'] })
  })

  test("recording a worker class's exceptions keeps its inherited handlers, and omits exceptions of RPC methods", () => {
    const marks = new LineMarks()
    const seen = readAll(
      marks,
      `class Base { alarm() { throw this.word } price() { throw new Error('for the caller') } }
      class Shelf extends Base { word = 'late'; webSocketMessage() { return 7 } }
      watch({ Shelf, Base })
      watch({ Shelf })
      const shelf = new Shelf()
      for (const name of ['alarm', 'price']) try { shelf[name]() } catch {}
      console.log(shelf.webSocketMessage(), Object.keys(shelf))`,
    )
    assert.equal(seen.length, 2, 'one exception, written once')
    assert.partialDeepStrictEqual(seen[0], { exception: { name: 'Error', message: 'late' } })
    assert.partialDeepStrictEqual(seen[1], { message: [7, ['word']] })
  })

  test('a line of output without the prefix of a worker is attributed to no worker', () => {
    const marks = new LineMarks()
    marks.moduleFor(quiet, [])
    for (const message of ['', 'shop-live error %5B%5D', 'an own line of some worker'])
      assert.equal(marks.read({ message, timestamp: 7 }), null)
    const [other = ''] = runModule(new LineMarks().moduleFor(quiet, []), 'console.log(1)')
    assert.equal(marks.read({ message: other, timestamp: 7 }), null)
  })

  test('a malformed line of output with the prefix of a worker is ignored', () => {
    const marks = new LineMarks()
    const [known = ''] = runModule(marks.moduleFor(quiet, []), 'console.log(1)')
    const mark = known.split(' ')[0]
    for (const rest of [
      '',
      ' log',
      ' log %E0%A4%A',
      ' log {',
      ' log 7',
      ' log null',
      ' __proto__ %5B%5D',
      ' uncaught %5B7%5D',
    ])
      assert.equal(marks.read({ message: `${mark}${rest}`, timestamp: 7 }), null, rest)
  })

  test('no module that marks log lines is added to a worker whose log lines a tail worker already reports', () => {
    const marks = new LineMarks()
    assert.equal(marks.moduleFor(quiet, ['shop-live']), null)
    assert.equal(marks.moduleFor(plannedWorker({}), []), null)
  })
})
