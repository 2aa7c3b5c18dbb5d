import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { performAction, readAction } from './quick-actions.ts'
import { BrowserRefusal } from './refusal.ts'
import { recordingPage } from './testing.ts'

const PAGE = { url: 'https://example.test/' }

describe('quick actions of the browser', () => {
  /** Performs an action on a page that loads immediately. Returns the result and the commands that the page got after the load. */
  const perform = async (
    name: string,
    options: object,
    answers: Record<string, Record<string, unknown>> = {},
  ) => {
    const { page, sent, emitLifecycle } = recordingPage({
      ...answers,
      'Page.navigate': () => {
        emitLifecycle('init', 'load')
        return {}
      },
    })
    const result = await performAction(page, readAction(name, { ...PAGE, ...options }))
    return { result, sent: sent.slice(sent.findIndex(([method]) => method === 'Page.navigate') + 1) }
  }
  const DATA = { data: Buffer.from('bytes').toString('base64') }
  const BYTES = new Uint8Array(Buffer.from('bytes'))

  test('an unknown browser rendering action and invalid options are refused before a browser is started', () => {
    for (const name of ['links', '', 'constructor', '__proto__'])
      assert.throws(
        () => readAction(name, PAGE),
        new BrowserRefusal(2000, `The action ${name} is not available in the local cloud`, 400),
      )
    for (const options of [null, { url: 7 }, { ...PAGE, pdfOptions: { scale: 3 } }])
      assert.throws(() => readAction('pdf', options), { code: 2001, status: 400 })
  })

  test('a PDF of a page has the requested paper size, margins and page ranges, with lengths converted to inches', async () => {
    const pdfOptions = {
      format: 'a4',
      height: '10in',
      landscape: true,
      printBackground: true,
      scale: 0.5,
      pageRanges: '1-2',
      margin: { top: '1in', left: 96, right: 'broken' },
    }
    const { result, sent } = await perform('pdf', { pdfOptions }, { 'Page.printToPDF': DATA })
    assert.deepEqual(result, { bytes: BYTES, type: 'application/pdf' })
    const options = {
      landscape: true,
      printBackground: true,
      preferCSSPageSize: false,
      scale: 0.5,
      pageRanges: '1-2',
      paperWidth: 8.27,
      paperHeight: 10,
      marginTop: 1,
      marginRight: 0,
      marginBottom: 0,
      marginLeft: 1,
    }
    assert.deepEqual(sent, [['Page.printToPDF', options]])
  })

  test('a screenshot shows the viewport, and the option `quality` is ignored for a PNG', async () => {
    const shoot = async (screenshotOptions: object) =>
      await perform('screenshot', { screenshotOptions }, { 'Page.captureScreenshot': DATA })
    const { result, sent } = await shoot({ type: 'jpeg', quality: 50 })
    assert.deepEqual(result, { bytes: BYTES, type: 'image/jpeg' })
    assert.deepEqual(sent, [
      ['Page.captureScreenshot', { format: 'jpeg', quality: 50, captureBeyondViewport: false }],
    ])
    assert.deepEqual((await shoot({ quality: 50 })).sent, [
      ['Page.captureScreenshot', { format: 'png', captureBeyondViewport: false }],
    ])
  })

  test("a full-page screenshot has the page's size, at most 16,384 pixels high, and can have a transparent background", async () => {
    for (const [height, shown] of [
      [16_384, 16_384],
      [16_385, 16_384],
    ] as const) {
      const { sent } = await perform(
        'screenshot',
        { screenshotOptions: { fullPage: true, omitBackground: true } },
        {
          'Page.captureScreenshot': DATA,
          'Page.getLayoutMetrics': { cssContentSize: { x: 0, y: 0, width: 100, height } },
        },
      )
      const clip = { x: 0, y: 0, width: 100, height: shown, scale: 1 }
      assert.deepEqual(sent, [
        ['Emulation.setDefaultBackgroundColorOverride', { color: { r: 0, g: 0, b: 0, a: 0 } }],
        ['Page.getLayoutMetrics', {}],
        ['Page.captureScreenshot', { format: 'png', captureBeyondViewport: true, clip }],
      ])
    }
  })

  test("the rendering actions content and markdown return a page script's result, or an empty string without one", async () => {
    for (const name of ['content', 'markdown']) {
      const { result, sent } = await perform(name, {}, { 'Runtime.evaluate': { result: { value: 'text' } } })
      assert.deepEqual([result, sent.length], [{ result: 'text' }, 1])
      const { result: none } = await perform(
        name,
        {},
        { 'Runtime.evaluate': { result: { type: 'undefined' } } },
      )
      assert.deepEqual(none, { result: '' })
    }
  })
})
