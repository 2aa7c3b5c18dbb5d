import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Idea, readIdea } from './idea.ts'

const readText = (text: string) => readIdea(new TextEncoder().encode(text))
const parseIdea = (idea: object): Idea => {
  const result = readText(JSON.stringify(idea))
  assert.ok(result !== null, JSON.stringify(idea))
  return result
}

describe('parsing an idea', () => {
  test('title and text of an idea become the title and body of the ticket', () => {
    assert.deepEqual(parseIdea({ title: 'Dark mode', text: 'Please.', id: '7', more: 1 }), {
      externalId: '7',
      title: 'Dark mode',
      body: 'Please.',
      url: null,
    })
  })

  test('the title of an idea without text also becomes the body of the ticket', () => {
    assert.deepEqual(parseIdea({ title: 'Dark mode' }), {
      externalId: null,
      title: 'Dark mode',
      body: 'Dark mode',
      url: null,
    })
  })

  test('an idea without title gets a title of the first sixty characters of its text, on one line', () => {
    const text = 'x'.repeat(61)
    assert.equal(parseIdea({ text }).title, 'x'.repeat(60))
    assert.equal(parseIdea({ text: 'x'.repeat(60) }).title, 'x'.repeat(60))
    assert.equal(parseIdea({ text }).body, text)
    const lines = '\n  First line,\r\n\tsecond line\n'
    assert.equal(parseIdea({ text: lines }).title, 'First line, second line')
    assert.equal(parseIdea({ text: lines }).body, lines)
  })

  test('shortening the title of an idea never splits a character', () => {
    const { title } = parseIdea({ text: `${'x'.repeat(59)}🚀🚀` })
    assert.equal(title, 'x'.repeat(59))
    assert.ok(parseIdea({ title: '🚀'.repeat(150), text: 'up' }).title.isWellFormed())
  })

  test('a title that is too long for a ticket is cut, and the body begins with the complete title', () => {
    const title = 'long '.repeat(50).trim()
    const both = parseIdea({ title, text: 'And why.' })
    assert.equal(both.title, title.slice(0, 200))
    assert.equal(both.body, `${title}\n\nAnd why.`)
    assert.equal(parseIdea({ title }).body, title)
  })

  test('the text of an idea becomes the body of the ticket unchanged, even with 100,000 characters', () => {
    const text = 'ä'.repeat(100_000)
    assert.equal(parseIdea({ text }).body, text)
  })

  test('a value of an idea that is blank or not a string counts as absent', () => {
    for (const body of [
      '',
      ' ',
      '{}',
      '[]',
      'null',
      '1',
      '"text"',
      '{',
      '\u{feff}',
      '{"title":" \\n","text":""}',
      '{"title":5,"text":["x"]}',
      '{"title":null}',
      '{"Title":"x","body":"y","id":"1","url":"https://a.test"}',
      '["title"]',
      '{"__proto__":{"title":"x"}}',
      '['.repeat(100_000),
      '{"title":'.repeat(10_000),
    ])
      assert.equal(readText(body), null, body.slice(0, 60))
    assert.equal(parseIdea({ title: 5, text: 'kept' }).title, 'kept')
    assert.equal(parseIdea({ title: '  ', text: 'kept' }).title, 'kept')
    assert.equal(parseIdea({ title: 'kept', id: ' ' }).externalId, null)
    assert.equal(parseIdea({ title: 'kept', id: 42 }).externalId, null)
  })

  test('characters of an idea that the database cannot store are replaced, not refused', () => {
    const idea = readText(String.raw`{"title":"a\u0000b \ud800","text":"\udfff","id":"\u0000"}`)
    assert.deepEqual(
      [idea?.title, idea?.body, idea?.externalId],
      ['a\u{fffd}b \u{fffd}', '\u{fffd}', '\u{fffd}'],
    )
    const broken = readIdea(new Uint8Array([...Buffer.from('{"text":"a'), 0xff, ...Buffer.from('"}')]))
    assert.equal(broken?.body, 'a\u{fffd}')
  })

  test('two long idea ids that differ only in their last character stay different, although they are stored as hashes', () => {
    const [one, two] = ['1', '2'].map(
      (end) => parseIdea({ text: 'x', id: 'k'.repeat(5000) + end }).externalId,
    )
    assert.match(one ?? '', /^sha256:[0-9a-f]{64}$/)
    assert.notEqual(one, two)
    assert.equal(parseIdea({ text: 'x', id: 'k'.repeat(200) }).externalId, 'k'.repeat(200))
  })

  test('a web address of an idea is linked below the text and stored in its own field, as sent', () => {
    const url = 'https://forum.example.com/t/42?x=(1)#reply'
    const idea = parseIdea({ title: 'Dark mode', text: 'Please.', url })
    assert.deepEqual([idea.body, idea.url], [`Please.\n\nSource: <${url}>`, url])
    assert.equal(parseIdea({ text: 'x', url: ' http://a.test/b c<d> ' }).url, 'http://a.test/b%20c%3Cd%3E')
  })

  test("an idea's `url` that is not a web address, or is too long, is shown as text and not linked", () => {
    for (const url of [
      'javascript:alert(1)',
      'data:text/html,<b>',
      'file:///etc/passwd',
      '//a.test',
      'not one',
      `https://a.test/${'x'.repeat(3000)}`,
    ]) {
      const idea = parseIdea({ text: 'x', url })
      assert.deepEqual([idea.body, idea.url], [`x\n\nSource: \`${url}\``, null])
    }
    assert.equal(
      parseIdea({ text: 'x', url: 'a`b](https://evil.test)`' }).body,
      "x\n\nSource: `a'b](https://evil.test)'`",
    )
  })
})
