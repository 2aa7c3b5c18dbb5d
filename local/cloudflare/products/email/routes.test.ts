import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { testCloud, uploadForm } from '../../../testing/cloud.ts'
import { issueToken } from '../../accounts/tokens.ts'
import { receiveMail } from './inbound.ts'
import { listMails } from './mails.ts'

interface Zone {
  id: string
  name: string
  status: string
}
interface WantedRecord {
  type: string
  name: string
  content: string
  ttl: number
  priority?: number
}
interface Rule {
  tag: string
  priority: number
  enabled: boolean
  matchers: { type: string; value?: string }[]
}

describe('mail of an account over REST', () => {
  const cloud = testCloud()
  let zone: Zone
  after(() => cloud.close())

  const callApi = async <T>(method: string, path: string, body?: object) => {
    const { status, errors, result, result_info: info } = await cloud.call(method, path, body)
    return { status, code: errors[0]?.code, message: errors[0]?.message ?? '', result: result as T, info }
  }
  const inZone = <T>(method: string, path: string, body?: object) =>
    callApi<T>(method, `/zones/${zone.id}/email${path}`, body)
  const addRecord = (record: WantedRecord) => callApi('POST', `/zones/${zone.id}/dns_records`, record)
  const sendMail = (mail: object) => callApi<Record<string, unknown>>('POST', '/A/email/sending/send', mail)
  const makeMail = (more: object = {}) => ({
    from: 'shop@mail.slipway.test',
    to: 'ada@example.test',
    subject: 'Hello',
    text: 'A text',
    ...more,
  })
  const makeRule = (to: string, worker: string, more: object = {}) => ({
    matchers: [{ type: 'literal', field: 'to', value: to }],
    actions: [{ type: 'worker', value: [worker] }],
    ...more,
  })

  before(async () => {
    const zones = (await callApi<Zone[]>('GET', '/zones?status=active')).result
    zone = zones[0] as Zone
    await cloud.call(
      'PUT',
      '/A/workers/scripts/inbox',
      uploadForm('export default { fetch() {}, email() {} }'),
    )
  })

  describe('sending', () => {
    test('a mail from the sender domain of the local cloud is delivered to each of its recipients and stored', async () => {
      const { status, result } = await sendMail(
        makeMail({
          from: 'The Shop <shop@mail.slipway.test>',
          to: ['ada@example.test', { email: 'ben@example.test', name: 'Ben' }],
          bcc: 'eve@example.test',
          replyTo: 'help@example.test',
          attachments: [{ filename: 'a.txt', type: 'text/plain', content: 'aGVsbG8=' }],
        }),
      )
      assert.equal(status, 200)
      assert.deepEqual(result['delivered'], ['ada@example.test', 'ben@example.test', 'eve@example.test'])
      assert.match(String(result['message_id']), /^<[\w-]+@mail\.slipway\.test>$/)
      const [stored] = listMails(cloud.store, { accountId: cloud.accountId, to: 'eve@example.test' })
      assert.deepEqual(
        [stored?.from, stored?.status, stored?.content.headers, stored?.content.attachments],
        [
          'shop@mail.slipway.test',
          'stored',
          { 'Reply-To': 'help@example.test' },
          [{ filename: 'a.txt', type: 'text/plain', sizeBytes: 5 }],
        ],
      )
    })

    test('a mail with too many recipients, an invalid address or a header with a line break is refused', async () => {
      const many = Array.from({ length: 51 }, (_, n) => `p${n}@example.test`)
      for (const [more, problem] of [
        [{ to: [] }, 'E_TOO_MANY_RECIPIENTS'],
        [{ to: many }, 'E_TOO_MANY_RECIPIENTS'],
        [{ to: many.slice(1), cc: many[0] }, 'E_TOO_MANY_RECIPIENTS'],
        [{ to: 'ada at example.test' }, 'E_VALIDATION_ERROR'],
        [{ to: 'a@b@c.test' }, 'E_VALIDATION_ERROR'],
        [{ subject: 'Hello\r\nBcc: eve@example.test' }, 'E_VALIDATION_ERROR'],
        [{ headers: { 'X-Note': 'one\ntwo' } }, 'E_VALIDATION_ERROR'],
        [{ headers: { 'X\nNote': 'one' } }, 'E_VALIDATION_ERROR'],
        [{ text: 'x'.repeat(25 * 1024 * 1024) }, 'E_CONTENT_TOO_LARGE'],
      ] as const) {
        const { status, code, message } = await sendMail(makeMail(more))
        assert.deepEqual([status, code, message.split(':')[0]], [400, 10203, problem])
      }
      assert.equal((await sendMail(makeMail({ to: many.slice(1) }))).status, 200, 'fifty are allowed')
    })

    test('a mail from a domain that is not set up is refused as not allowed', async () => {
      const { status, message } = await sendMail(makeMail({ from: 'ada@example.test' }))
      assert.equal(status, 403)
      assert.equal(message, 'E_SENDER_NOT_VERIFIED: email from ada@example.test not allowed')
    })

    test('a recipient whose mail bounced gets no further mail, and is listed as suppressed', async () => {
      const to = 'x-fail-bounce@example.test'
      const first = await sendMail(makeMail({ to: [to, 'ada@example.test'] }))
      assert.deepEqual(
        [first.result['permanent_bounces'], first.result['delivered']],
        [[to], ['ada@example.test']],
      )
      const second = await sendMail(makeMail({ to }))
      assert.deepEqual([second.status, second.message.split(':')[0]], [400, 'E_RECIPIENT_SUPPRESSED'])
      const listed = await callApi<{ email: string }[]>('GET', '/A/email/sending/suppressions')
      assert.deepEqual(
        listed.result.map(({ email }) => email),
        [to],
      )
    })

    test('a raw mail is stored unchanged, and its subject is parsed from the raw text', async () => {
      const raw = 'From: shop@mail.slipway.test\r\nSubject:  Your order \r\n\r\nThank you'
      const sent = await callApi('POST', '/A/email/sending/send_raw', {
        from: 'shop@mail.slipway.test',
        recipients: ['raw@example.test'],
        mime_message: raw,
      })
      assert.equal(sent.status, 200)
      const [stored] = listMails(cloud.store, { to: 'raw@example.test' })
      assert.deepEqual([stored?.subject, stored?.content.raw], ['Your order', raw])
      const none = { from: 'shop@mail.slipway.test', recipients: [], mime_message: raw }
      assert.equal((await callApi('POST', '/A/email/sending/send_raw', none)).status, 400)
    })

    test('an API token without the permission to send mail cannot send any', async () => {
      const { secret } = issueToken(cloud.store, {
        kind: 'api',
        accountId: cloud.accountId,
        scopes: ['workers-scripts.write', 'email-sending.read'],
        at: 1,
      })
      const refused = await cloud.call('POST', '/A/email/sending/send', makeMail(), secret)
      assert.deepEqual([refused.status, refused.errors[0]?.code], [403, 10000])
      const read = await cloud.call('GET', '/A/email/sending/suppressions', undefined, secret)
      assert.equal(read.status, 200)
    })

    test('mail can be sent from a domain a few seconds after all its DNS records exist, until one record is removed', async () => {
      const name = `mail.${zone.name}`
      const made = await inZone<{ tag: string; enabled: boolean }>('POST', '/sending/subdomains', {
        name: name.toUpperCase(),
      })
      const { tag, enabled } = made.result
      assert.equal(enabled, false)
      const wanted = (await inZone<WantedRecord[]>('GET', `/sending/subdomains/${tag}/dns`)).result
      assert.deepEqual(
        wanted.map(({ type }) => type),
        ['MX', 'TXT', 'TXT', 'TXT'],
      )
      const from = `hello@${name}`
      for (const record of wanted) {
        assert.equal((await sendMail(makeMail({ from }))).status, 403)
        assert.equal((await addRecord(record)).status, 200)
      }
      assert.equal((await sendMail(makeMail({ from }))).status, 403, 'records take their time')
      cloud.clock.advance(3000)
      assert.equal((await sendMail(makeMail({ from: from.toUpperCase() }))).status, 200)
      const records = await callApi<{ id: string; name: string }[]>('GET', `/zones/${zone.id}/dns_records`)
      const dmarc = records.result.find((one) => one.name.startsWith('_dmarc'))
      await callApi('DELETE', `/zones/${zone.id}/dns_records/${dmarc?.id ?? ''}`)
      assert.equal((await sendMail(makeMail({ from }))).status, 403)
      await inZone('DELETE', `/sending/subdomains/${tag}`)
      assert.equal((await inZone('GET', `/sending/subdomains/${tag}`)).code, 2004)
    })

    test('a sending domain must be within its zone and can exist only once', async () => {
      const createSubdomain = (name: string) =>
        inZone<{ tag: string }>('POST', '/sending/subdomains', { name })
      assert.deepEqual(
        [(await createSubdomain('other.test')).status, (await createSubdomain(`x${zone.name}`)).code],
        [400, 2005],
      )
      assert.equal((await createSubdomain(zone.name)).status, 200)
      const again = await createSubdomain(zone.name)
      assert.deepEqual([again.status, again.code], [409, 2006])
      const page = await inZone<object[]>('GET', '/sending/subdomains?page=2')
      assert.deepEqual([page.result, page.info?.['total_count']], [[], 1])
    })
  })

  describe('routing', () => {
    const routingStatus = async () => (await inZone<{ status: string }>('GET', '/routing')).result.status
    const enableRouting = () => inZone<{ enabled: boolean }>('POST', '/routing/enable', {})
    const delivered: string[] = []
    const receiveAt = (to: string) =>
      receiveMail(
        {
          store: cloud.store,
          now: cloud.now,
          timeScale: 1,
          deliver: async (script, incoming) => {
            delivered.push(`${incoming.to} by ${script.name}`)
            if (incoming.to.startsWith('closed@')) return { outcome: 'ok', rejected: 'no mail here' }
            if (incoming.to.startsWith('broken@')) return { outcome: 'exception', message: 'broken' }
            if (incoming.to.startsWith('lost@')) throw new Error('the app restarted')
            return { outcome: 'ok' }
          },
        },
        { from: 'ada@example.test', to, raw: 'Subject: Hi\r\n\r\nText' },
      )

    test('mail routing cannot be enabled while the zone has MX records of another provider', async () => {
      const content = 'mx.elsewhere.test'
      await addRecord({ type: 'MX', name: zone.name, content, ttl: 1, priority: 10 })
      const refused = await enableRouting()
      assert.deepEqual([refused.status, refused.code, await routingStatus()], [400, 2008, 'unconfigured'])
      const { result } = await callApi<{ id: string; content: string }[]>(
        'GET',
        `/zones/${zone.id}/dns_records`,
      )
      const foreign = result.find((one) => one.content === content)
      await callApi('DELETE', `/zones/${zone.id}/dns_records/${foreign?.id ?? ''}`)
      assert.equal((await enableRouting()).result.enabled, true)
    })

    test('mail is delivered from two seconds after mail routing is enabled until it is disabled', async () => {
      await inZone('POST', '/routing/rules', makeRule(`hello@${zone.name}`, 'inbox'))
      assert.equal(await routingStatus(), 'unconfigured')
      const [early] = await receiveAt(`hello@${zone.name}`)
      assert.deepEqual([early?.status, early?.worker], ['rejected', null])
      cloud.clock.advance(2000)
      assert.equal(await routingStatus(), 'ready')
      const [mailed] = await receiveAt(`Hello@${zone.name.toUpperCase()}`)
      assert.deepEqual([mailed?.status, mailed?.worker, mailed?.subject], ['delivered', 'inbox', 'Hi'])
      await inZone('POST', '/routing/disable', {})
      assert.equal(await routingStatus(), 'unconfigured')
      assert.equal((await receiveAt(`hello@${zone.name}`))[0]?.status, 'rejected')
      await enableRouting()
      cloud.clock.advance(2000)
      assert.equal(await routingStatus(), 'ready')
    })

    test('enabling mail routing twice adds no second DNS record', async () => {
      await enableRouting()
      const records = await callApi<WantedRecord[]>('GET', `/zones/${zone.id}/dns_records?per_page=100`)
      const own = records.result.filter(({ type, name }) => type === 'MX' && name === zone.name)
      assert.equal(own.length, 2)
    })

    test('the stored status of a received mail says whether its worker rejected it, failed or was interrupted', async () => {
      for (const [name, became, detail] of [
        ['closed', 'rejected', /^no mail here$/],
        ['broken', 'failed', /ended with exception: broken/],
        ['lost', 'failed', /ended with interrupted: Error: the app restarted/],
      ] as const) {
        await inZone('POST', '/routing/rules', makeRule(`${name}@${zone.name}`, 'inbox'))
        const [received] = await receiveAt(`${name}@${zone.name}`)
        assert.equal(received?.status, became)
        assert.match(received?.detail ?? '', detail)
      }
    })

    test("a mail routing rule with another domain's address, a missing worker or no target is refused", async () => {
      const createRule = (body: object) => inZone('POST', '/routing/rules', body)
      for (const [body, code] of [
        [makeRule('ada@example.test', 'inbox'), 2017],
        [makeRule(`x@${zone.name}`, 'none'), 2019],
        [makeRule(`x@${zone.name}`, 'inbox', { actions: [{ type: 'worker' }] }), 2018],
        [{ matchers: [{ type: 'all' }], actions: [{ type: 'drop' }] }, 2016],
        [makeRule(`x@${zone.name}`, 'inbox', { actions: [] }), 10001],
        [makeRule(`x@${zone.name}`, 'inbox', { priority: -1 }), 10001],
      ] as const) {
        const refused = await createRule(body)
        assert.deepEqual([refused.status, refused.code], [400, code])
      }
      assert.equal((await inZone('GET', '/routing/rules/none')).code, 2015)
    })

    test('the catch-all rule gets mail that no enabled rule matches, whatever its priority', async () => {
      const off = await inZone<Rule>('GET', '/routing/rules/catch_all')
      assert.deepEqual([off.result.enabled, off.result.matchers[0]?.type], [false, 'all'])
      const unknown = `anything@${zone.name}`
      assert.equal((await receiveAt(unknown))[0]?.status, 'rejected')
      await inZone('PUT', '/routing/rules/catch_all', {
        matchers: [{ type: 'all' }],
        actions: [{ type: 'worker', value: ['inbox'] }],
        priority: 0,
      })
      assert.equal((await receiveAt(unknown))[0]?.status, 'delivered')
      const created = await inZone<Rule>('POST', '/routing/rules', {
        ...makeRule(`none@${zone.name}`, 'inbox', { priority: 50 }),
        actions: [{ type: 'drop' }],
      })
      assert.equal((await receiveAt(`none@${zone.name}`))[0]?.status, 'rejected')
      await inZone('PUT', `/routing/rules/${created.result.tag}`, {
        ...makeRule(`none@${zone.name}`, 'inbox'),
        actions: [{ type: 'drop' }],
        enabled: false,
      })
      assert.equal((await receiveAt(`none@${zone.name}`))[0]?.status, 'delivered')
      const rules = (await inZone<Rule[]>('GET', '/routing/rules?per_page=50')).result
      assert.equal(rules.at(-1)?.matchers[0]?.type, 'all')
      await inZone('DELETE', `/routing/rules/${created.result.tag}`)
      assert.equal((await inZone('GET', `/routing/rules/${created.result.tag}`)).status, 404)
    })

    test('mail to a domain without an active zone is received by no account', async () => {
      assert.deepEqual(await receiveAt('ada@example.test'), [])
      const pending = (await callApi<Zone[]>('GET', '/zones?status=pending')).result[0]
      assert.deepEqual(await receiveAt(`ada@${pending?.name ?? ''}`), [])
    })
  })
})
