import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { isThere, press, show } from '../../testing/console.tsx'
import { MarkdownView } from './markdown-view.tsx'

const view = (text: string, grows = false) => show(<MarkdownView text={text} grows={grows} />).container
const links = (container: HTMLElement) =>
  Array.from(container.querySelectorAll('a'), (link) => [
    link.textContent,
    link.getAttribute('href'),
    link.getAttribute('target'),
    link.getAttribute('rel'),
  ])
const tags = (container: HTMLElement, selector: string) =>
  Array.from(container.querySelectorAll(selector), (one) => [one.tagName.toLowerCase(), one.textContent])

describe('Markdown that a model or another person wrote', () => {
  test("headings in Markdown start at level 3, after the levels of the page's own headings, and go down to level 6", () => {
    const container = view('# One\n\n## Two\n\n##### Five\n\n###### Six')
    assert.deepEqual(tags(container, 'h1, h2, h3, h4, h5, h6'), [
      ['h3', 'One'],
      ['h4', 'Two'],
      ['h6', 'Five'],
      ['h6', 'Six'],
    ])
  })

  test('HTML in Markdown creates no elements', () => {
    const container = view(
      'Hello <img src=x onerror=alert(1)> <script>alert(1)</script>\n\n<iframe src="//x"></iframe>',
    )
    assert.deepEqual(tags(container, 'img, script, iframe'), [])
  })

  test('a link in Markdown shows its host, opens a new tab, and sends neither opener nor referrer', () => {
    assert.deepEqual(links(view('[our bank](https://evil.example/login)')), [
      ['our bank (evil.example)', 'https://evil.example/login', '_blank', 'noopener noreferrer'],
    ])
    assert.deepEqual(links(view('[bank.example](https://evil.example)')), [
      ['bank.example (evil.example)', 'https://evil.example/', '_blank', 'noopener noreferrer'],
    ])
    assert.deepEqual(links(view('<https://plain.example/a>')), [
      ['https://plain.example/a', 'https://plain.example/a', '_blank', 'noopener noreferrer'],
    ])
  })

  test('a Markdown link to code, to a page of the console or to an address without a scheme is shown as text', () => {
    const text =
      '[a](javascript:alert(1)) [b](data:text/html,x) [c](/settings) [d](vbscript:x) [e](//evil.example)'
    const container = view(text)
    assert.deepEqual(links(container), [])
    assert.equal(container.textContent, 'a b c d e')
  })

  test('a Markdown image is shown as a link, because loading it would reveal the reader to another host', () => {
    const container = view('![A plant](https://pictures.example/p.png) ![](https://pictures.example/q.png)')
    assert.deepEqual(tags(container, 'img'), [])
    assert.deepEqual(
      links(container).map(([text, to]) => [text, to]),
      [
        ['A plant (pictures.example)', 'https://pictures.example/p.png'],
        ['Image (pictures.example)', 'https://pictures.example/q.png'],
      ],
    )
  })

  test('a Markdown image inside a link becomes a single link to the target of that link', () => {
    const container = view('[![Build passing](https://pictures.example/badge.svg)](https://ci.example/build)')
    assert.deepEqual(
      links(container).map(([text, to]) => [text, to]),
      [['Build passing (ci.example)', 'https://ci.example/build']],
    )
  })

  test('code in Markdown is shown as written, can be scrolled by keyboard, and has a button that copies it', () => {
    const container = view('```ts\nconst a = "<b>"\n\n```\n\nand `inline`')
    const pre = container.querySelector('pre')
    assert.deepEqual([pre?.textContent?.trimEnd(), pre?.tabIndex], ['const a = "<b>"', 0])
    assert.ok(isThere('button', 'Copy this code'))
    assert.deepEqual(tags(container, 'p code'), [['code', 'inline']])
  })

  test('a Markdown table can be scrolled with the keyboard, and the checkboxes of a task list are shown as images', () => {
    const container = view('| a | b |\n| - | - |\n| 1 | 2 |\n\n- [x] water\n- [ ] sow')
    assert.deepEqual(tags(container, 'th, td'), [
      ['th', 'a'],
      ['th', 'b'],
      ['td', '1'],
      ['td', '2'],
    ])
    assert.equal(container.querySelector<HTMLElement>('[role=region]')?.tabIndex, 0)
    assert.equal(container.querySelectorAll('[role=img]').length, 2)
  })

  test('Markdown emphasis without its closing mark is rendered while the text still grows, and is literal in a finished text', async () => {
    const growing = view('This is **import', true)
    await waitFor(() => assert.deepEqual(tags(growing, 'strong'), [['strong', 'import']]))
    const finished = view('This is **import')
    assert.deepEqual([tags(finished, 'strong'), finished.textContent], [[], 'This is **import'])
  })

  test('a Markdown link text that reverses the writing direction does not reverse the host that is shown after it', () => {
    const container = view('[\u202Emoc.elpmaxe](https://evil.example/login)')
    const host = container.querySelector('.markdown-host')
    assert.equal(host?.textContent, '(evil.example)')
    // The writing direction of the text around a `bdi` does not affect it.
    assert.ok(host?.closest('bdi'))
  })

  test('a Markdown code block is copied as it is shown, without the line break at its end', async (t) => {
    const copied: string[] = []
    Object.defineProperty(navigator, 'clipboard', {
      configurable: true,
      value: { writeText: async (text: string) => void copied.push(text) },
    })
    t.after(() => Reflect.deleteProperty(navigator, 'clipboard'))
    view('```ts\n  const a = "<b>"\n\n```\n')
    press('Copy this code')
    await waitFor(() => assert.deepEqual(copied, ['  const a = "<b>"']))
  })
})
