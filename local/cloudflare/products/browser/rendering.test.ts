import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { BrowserRefusal } from './refusal.ts'
import { BrowserRenderer } from './rendering.ts'
import { writeFakeBrowser } from './testing.ts'

const PAGE = { html: '<p>hello' }

describe('the browser that renders pages', () => {
  let dir: string
  let rendering: BrowserRenderer
  const open = (chromium: string | null) => {
    const options = { guard: '', account: null, appsPort: 1, egressAllow: [] }
    rendering = new BrowserRenderer({ chromium, dir: join(dir, 'profiles'), ...options })
  }
  /** Creates a program that adds a line to the file `starts` and ends immediately. */
  const writeProgram = () => {
    const path = join(dir, 'browser')
    writeFileSync(path, `#!/bin/sh\necho started >> ${join(dir, 'starts')}\n`, { mode: 0o700 })
    return path
  }
  const countStarts = () => readFileSync(join(dir, 'starts'), 'utf8').split('\n').length - 1
  const HAS_ENDED = new Error('the browser has ended')

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-rendering-'))
  })
  afterEach(async () => {
    await rendering.close()
    rmSync(dir, { recursive: true })
  })

  test('without an installed browser, a valid rendering action gets status 501 and an invalid one its usual error', async () => {
    open(null)
    await assert.rejects(rendering.runQuickAction('content', PAGE), { code: 2000, status: 501 })
    await assert.rejects(rendering.runQuickAction('content', { html: '' }), { code: 2001, status: 400 })
    await assert.rejects(
      rendering.runQuickAction('none', PAGE),
      new BrowserRefusal(2000, 'The action none is not available in the local cloud', 400),
    )
  })

  test('a rendering action fails when the browser process ends, and the next action starts another process', async () => {
    open(writeProgram())
    for (const starts of [1, 2]) {
      await assert.rejects(rendering.runQuickAction('content', PAGE), HAS_ENDED)
      assert.equal(countStarts(), starts)
    }
    assert.deepEqual(readdirSync(join(dir, 'profiles')), [])
  })

  test("each rendering action fails when the browser's executable does not exist", async () => {
    open(join(dir, 'none'))
    await assert.rejects(rendering.runQuickAction('content', PAGE), HAS_ENDED)
    await assert.rejects(rendering.runQuickAction('content', PAGE), HAS_ENDED)
  })

  test('after a failed browser start, the next rendering action starts the browser', async () => {
    open(writeProgram())
    writeFileSync(join(dir, 'profiles'), 'a file where the folder should be')
    await assert.rejects(rendering.runQuickAction('content', PAGE), { code: 'EEXIST' })
    rmSync(join(dir, 'profiles'))
    await assert.rejects(rendering.runQuickAction('content', PAGE), HAS_ENDED)
    assert.equal(countStarts(), 1)
  })

  test('a rendering action that exceeds its timeout fails and closes its page, and the browser performs the next one', async () => {
    const { path, log } = writeFakeBrowser(dir)
    open(path)
    const countLogged = (line: string) =>
      readFileSync(log, 'utf8')
        .split('\n')
        .filter((one) => one === line).length
    const untilLogged = async (line: string, count: number) => {
      while (countLogged(line) < count) await new Promise((turn) => setImmediate(turn))
    }
    const act = (url: string) => rendering.runQuickAction('content', { url, gotoOptions: { timeout: 1000 } })
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const spinning = act('http://spin.test/')
      await untilLogged('Runtime.evaluate', 1)
      mock.timers.tick(31_000)
      await assert.rejects(
        spinning,
        new BrowserRefusal(2005, 'The page did not finish loading within 31000 ms'),
      )
      assert.deepEqual(Object.keys(await act('http://a.test/')), ['result'])
    } finally {
      mock.timers.reset()
    }
    await untilLogged('Target.disposeBrowserContext', 2)
    assert.deepEqual([countLogged('start'), countLogged('Target.createBrowserContext')], [1, 2])
  })

  test('the browser profile folder of an earlier process is deleted at the start', () => {
    writeFileSync(join(dir, 'profiles'), '')
    open(null)
    assert.deepEqual(readdirSync(dir), [])
  })
})
