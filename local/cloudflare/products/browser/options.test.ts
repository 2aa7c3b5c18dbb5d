import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ContentOptions, lengthInInches, paperSize, PdfOptions, ScreenshotOptions } from './options.ts'

describe('options of rendered pages', () => {
  test('a PDF length in pixels, inches, centimeters or millimeters is converted to inches', () => {
    assert.deepEqual(
      [96, '96', '96px', '1in', '1cm', '1 MM', ' .5in ', '2.in', 0, '0'].map((length) =>
        lengthInInches(length, 7),
      ),
      [1, 1, 1, 1, 1 / 2.54, 1 / 25.4, 0.5, 2, 0, 0],
    )
  })

  test('a missing or malformed PDF length becomes the default length', () => {
    for (const length of [undefined, '', 'wide', '-1px', '1.2.3', '.', '1 2', -5, Number.NaN, Infinity])
      assert.equal(lengthInInches(length, 7), 7, String(length))
  })

  test('a PDF length with an unknown unit is read as pixels', () => {
    assert.deepEqual([lengthInInches('96em', 7), lengthInInches('96constructor', 7)], [1, 1])
  })

  test('the name of a PDF paper format is not case sensitive, and an unknown format has the size of Letter', () => {
    assert.deepEqual(
      ['A4', 'a4', 'LEGAL', 'letter', 'a7', '', '__proto__'].map((format) => paperSize(format)),
      [[8.27, 11.7], [8.27, 11.7], [8.5, 14], ...Array.from({ length: 4 }, () => [8.5, 11])],
    )
  })

  test("omitted browser rendering options have the provider's defaults", () => {
    const common = {
      viewport: { width: 1920, height: 1080, deviceScaleFactor: 1, isMobile: false },
      gotoOptions: { timeout: 30_000, waitUntil: 'load' },
      setJavaScriptEnabled: true,
    }
    assert.deepEqual(ContentOptions.parse({}), common)
    assert.deepEqual(PdfOptions.parse({}), {
      ...common,
      pdfOptions: {
        format: 'letter',
        landscape: false,
        printBackground: false,
        preferCSSPageSize: false,
        scale: 1,
        margin: {},
        pageRanges: '',
      },
    })
    assert.deepEqual(ScreenshotOptions.parse({}), {
      ...common,
      screenshotOptions: { type: 'png', fullPage: false, omitBackground: false },
    })
  })

  test('browser rendering options with a non-HTTP address, a timeout over a minute or a too large size are refused', () => {
    const isValid = (options: object) => ContentOptions.safeParse(options).success
    const viewport = (width: number, height: number) => ({ viewport: { width, height } })
    const timeout = (timeoutMs: number) => ({ gotoOptions: { timeout: timeoutMs } })
    assert.deepEqual(
      [
        { url: 'http://a.test/' },
        { url: 'https://a.test/' },
        { html: 'x'.repeat(5 * 1024 * 1024) },
        viewport(1, 4000),
        timeout(60_000),
        { allowRequestPattern: Array(100).fill('x'.repeat(500)) },
      ].map(isValid),
      Array(6).fill(true),
    )
    assert.deepEqual(
      [
        { url: 'file:///etc/passwd' },
        { url: 'javascript:alert(1)' },
        { url: 'a.test' },
        { html: '' },
        { html: 'x'.repeat(5 * 1024 * 1024 + 1) },
        viewport(0, 1),
        viewport(1, 4001),
        viewport(1.5, 1),
        timeout(0),
        timeout(60_001),
        { gotoOptions: { waitUntil: ['load', 'idle'] } },
        { allowRequestPattern: Array(101).fill('x') },
        { rejectRequestPattern: ['x'.repeat(501)] },
      ].map(isValid),
      Array(13).fill(false),
    )
  })
})
