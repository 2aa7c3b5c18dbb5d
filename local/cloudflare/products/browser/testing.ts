import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from './chromium.ts'

type Params = Record<string, unknown>

/**
 * A page of a browser that records the commands it gets. `answers` contains the result of each command, or a function that returns the
 * result. A command that `answers` does not contain returns an empty object.
 */
export function recordingPage(answers: Record<string, Params | ((params: Params) => Params)> = {}) {
  const sent: [method: string, params: Params][] = []
  const handlers: [event: string, handler: (params: Params) => void][] = []
  const page: Page = {
    send: async (method, params = {}) => {
      sent.push([method, params])
      const answer = answers[method] ?? {}
      return typeof answer === 'function' ? answer(params) : answer
    },
    on: (event, handler) => void handlers.push([event, handler]),
    next: () => new Promise(() => {}),
    close: async () => {},
  }
  const emit = (event: string, params: Params) => {
    for (const [name, handler] of handlers) if (name === event) handler(params)
  }
  /** Sends lifecycle events of the frame `main`, or of the named frame: `child load`. */
  const emitLifecycle = (...events: string[]) => {
    for (const event of events) {
      const [name, frameId = 'main'] = event.split(' ').reverse()
      emit('Page.lifecycleEvent', { name, frameId })
    }
  }
  return { page, sent, emit, emitLifecycle }
}

/**
 * Writes a program that speaks the protocol of a browser over its pipes, and returns its path. The program adds each method to the file
 * `log`, and a line `start` when it starts. Pages load immediately. On a page whose address contains `spin`, no script ends, as in an
 * endless loop.
 */
export function writeFakeBrowser(dir: string): { path: string; log: string } {
  const [path, log] = [join(dir, 'browser'), join(dir, 'log')]
  writeFileSync(path, `#!${process.execPath}\n${FAKE_BROWSER.replace('LOG', JSON.stringify(log))}`, {
    mode: 0o700,
  })
  writeFileSync(log, '')
  return { path, log }
}

const FAKE_BROWSER = `
const { appendFileSync, createReadStream, writeSync } = require('node:fs')
const note = (line) => appendFileSync(LOG, line + '\\n')
let made = 0
const spinning = new Set()
const send = (message) => {
  const bytes = Buffer.from(JSON.stringify(message) + '\\0')
  // Write in two parts, so that each message arrives in pieces and a multi-byte character is split.
  const half = bytes.indexOf(0xc3) + 1 || bytes.length >> 1
  writeSync(4, bytes.subarray(0, half))
  writeSync(4, bytes.subarray(half))
}
const results = {
  'Target.createBrowserContext': () => ({ browserContextId: 'context-' + ++made }),
  'Target.createTarget': ({ browserContextId }) => ({ targetId: browserContextId.replace('context', 'target') }),
  'Target.attachToTarget': ({ targetId }) => ({ sessionId: targetId.replace('target', 'session') }),
  'Runtime.evaluate': ({ expression }, sessionId) =>
    spinning.has(sessionId) ? null : { result: { value: expression } },
  'Page.navigate': ({ url }, sessionId) => {
    if (url.includes('spin')) spinning.add(sessionId)
    for (const name of ['init', 'load'])
      send({ sessionId, method: 'Page.lifecycleEvent', params: { name, frameId: 'main' } })
    return {}
  },
  'Test.exit': () => process.exit(1),
  'Test.hang': () => null,
}
note('start')
let rest = ''
createReadStream('', { fd: 3 }).setEncoding('utf8').on('data', (text) => {
  const parts = (rest + text).split('\\0')
  rest = parts.pop()
  for (const part of parts) {
    const { id, method, params, sessionId } = JSON.parse(part)
    note(method)
    if (method === 'Test.fail') send({ id, sessionId, error: { code: 1, message: 'no such thing' } })
    else {
      const result = (results[method] ?? (() => ({})))(params, sessionId)
      if (result !== null) send({ id, sessionId, result })
    }
  }
})
`
