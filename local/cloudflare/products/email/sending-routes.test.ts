import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import { testCloud, type TestCloud } from '../../../testing/cloud.ts'
import { createAccount } from '../../accounts/accounts.ts'
import { issueToken } from '../../accounts/tokens.ts'
import { listMails } from './mails.ts'

const ZONE = 'acme-demo.localhost'
const FROM = 'shop@mail.slipway.test'

describe('sending mail of an account over REST', () => {
  let cloud: TestCloud
  let zoneId: string
  beforeEach(async () => {
    cloud = testCloud()
    const zones = (await cloud.call('GET', `/zones?name=${ZONE}`)).result as { id: string }[]
    zoneId = zones[0]?.id ?? ''
  })
  afterEach(() => cloud.close())

  const call = async (method: string, path: string, body?: object, token?: string) => {
    const answer = await cloud.call(method, path, body, token)
    return answer.success ? answer.result : [answer.status, answer.errors[0]?.code]
  }
  const sendRaw = (raw: string, more: object = {}) =>
    call('POST', '/A/email/sending/send_raw', {
      from: FROM,
      recipients: ['ada@example.test'],
      mime_message: raw,
      ...more,
    })
  const subjects = () => listMails(cloud.store, { accountId: cloud.accountId }).map(({ subject }) => subject)
  const domains = (method: string, path = '', body?: object, token?: string) =>
    call(method, `/zones/${zoneId}/email/sending/subdomains${path}`, body, token)

  test('the stored subject of a raw mail is the unfolded Subject header, never a line of the body', async () => {
    for (const raw of [
      'Subject: one\r\nFrom: a\r\n\r\ntext',
      'From: a\nSUBJECT:two\n\ntext',
      'From: a\r\nSubject: a long\r\n three\r\n\r\ntext',
      'From: a\r\n\r\nSubject: of a quoted mail',
      '\r\nSubject: of the text',
      'X-Subject: other\r\n\r\ntext',
      '',
    ])
      await sendRaw(raw)
    assert.deepEqual(subjects().sort(), ['', '', '', '', 'a long three', 'one', 'two'])
  })

  test('a raw mail with a too long line, a wrong number of recipients or a forbidden sender is refused and not stored', async () => {
    assert.deepEqual(
      [
        await sendRaw(`Subject: ${'x'.repeat(999)}\r\n\r\n`),
        await sendRaw('', { recipients: [] }),
        await sendRaw('', { recipients: ['no address'] }),
        await sendRaw('', { recipients: Array(51).fill('ada@example.test') }),
        await sendRaw('', { from: '' }),
        await sendRaw('', { from: `shop@${ZONE}` }),
        await sendRaw('', { mime_message: 7 }),
        subjects(),
      ],
      [[400, 10001], [400, 10001], [400, 10203], [400, 10203], [400, 10203], [403, 10203], [400, 10001], []],
    )
    const { delivered } = (await sendRaw(`Subject: ${'x'.repeat(998)}\r\n\r\n`)) as { delivered: string[] }
    assert.deepEqual(delivered, ['ada@example.test'])
  })

  test('a sending domain lists the DNS records that it needs, and returns 404 after its deletion', async () => {
    const made = (await domains('POST', '', { name: `News.${ZONE}` })) as { tag: string }
    const time = new Date(cloud.now()).toISOString()
    assert.deepEqual(made, {
      tag: made.tag,
      name: `news.${ZONE}`,
      enabled: false,
      dkim_selector: 'cf-bounce',
      return_path_domain: `cf-bounce.news.${ZONE}`,
      created: time,
      modified: time,
    })
    assert.deepEqual([await domains('GET'), await domains('GET', `/${made.tag}`)], [[made], made])
    const records = (await domains('GET', `/${made.tag}/dns`)) as { type: string; name: string }[]
    assert.deepEqual(
      records.map(({ type, name }) => `${type} ${name}`),
      [
        `MX cf-bounce.news.${ZONE}`,
        `TXT cf-bounce.news.${ZONE}`,
        `TXT cf-bounce._domainkey.news.${ZONE}`,
        `TXT _dmarc.news.${ZONE}`,
      ],
    )
    assert.deepEqual(await domains('DELETE', `/${made.tag}`), null)
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/dns'],
      ['DELETE', ''],
    ] as const)
      assert.deepEqual(await domains(method, `/${made.tag}${path}`), [404, 2004])
  })

  test('a sending domain is refused when its name is malformed, outside the zone or already taken, whatever the case', async () => {
    await domains('POST', '', { name: `news.${ZONE}` })
    assert.deepEqual(
      [
        await domains('POST', '', { name: `x${ZONE}` }),
        await domains('POST', '', { name: 'example.test' }),
        await domains('POST', '', { name: `a b.${ZONE}` }),
        await domains('POST', '', { name: `..${ZONE}` }),
        await domains('POST', '', { name: `NEWS.${ZONE}` }),
        await domains('POST', '', {}),
      ],
      [
        [400, 2005],
        [400, 2005],
        [400, 2005],
        [400, 2005],
        [409, 2006],
        [400, 10001],
      ],
    )
  })

  test('another account cannot read the sending domains and suppressed recipients of an account', async () => {
    await sendRaw('', { recipients: ['x-fail-bounce@example.test'] })
    const suppressed = (await call('GET', '/A/email/sending/suppressions')) as { email: string }[]
    assert.deepEqual(
      suppressed.map(({ email }) => email),
      ['x-fail-bounce@example.test'],
    )
    const { id } = createAccount(cloud.store, { name: 'Other', plan: 'paid', at: 1 })
    const { secret } = issueToken(cloud.store, { kind: 'api', accountId: id, scopes: [], at: 1 })
    assert.deepEqual(
      [
        await call('GET', `/accounts/${id}/email/sending/suppressions`, undefined, secret),
        await domains('GET', '', undefined, secret),
        await call('GET', '/A/email/sending/suppressions', undefined, secret),
      ],
      [[], [403, 9109], [403, 10000]],
    )
  })
})
