import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout } from 'node:timers/promises'
import { silentLog } from '../../testing/database.ts'
import { descendants, isGone } from '../../testing/processes.ts'
import { textWorkers } from '../../testing/text-workers.ts'
import { openTextWorkers } from './workers.ts'

const never = new AbortController().signal
const write = (path: string, after: string) => textWorkers.write({ path, before: '', after }, never)
const codeOf = (outcome: object) =>
  'refused' in outcome ? (outcome.refused as { code: string }).code : 'done'
const children = () => descendants(process.pid, 'text/child.ts')

/** A TypeScript parser needs minutes to read this code, because it tries each level in two ways. */
const ENDLESS = `export const x = ${'a ? (b) : c => '.repeat(30)}d\n`

describe('worker processes that parse text', () => {
  test('CSS that is nested 20,000 levels deep is refused, and the next file is still parsed', async () => {
    assert.equal(codeOf(await write('web/a.css', 'a{'.repeat(20_000))), 'too_complex')
    assert.equal(codeOf(await write('web/b.css', 'a { color: red }\n')), 'done')
  })

  test('code with 190,000 nested prefix operators does not break the service, and the next file is parsed', async () => {
    const deep = `export const x = ${'!'.repeat(190_000)}1\n`
    const outcome = await write('shared/deep.ts', deep)
    assert.ok(['too_complex', 'done'].includes(codeOf(outcome)))
    assert.equal(codeOf(await write('shared/a.ts', 'export {}\n')), 'done')
  })

  test('after the parser process was killed, the next file is parsed without an error', async () => {
    await write('shared/a.ts', 'export {}\n')
    const parsers = children().flatMap((child) => descendants(child, 'esbuild'))
    for (const pid of parsers) process.kill(pid, 'SIGKILL')
    const outcome = await write('shared/b.ts', 'export const b = 1\n')
    assert.equal('refused' in outcome ? outcome.refused : outcome.syntax, 'The syntax is fine.')
  })

  test('a file that takes minutes to parse is refused, and the parser is stopped', async () => {
    const before = children()
    assert.equal(codeOf(await write('shared/endless.ts', ENDLESS)), 'too_complex')
    for (const pid of before) assert.ok(await isGone(pid), `${pid} goes on`)
    assert.equal(codeOf(await write('shared/a.ts', 'export const a = 1\n')), 'done')
  })

  test('cancelling a running parse job ends its process, and a cancelled waiting job never starts', async () => {
    const pool = openTextWorkers({ size: 1, log: silentLog })
    try {
      const [running, waiting] = [new AbortController(), new AbortController()]
      const given = { path: 'shared/endless.ts', before: '', after: ENDLESS }
      const known = new Set(children())
      const first = pool.of('a').write(given, running.signal)
      const second = pool.of('a').write(given, waiting.signal)
      waiting.abort(new Error('changed my mind'))
      await assert.rejects(second, /changed my mind/)
      let started: number[] = []
      while (started.length === 0) {
        await setTimeout(10)
        started = children().filter((pid) => !known.has(pid))
      }
      running.abort(new Error('cancelled'))
      await assert.rejects(first, /cancelled/)
      for (const pid of started) assert.ok(await isGone(pid))
      assert.equal(codeOf(await pool.of('a').write({ ...given, after: 'export {}\n' }, never)), 'done')
    } finally {
      await pool.close()
    }
  })

  test('a file whose parsing never ends does not delay the file of another organization', async () => {
    const pool = openTextWorkers({ size: 2, log: silentLog })
    try {
      const order: string[] = []
      const slow = pool
        .of('a')
        .write({ path: 'a.ts', before: '', after: ENDLESS }, never)
        .then(() => order.push('slow'))
      await pool
        .of('b')
        .write({ path: 'b.ts', before: '', after: 'export {}\n' }, never)
        .then(() => order.push('quick'))
      await slow
      assert.deepEqual(order, ['quick', 'slow'])
    } finally {
      await pool.close()
    }
  })

  test('an organization with a hundred queued files delays the file of another organization by at most two jobs', async () => {
    const pool = openTextWorkers({ size: 1, log: silentLog })
    try {
      const order: string[] = []
      const write = (owner: string) =>
        pool
          .of(owner)
          .write({ path: 'a.ts', before: '', after: 'export {}\n' }, never)
          .then(() => order.push(owner))
      await Promise.all([...Array.from({ length: 100 }, () => write('a')), write('b')])
      assert.ok(order.indexOf('b') <= 2, `after ${order.indexOf('b')} others`)
    } finally {
      await pool.close()
    }
  })

  test('an edit whose search text occurs 60,000 times is refused with the count and the first ten line numbers', async () => {
    const edit = { old: 'a', new: 'b' }
    const before = 'a\n'.repeat(60_000)
    const outcome = await textWorkers.edit({ path: 'shared/a.txt', before, edit, bytesMax: 200_000 }, never)
    assert.ok('refused' in outcome)
    assert.equal(
      outcome.refused.message,
      'old occurs 60000 times, at lines 1, 2, 3, 4, 5, 6, 7, 8, 9, 10 and 59990 more; add lines around it',
    )
  })

  test('comparing 150 entirely rewritten files counts each line as replaced and blocks the event loop for less than a second', async () => {
    const lines = (prefix: string) => Array.from({ length: 1_500 }, (_, i) => `${prefix}${i}\n`).join('')
    const pairs = Array.from({ length: 150 }, (_, i) => [lines(`a${i}-`), lines(`b${i}-`)] as const)
    const loop = monitorEventLoopDelay({ resolution: 10 })
    loop.enable()
    const sums = await textWorkers.count(pairs)
    loop.disable()
    assert.deepEqual(new Set(sums.map(({ added, removed }) => `${added} ${removed}`)), new Set(['1500 1500']))
    assert.ok(loop.max / 1e6 < 1_000, `the service waited ${loop.max / 1e6} ms`)
  })

  test('the counts of added and removed lines are exact for similar files', async () => {
    const before = Array.from({ length: 5_000 }, (_, i) => `line ${i}\n`)
    const after = before.toSpliced(100, 2, 'x\n').toSpliced(4_000, 0, 'y\n', 'z\n')
    const pairs = [[before.join(''), after.join('')] as const, ['', 'a\nb\n'] as const, ['a', ''] as const]
    assert.deepEqual(await textWorkers.count(pairs), [
      { added: 3, removed: 2 },
      { added: 2, removed: 0 },
      { added: 0, removed: 1 },
    ])
  })
})
