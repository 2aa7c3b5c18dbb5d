import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import { entryScript, escapeText, pageFiles } from './page.ts'

const HTML = `<!doctype html>
<html><head><title>%APP_NAME%</title></head>
<body><div id="root"></div><script type="module" src="/main.tsx"></script></body></html>`
const HEAD = `<link rel="icon" href="/icon.svg" />
<meta property="og:title" content="Plants" />`

const bytes = (text: string) => new TextEncoder().encode(text)
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 10)

function build(built: Record<string, string>, { html = HTML, head = '', appName = 'Plants' } = {}) {
  const files = pageFiles({
    html,
    head,
    appName,
    built: Object.entries(built).map(([path, text]) => ({ path, bytes: bytes(text) })),
  })
  return { paths: [...files.keys()], page: String(files.get('/index.html')), files }
}

describe('the files of a page', () => {
  test('the names of the script and the style of a page contain the hash of their content, so that a browser may cache them', () => {
    const { paths, page, files } = build({ 'out/main.js': 'let a', 'out/main.css': 'a{}' })
    const [script, style] = [`/assets/main-${hashOf('let a')}.js`, `/assets/main-${hashOf('a{}')}.css`]
    assert.deepEqual(paths, [script, style, '/index.html'])
    assert.deepEqual(files.get(script), bytes('let a'))
    assert.equal(
      page,
      `<!doctype html>
<html><head><title>Plants</title><link rel="stylesheet" href="${style}" /></head>
<body><div id="root"></div><script type="module" src="${script}"></script></body></html>`,
    )
    assert.notEqual(build({ 'out/main.js': 'let b' }).paths[0], script)
  })

  test('a page preloads the script chunks that are imported statically, and not those imported dynamically', () => {
    const main = 'import{a}from"./chunk-A1.js";import b from "./chunk-B2.js";import("./chunk-C3.js")'
    const { paths, page } = build({
      'chunk-A1.js': '1',
      'chunk-B2.js': '2',
      'chunk-C3.js': '3',
      'main.js': main,
    })
    assert.deepEqual(paths.slice(0, 3), ['/assets/chunk-A1.js', '/assets/chunk-B2.js', '/assets/chunk-C3.js'])
    assert.deepEqual(page.match(/<link[^>]*>/g), [
      '<link rel="modulepreload" href="/assets/chunk-A1.js" />',
      '<link rel="modulepreload" href="/assets/chunk-B2.js" />',
    ])
  })

  test('the styles of script chunks come after the styles of the page, whatever the order of the files', () => {
    const { page } = build({ 'chunk-A1.css': 'b{}', 'main.js': 'x', 'main.css': 'a{}' })
    assert.deepEqual(page.match(/href="[^"]*"/g), [
      `href="/assets/main-${hashOf('a{}')}.css"`,
      'href="/assets/chunk-A1.css"',
    ])
  })

  test('the name of an app is shown as text on its page, whatever characters it contains', () => {
    const html = `<head><title>%APP_NAME%</title><meta content='%APP_NAME%' /></head>`
    const { page } = build({}, { html, appName: `$& <b>"Ada's"</b> & $1` })
    const name = '$&amp; &lt;b&gt;&quot;Ada&#39;s&quot;&lt;/b&gt; &amp; $1'
    assert.equal(page, `<head><title>${name}</title><meta content='${name}' /></head>`)
  })

  test('a page gets those default head tags of the app, such as the icon, that it does not already have', () => {
    const html = HTML.replace('</head>', '<meta property="og:title" content="Mine" /></head>')
    const { page } = build({ 'main.js': 'x' }, { html, head: `${HEAD}\n<!-- none -->\n` })
    assert.deepEqual(page.match(/<(?:link|meta)[^>]*>/g), [
      '<meta property="og:title" content="Mine" />',
      '<link rel="icon" href="/icon.svg" />',
    ])
  })

  test('a page without a head gets the default head tags of the app and its styles before everything else', () => {
    const html = '<div id="root"></div><script type="module" src="main.tsx"></script>'
    const { page } = build({ 'main.js': 'x', 'main.css': 'a{}' }, { html, head: HEAD })
    const style = `<link rel="stylesheet" href="/assets/main-${hashOf('a{}')}.css" />`
    const script = `<script type="module" src="/assets/main-${hashOf('x')}.js"></script>`
    assert.equal(page, `${style}${HEAD}\n<div id="root"></div>${script}`)
  })
})

test('the bundle of an HTML page starts at the source file of its first local script', () => {
  for (const [html, entry] of [
    [HTML, 'main.tsx'],
    ['<script src="./app/start.ts" type="module"></script>', 'app/start.ts'],
    ['<script async src="main.tsx"></script><script src="other.ts"></script>', 'main.tsx'],
    ['<script src="/vendor.js"></script><script src="/main.tsx"></script>', 'main.tsx'],
    ['<script src="https://cdn.example.com/main.ts"></script>', null],
    ['<script>let a</script>', null],
    ['', null],
  ] as const)
    assert.equal(entryScript(html), entry, html)
})

test('escaped text is the same text in an element and in an attribute with either quote', () => {
  assert.equal(
    escapeText(`<a href="b" title='c'>&amp;</a>`),
    '&lt;a href=&quot;b&quot; title=&#39;c&#39;&gt;&amp;amp;&lt;/a&gt;',
  )
  assert.equal(escapeText('Plants é 😀'), 'Plants é 😀')
})
