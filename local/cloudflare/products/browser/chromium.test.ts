import assert from 'node:assert/strict'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { Chromium } from './chromium.ts'
import { writeFakeBrowser } from './testing.ts'

const HAS_ENDED = new Error('the browser has ended')

describe('controlling a browser over pipes', () => {
  let dir: string
  let proxy: Server
  let chromium: Chromium
  let log: string
  const open = (path: string) =>
    new Chromium({ path, dir: join(dir, 'profiles'), proxy, guard: [], account: null })
  before(async () => {
    dir = mkdtempSync(join(tmpdir(), 'slipway-chromium-'))
    proxy = createServer()
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const fake = writeFakeBrowser(dir)
    log = fake.log
    chromium = open(fake.path)
  })
  after(async () => {
    await chromium.close()
    proxy.close()
    rmSync(dir, { recursive: true })
  })

  test('each browser page has a separate browser context, which is disposed when the page is closed', async () => {
    const page = await chromium.openPage()
    await page.close()
    assert.deepEqual(readFileSync(log, 'utf8').trim().split('\n'), [
      'start',
      'Target.createBrowserContext',
      'Target.createTarget',
      'Target.attachToTarget',
      'Target.disposeBrowserContext',
    ])
  })

  test('simultaneous browser commands each get their own result, even when the browser sends it in parts', async () => {
    const page = await chromium.openPage()
    const evaluate = (expression: string) => page.send('Runtime.evaluate', { expression })
    const texts = ['ä', 'öü', 'x'.repeat(200_000), '']
    assert.deepEqual(
      await Promise.all(texts.map(evaluate)),
      texts.map((value) => ({ result: { value } })),
    )
    assert.deepEqual(await page.send('Page.enable'), {})
    await page.close()
  })

  test("a command that the browser refuses rejects with the browser's message, and the next command works", async () => {
    const page = await chromium.openPage()
    await assert.rejects(page.send('Test.fail'), new Error('no such thing'))
    assert.deepEqual(await page.send('Page.enable'), {})
    await page.close()
  })

  test('browser events reach only the handlers of their page, and none after the page was closed', async () => {
    const [one, two] = [await chromium.openPage(), await chromium.openPage()]
    const seen: unknown[] = []
    one.on('Page.lifecycleEvent', ({ name }) => seen.push(['one', name]))
    two.on('Page.lifecycleEvent', ({ name }) => seen.push(['two', name]))
    const next = two.next('Page.lifecycleEvent')
    await two.send('Page.navigate', { url: 'http://a.test/' })
    assert.deepEqual(seen.splice(0), [
      ['two', 'init'],
      ['two', 'load'],
    ])
    assert.deepEqual(await next, { name: 'init', frameId: 'main' })
    await two.close()
    await two.send('Page.navigate', { url: 'http://a.test/' })
    await one.send('Page.navigate', { url: 'http://a.test/' })
    assert.deepEqual(seen, [
      ['one', 'init'],
      ['one', 'load'],
    ])
    await one.close()
  })

  test("when the browser process ends, running and later commands fail and the browser's profile is deleted", async () => {
    const other = open(join(dir, 'browser'))
    const page = await other.openPage()
    const hanging = page.send('Test.hang')
    await Promise.all([assert.rejects(hanging, HAS_ENDED), assert.rejects(page.send('Test.exit'), HAS_ENDED)])
    assert.equal(other.isGone, true)
    await assert.rejects(page.send('Page.enable'), HAS_ENDED)
    await page.close()
    await other.close()
    assert.equal(readdirSync(join(dir, 'profiles')).length, 1)
  })

  test('closing the browser waits for the end of its process, even when the process could not be started', async () => {
    const other = open(join(dir, 'browser'))
    const page = await other.openPage()
    const hanging = assert.rejects(page.send('Test.hang'), HAS_ENDED)
    await other.close()
    await hanging
    const missing = open(join(dir, 'none'))
    await missing.close()
    assert.deepEqual([other.isGone, missing.isGone, existsSync(join(dir, 'none'))], [true, true, false])
    assert.equal(readdirSync(join(dir, 'profiles')).length, 1)
  })
})
