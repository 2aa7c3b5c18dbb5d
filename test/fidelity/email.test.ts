import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Cloudflare } from 'cloudflare'
import { askApp, deployWorker, missingRoutes, startTestWorld, type TestWorld, workerUpload } from './world.ts'
import { waitUntil } from '../support/wait-until.ts'

const SOURCE = `
let seen = []
export default {
  async email(message, env, ctx) {
    if (message.to.startsWith('closed@')) return message.setReject('no mail here')
    if (message.to.startsWith('broken@')) throw new Error('broken')
    const raw = await new Response(message.raw).text()
    seen.push({ from: message.from, to: message.to, subject: message.headers.get('subject'), size: message.rawSize, length: raw.length, env: env.WORD, hasCtx: typeof ctx.waitUntil })
  },
  async fetch(request, env) {
    if (new URL(request.url).pathname === '/seen') return Response.json(seen)
    try {
      return Response.json(await env.MAIL.send(await request.json()))
    } catch (error) {
      return Response.json({ error: error.message }, { status: 400 })
    }
  },
}`

interface Listed {
  id: string
  direction: string
  from: string
  to: string[]
  subject: string
  status: string
  content: { text: string | null; headers: Record<string, string>; attachments: { filename: string }[] }
}

/** One worker sends and receives mail. Each test depends on the tests before it. */
describe('mail of a worker', () => {
  let world: TestWorld
  let client: Cloudflare
  let account_id: string
  let zone: { id: string; name: string }
  before(async () => {
    world = await startTestWorld({ SLIPWAY_LOCAL_TIME_SCALE: '0.001' })
    account_id = world.account.id
    client = new Cloudflare({
      apiToken: world.account.token,
      baseURL: `${world.restUrl}/cloudflare/client/v4`,
      maxRetries: 0,
    })
    for await (const one of client.zones.list({ status: 'active' })) zone = one
    await deployMailer(['shop@mail.slipway.test', `hello@${zone.name}`])
  })
  after(() => world.remove())

  async function deployMailer(allowed: string[]) {
    const bindings = [
      { type: 'send_email', name: 'MAIL', allowed_sender_addresses: allowed },
      { type: 'plain_text', name: 'WORD', text: 'fern' },
    ]
    const answer = await deployWorker(world, 'shop', workerUpload(SOURCE, { bindings }))
    assert.ok(answer.success, JSON.stringify(answer.errors))
  }
  const sendFromWorker = async (mail: object) => {
    const { text } = await askApp(world, 'shop', '/', {}, mail)
    return JSON.parse(text) as { messageId?: string; error?: string }
  }
  const listMessages = async (query = '') => {
    const answer = await fetch(`${world.restUrl}/mail/messages${query}`)
    return ((await answer.json()) as { messages: Listed[] }).messages
  }
  const postInbound = async (mail: object) => {
    const answer = await fetch(`${world.restUrl}/mail/inbound`, {
      method: 'POST',
      body: JSON.stringify(mail),
    })
    const { received, error } = (await answer.json()) as {
      received?: { status: string; detail: string | null }[]
      error?: string
    }
    return {
      status: answer.status,
      received: received?.map((one) => [one.status, one.detail]),
      ...(error !== undefined && { error }),
    }
  }
  const MAIL = { from: 'shop@mail.slipway.test', to: 'ann@example.com', subject: 'Hello', text: 'A fern.' }

  test('a worker sends mail from the default local domain without any set-up, and the local mail pages show the mail', async () => {
    const sent = await sendFromWorker({
      ...MAIL,
      replyTo: 'owner@example.com',
      attachments: [{ filename: 'a.txt', type: 'text/plain', disposition: 'attachment', content: 'YQ==' }],
    })
    assert.match(sent.messageId ?? '', /@mail\.slipway\.test>$/)
    const [mail] = await listMessages('?to=ann@example.com')
    assert.deepEqual(
      [mail?.direction, mail?.from, mail?.subject, mail?.content.text, mail?.status],
      ['out', MAIL.from, 'Hello', 'A fern.', 'stored'],
    )
    assert.equal(mail?.content.headers['Reply-To'], 'owner@example.com')
    assert.deepEqual(
      mail?.content.attachments.map(({ filename }) => filename),
      ['a.txt'],
    )
    const page = await fetch(`${world.restUrl}/mail`)
    assert.match(await page.text(), /Hello/)
    const shown = await fetch(`${world.restUrl}/mail/messages/${mail?.id}`)
    assert.match(await shown.text(), /A fern\./)
    assert.equal((await fetch(`${world.restUrl}/mail/messages/none`)).status, 404)
  })

  test('mail from an unverified sender, with invalid fields or to a recipient that bounced is refused', async () => {
    for (const [mail, error] of [
      [{ ...MAIL, from: 'ceo@bank.example' }, /E_SENDER_NOT_VERIFIED/],
      [{ ...MAIL, from: `hello@${zone.name}` }, /E_SENDER_NOT_VERIFIED/],
      [{ ...MAIL, subject: 'a\r\nBcc: all@example.com' }, /E_VALIDATION_ERROR/],
      [{ ...MAIL, to: 'nobody' }, /E_VALIDATION_ERROR/],
      [{ ...MAIL, to: Array(51).fill('ann@example.com') }, /E_TOO_MANY_RECIPIENTS/],
      [{ from: MAIL.from }, /E_VALIDATION_ERROR/],
    ] as const)
      assert.match((await sendFromWorker(mail)).error ?? '', error, JSON.stringify(mail))
    const bounced = { ...MAIL, to: 'fail-bounce@example.com' }
    assert.ok((await sendFromWorker(bounced)).messageId)
    assert.match((await sendFromWorker(bounced)).error ?? '', /E_RECIPIENT_SUPPRESSED/)
    assert.equal((await listMessages('?to=fail-bounce@example.com'))[0]?.status, 'bounced')
  })

  test('the Cloudflare SDK sets up a sending domain, which is enabled once all its DNS records exist', async () => {
    const { id: zone_id, name } = zone
    await assert.rejects(client.emailSending.subdomains.create({ zone_id, name: 'other.example' }), /within/)
    const { tag } = await client.emailSending.subdomains.create({ zone_id, name })
    await assert.rejects(client.emailSending.subdomains.create({ zone_id, name }), /exists/)
    const isEnabled = async () => (await client.emailSending.subdomains.get(tag, { zone_id })).enabled
    assert.equal(await isEnabled(), false)
    for await (const record of client.emailSending.subdomains.dns.get(tag, { zone_id })) {
      assert.equal(await isEnabled(), false)
      const { type = 'TXT', name = '', content = '', priority } = record
      await client.dns.records.create({ zone_id, type, name, content, ttl: 1, priority } as never)
    }
    await waitUntil(isEnabled)
    assert.ok((await sendFromWorker({ ...MAIL, from: `hello@${name}` })).messageId)
    const rest = await client.emailSending.send({
      account_id,
      from: `hello@${name}`,
      to: 'bob@example.com',
      subject: 'Over REST',
      text: 'Hi',
    })
    assert.deepEqual(rest.delivered, ['bob@example.com'])
  })

  test('the Cloudflare SDK routes mail addresses to a worker, which runs for each mail', async () => {
    const { id: zone_id, name } = zone
    assert.equal((await client.emailRouting.get({ zone_id })).status, 'unconfigured')
    const ruleFor = (to: string, worker = 'shop') => ({
      zone_id,
      name: `slipway:shop:${to}`,
      matchers: [{ type: 'literal' as const, field: 'to' as const, value: `${to}@${name}` }],
      actions: [{ type: 'worker' as const, value: [worker] }],
    })
    await assert.rejects(client.emailRouting.rules.create(ruleFor('hello', 'none')), /does not exist/)
    const made = await client.emailRouting.rules.create(ruleFor('hello'))
    const mail = { from: 'ann@example.com', to: `hello@${name}`, subject: 'A question', text: 'Why?' }
    assert.deepEqual((await postInbound(mail)).received?.[0]?.[0], 'rejected')
    await client.emailRouting.dns.create({ zone_id })
    await waitUntil(async () => (await client.emailRouting.get({ zone_id })).status === 'ready')
    assert.deepEqual(await postInbound(mail), { status: 200, received: [['delivered', null]] })
    const [seen = {}] = JSON.parse((await askApp(world, 'shop', '/seen')).text) as Record<string, unknown>[]
    const { size, length, ...rest } = seen
    assert.equal(size, length)
    const { from, to, subject } = mail
    assert.deepEqual(rest, { from, to, subject, env: 'fern', hasCtx: 'function' })

    await client.emailRouting.rules.create(ruleFor('closed'))
    await client.emailRouting.rules.create(ruleFor('broken'))
    assert.deepEqual((await postInbound({ ...mail, to: `closed@${name}` })).received, [
      ['rejected', 'no mail here'],
    ])
    assert.deepEqual((await postInbound({ ...mail, to: `broken@${name}` })).received, [
      ['failed', 'The worker ended with exception: broken'],
    ])
    assert.deepEqual((await postInbound({ ...mail, to: `unknown@${name}` })).received?.[0]?.[0], 'rejected')
    const lost = await postInbound({ ...mail, to: 'ann@elsewhere.test' })
    assert.equal(lost.status, 404)
    assert.match(
      lost.error ?? '',
      /No account receives mail for elsewhere\.test\. Onboard .* until it is active\.$/,
    )
    const malformed = await postInbound({ from: mail.from, to: 'nobody' })
    assert.equal(malformed.status, 400)
    assert.match(malformed.error ?? '', /must be an address[^]*at to/)
    const changed = await client.emailRouting.rules.update(made.id ?? '', {
      ...ruleFor('hello'),
      enabled: false,
    })
    assert.equal(changed.enabled, false)
    assert.deepEqual((await postInbound(mail)).received?.[0]?.[0], 'rejected')
  })

  test('a catch-all rule gets mail that matches no other rule, and mail routing without an MX record is misconfigured', async () => {
    const { id: zone_id, name } = zone
    const off = await client.emailRouting.rules.catchAlls.get({ zone_id })
    assert.equal(off.enabled, false)
    await client.emailRouting.rules.catchAlls.update({
      zone_id,
      enabled: true,
      matchers: [{ type: 'all' }],
      actions: [{ type: 'worker', value: ['shop'] }],
    })
    const mail = { from: 'ann@example.com', to: `unknown@${name}`, subject: 'Any', text: 'Hi' }
    assert.deepEqual((await postInbound(mail)).received, [['delivered', null]])
    for await (const record of client.dns.records.list({ zone_id, type: 'MX' }))
      if (record.name === name) await client.dns.records.delete(record.id, { zone_id })
    assert.equal((await client.emailRouting.get({ zone_id })).status, 'misconfigured')
    assert.deepEqual((await postInbound(mail)).received?.[0]?.[0], 'rejected')
    await client.dns.records.create({
      zone_id,
      type: 'MX',
      name,
      content: 'mx.other.example',
      ttl: 1,
      priority: 1,
    })
    await assert.rejects(client.emailRouting.dns.create({ zone_id }), /another provider/)
  })

  test('sent and received mail, domains and rules survive a kill of the local Cloudflare emulator', async () => {
    const before = (await listMessages()).length
    // Read the list of recorded API calls before the kill, which would lose calls that are not written yet.
    assert.deepEqual(await missingRoutes(world, 15), [])
    await world.kill()
    await world.start()
    client.baseURL = `${world.restUrl}/cloudflare/client/v4`
    assert.equal((await listMessages()).length, before)
    const { id: zone_id } = zone
    let domains = 0
    for await (const { tag } of client.emailSending.subdomains.list({ zone_id })) {
      domains++
      await client.emailSending.subdomains.delete(tag, { zone_id })
    }
    assert.equal(domains, 1)
    assert.deepEqual(await missingRoutes(world, 15), [])
  })
})
