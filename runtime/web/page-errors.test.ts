import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, mock, test } from 'node:test'
import { reportPageErrors } from './page-errors.ts'

interface SentRequest {
  message: string
  stack: string
  path: string
}

const GLOBALS = ['window', 'location', 'fetch'] as const

describe('the error reports of a page', () => {
  const known = GLOBALS.map((name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const)
  let page: EventTarget
  let sent: SentRequest[]
  const setGlobal = (name: string, value: unknown) =>
    Object.defineProperty(globalThis, name, { value, configurable: true, writable: true })
  const answer = mock.fn(async (_path: string, init: { body: string }) => {
    sent.push(JSON.parse(init.body) as SentRequest)
    throw new TypeError('offline')
  })
  before(() => {
    setGlobal('location', { pathname: '/diary' })
    setGlobal('fetch', answer)
  })
  after(() => {
    for (const [name, descriptor] of known)
      if (descriptor === undefined) Reflect.deleteProperty(globalThis, name)
      else Object.defineProperty(globalThis, name, descriptor)
  })
  beforeEach(() => {
    page = new EventTarget()
    sent = []
    setGlobal('window', page)
    reportPageErrors()
  })

  const raise = (type: string, fields: object) => page.dispatchEvent(Object.assign(new Event(type), fields))

  test('an uncaught error and an unhandled rejection are reported with the path of the page', () => {
    raise('error', { error: new TypeError('boom'), message: 'Uncaught TypeError: boom' })
    raise('unhandledrejection', { reason: new Error('late') })
    assert.deepEqual(
      sent.map(({ message, path }) => [message, path]),
      [
        ['TypeError: boom', '/diary'],
        ['Error: late', '/diary'],
      ],
    )
    assert.match(sent[0]?.stack ?? '', /page-errors\.test\.ts/)
  })

  test('a thrown value that is not an error is reported as text, cut to a maximum length', () => {
    raise('error', { error: null, message: 'Script error.' })
    raise('unhandledrejection', { reason: 'r'.repeat(5000) })
    assert.deepEqual(
      sent.map(({ message }) => message.length),
      ['Script error.'.length, 1000],
    )
  })

  test('a promise rejected with a value that cannot be converted to a string is also reported', () => {
    raise('unhandledrejection', { reason: Object.create(null) })
    raise('unhandledrejection', { reason: '' })
    raise('unhandledrejection', { reason: undefined })
    assert.deepEqual(
      sent.map(({ message }) => message),
      ['[object]', 'A promise was rejected without a reason.', 'undefined'],
    )
  })

  test('equal page errors are reported once, and a page that throws in a loop reports at most ten', () => {
    for (let n = 0; n < 50; n++) raise('error', { error: new Error('same'), message: '' })
    assert.equal(sent.length, 1)
    for (let n = 0; n < 50; n++) raise('error', { error: new Error(`other ${n}`), message: '' })
    assert.equal(sent.length, 10)
  })

  test('failing to send an error report raises no further error', async () => {
    let unhandled = 0
    const count = () => void (unhandled += 1)
    process.on('unhandledRejection', count)
    raise('error', { error: new Error('offline'), message: '' })
    await new Promise((resolve) => setImmediate(resolve))
    process.off('unhandledRejection', count)
    assert.deepEqual([sent.length, unhandled], [1, 0])
  })
})
