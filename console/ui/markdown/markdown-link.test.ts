import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readLink } from './markdown-link.ts'

describe('a link in text written by another person', () => {
  test('a link in untrusted text opens only web pages and mail addresses, and any other link is shown as plain text', () => {
    assert.deepEqual(readLink('https://example.com/a?b=1', 'a page'), {
      to: 'https://example.com/a?b=1',
      host: 'example.com',
    })
    assert.equal(readLink('mailto:ada@example.com', 'Ada')?.to, 'mailto:ada@example.com')
    for (const address of ['javascript:alert(1)', 'data:text/html,x', '/projects/prj_1', '#here'])
      assert.equal(readLink(address, 'here'), null, address)
    assert.equal(readLink(undefined, 'here'), null)
  })

  test('a link in untrusted text shows its host, unless its text is the address itself', () => {
    assert.equal(readLink('https://example.com/docs', 'https://example.com/docs')?.host, null)
    assert.equal(readLink('https://example.com', 'example.com')?.host, null)
    assert.equal(readLink('https://evil.test', 'https://example.com')?.host, 'evil.test')
    assert.equal(readLink('https://example.com.evil.test', 'example.com')?.host, 'example.com.evil.test')
    assert.equal(readLink('https://a.test', 'a.test.evil')?.host, 'a.test')
    assert.equal(readLink('http://Example.COM:8080/x', 'HTTP://example.com:8080/x')?.host, null)
  })

  test('a link whose text names another site than its target shows the host of the target, however the text is written', () => {
    for (const words of [
      'bank.example ://evil.test',
      'bank.example\u2003\u2003://evil.test/login',
      'bank.example:evil.test',
      'evil.test@bank.example',
      ' evil.test',
      '\u202Etset.live',
      'EVIL.TEST.bank.example',
      '',
    ])
      assert.equal(readLink('https://evil.test/login', words)?.host, 'evil.test', JSON.stringify(words))
  })

  test('a user name in a URL, and letters of another script in its host, do not hide the real host of a link', () => {
    assert.equal(readLink('https://bank.example@evil.test/', 'bank.example')?.host, 'evil.test')
    // The first letter is the Cyrillic а.
    assert.equal(readLink('https://аpple.example/', 'apple.example')?.host, 'xn--pple-43d.example')
    assert.equal(readLink('https://xn--pple-43d.example/', 'аpple.example')?.host, 'xn--pple-43d.example')
  })
})
