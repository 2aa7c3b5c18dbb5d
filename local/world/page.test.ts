import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Hono } from 'hono'
import { html } from 'hono/html'
import { checkBox, formOf, hiddenInputs, rejectCrossSiteForms, htmlPage } from './page.ts'

const NOISE = `"><script>alert('1')</script>&`
const ESCAPED = '&quot;&gt;&lt;script&gt;alert(&#39;1&#39;)&lt;/script&gt;&amp;'

const app = new Hono()
  .get('/page', (c) => htmlPage(c, NOISE, html`<p>${NOISE}</p>`, 400))
  .all('/form', rejectCrossSiteForms, async (c) => {
    const fields = await formOf(c)
    return c.json([fields('a'), fields('b'), fields('none'), fields('constructor'), fields('__proto__')])
  })

describe('the pages of the stand-ins', () => {
  test("a stand-in's HTML page escapes its title and content, and its headers forbid framing, scripts and caching", async () => {
    const answer = await app.request('/page')
    const text = await answer.text()
    assert.deepEqual(
      [answer.status, text.match(/<(title|h1|p)>([^]*?)<\/\1>/g), answer.headers.get('content-type')],
      [
        400,
        [`<title>${ESCAPED}</title>`, `<h1>${ESCAPED}</h1>`, `<p>${ESCAPED}</p>`],
        'text/html; charset=UTF-8',
      ],
    )
    assert.deepEqual(
      ['content-security-policy', 'referrer-policy', 'cache-control'].map((name) => answer.headers.get(name)),
      ["default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'", 'no-referrer', 'no-store'],
    )
  })

  test("hidden fields and checkboxes of a stand-in's page escape their values, and only ticked checkboxes are checked", () => {
    const fields = hiddenInputs([
      ['state', NOISE],
      ['empty', ''],
    ]).map(String)
    const boxes = [true, false].map((isTicked) => String(checkBox('scope', NOISE, NOISE, isTicked)))
    assert.deepEqual(
      [fields, boxes.map((box) => box.replaceAll(/\s+/g, ' '))],
      [
        [
          `<input type="hidden" name="state" value="${ESCAPED}" />`,
          '<input type="hidden" name="empty" value="" />',
        ],
        [
          `<label ><input type="checkbox" name="scope" value="${ESCAPED}" checked /> ${ESCAPED}</label >`,
          `<label ><input type="checkbox" name="scope" value="${ESCAPED}" /> ${ESCAPED}</label >`,
        ],
      ],
    )
  })

  test('reading a submitted form returns all text values of a field in order, and none for an unknown field', async () => {
    const form = new FormData()
    for (const [name, value] of [
      ['a', '1'],
      ['b', 'x'],
      ['a', '2'],
      ['a', ''],
    ] as const)
      form.append(name, value)
    form.append('b', new Blob(['file']), 'file.txt')
    const encoded = new URLSearchParams([
      ['a', 'ä&='],
      ['__proto__', 'p'],
    ])
    const read = async (body: FormData | URLSearchParams | string) =>
      (await app.request('/form', { method: 'POST', body })).json()
    assert.deepEqual(
      [await read(form), await read(encoded), await read('')],
      [
        [['1', '2', ''], ['x'], [], [], []],
        [['ä&='], [], [], [], ['p']],
        [[], [], [], [], []],
      ],
    )
  })

  test("a stand-in's page accepts a POST from its own origin or without an Origin header, and refuses other sites", async () => {
    const statusFor = async (headers: Record<string, string>, method = 'POST') =>
      (await app.request('http://127.0.0.1:4310/form', { method, headers })).status
    assert.deepEqual(
      [
        await statusFor({}),
        await statusFor({ 'sec-fetch-site': 'same-origin' }),
        await statusFor({ 'sec-fetch-site': 'cross-site' }),
        await statusFor({ 'sec-fetch-site': 'same-site' }),
        await statusFor({ 'sec-fetch-site': 'none' }),
        await statusFor({ 'sec-fetch-site': 'cross-site' }, 'GET'),
        await statusFor({ origin: 'http://127.0.0.1:4310' }),
        await statusFor({ origin: 'https://evil.example' }),
        await statusFor({ origin: 'null' }),
      ],
      [200, 200, 403, 403, 403, 200, 200, 403, 403],
    )
  })
})
