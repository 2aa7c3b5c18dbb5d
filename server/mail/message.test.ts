import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nameInMail, renderMail } from './message.ts'
import {
  accountDeletedMail,
  helpReplyMail,
  invitationMail,
  resetMail,
  verificationMail,
} from './templates.ts'

/** Removes the invisible character that keeps mail programs from turning a name into a link. */
const withoutJoiners = (text: string) => text.replaceAll('\u2060', '')

describe('a name in a mail', () => {
  test('a long name in a mail is cut to 80 characters, and an emoji at the cut is left out and not broken', () => {
    for (const [name, shown] of [
      ['x'.repeat(80), 'x'.repeat(80)],
      ['x'.repeat(81), `${'x'.repeat(79)}…`],
      [`${'x'.repeat(78)}🌱 and more`, `${'x'.repeat(78)}…`],
      [`${'x'.repeat(77)}🌱 and more`, `${'x'.repeat(77)}🌱…`],
      ['🌱'.repeat(60), `${'🌱'.repeat(39)}…`],
    ] as const) {
      assert.equal(nameInMail(name), shown)
      assert.ok(nameInMail(name).isWellFormed())
    }
  })

  test('a name in a mail is on one line and begins and ends with a visible character', () => {
    for (const name of [
      'Ada\nLovelace',
      'Ada\r\n\r\nLovelace',
      ' Ada\u2028Lovelace\u2029 ',
      'Ada\0\x1fLovelace',
    ])
      assert.equal(nameInMail(name), 'Ada Lovelace')
  })

  test('no mail program finds an address or a link in a name in a mail, and a reader sees the name unchanged', () => {
    const looksLikeLink = /\w+:\/\/|\w\.\w{2,}|\w@\w/
    for (const name of [
      'evil.test',
      'https://evil.test/login',
      'www.evil.test/a.b',
      'pay@evil.test',
      'mailto:pay@evil.test',
      'evil.test:443',
      'a.b.c.d',
      'ftp://1.2.3.4',
    ]) {
      assert.doesNotMatch(nameInMail(name), looksLikeLink, name)
      assert.equal(withoutJoiners(nameInMail(name)), name)
    }
    assert.equal(nameInMail('Dr. No, Inc.'), 'Dr. No, Inc.')
  })
})

describe('a rendered mail', () => {
  test('the subject of a mail is one line, so that a name in it cannot add a header', () => {
    const { subject } = renderMail({ subject: 'Join A\r\nBcc: all@evil.test', lines: [], footer: '' })
    assert.equal(subject, 'Join A Bcc: all@evil.test')
  })

  test('markup and quotes in a line or an address of a mail are shown as text', () => {
    const { html, text } = renderMail({
      subject: 's',
      lines: [`<img src=x onerror="alert('1')"> & more`],
      action: { label: '<b>Open</b>', url: 'https://slipway.test/?a=1&b="><script>' },
      footer: '</body>',
    })
    assert.doesNotMatch(html, /<img|<script|<b>|'1'/)
    assert.match(html, /&lt;img src=x onerror=&quot;alert\(&#39;1&#39;\)&quot;&gt; &amp; more/)
    assert.match(html, /href="https:\/\/slipway\.test\/\?a=1&amp;b=&quot;&gt;&lt;script&gt;"/)
    assert.ok(html.endsWith('</p></div></body></html>'))
    assert.match(text, /^<img src=x/)
  })

  test('a mail loads nothing from a server and runs no script, and shows its address as a button and as text', () => {
    const url = 'https://slipway.test/x'
    const mails = [
      verificationMail({ url }),
      resetMail({ url }),
      invitationMail({ organization: 'Acme', inviter: 'Ada', role: 'member', url }),
      accountDeletedMail({ left: ['worker a', 'bucket b'], url }),
      helpReplyMail({ subject: 'Stuck', url }),
    ]
    for (const { html, text } of mails) {
      assert.doesNotMatch(html, /<(img|link|script|iframe|style|form|object)\b|\bsrc=|url\(|\bon\w+=/i)
      assert.equal(html.split(url).length - 1, 2, 'the button and the address below it')
      assert.ok(text.includes(`:\n${url}\n`), 'the text has the address on a line of its own')
    }
  })

  test('a mail about a deleted account lists the resources that stay in the cloud account, and has no such list when none stay', () => {
    const url = 'https://slipway.test'
    assert.doesNotMatch(accountDeletedMail({ left: [], url }).text, /could not be removed/)
    const { text } = accountDeletedMail({ left: ['worker plants', 'bucket files\nfake line'], url })
    assert.match(text, /\n\nworker plants\n\nbucket files fake line\n\n/)
  })
})
