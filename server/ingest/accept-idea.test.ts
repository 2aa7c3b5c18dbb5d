import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import * as fc from 'fast-check'
import { Stripe } from 'stripe'
import { sign } from '../crypto/signature.ts'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { HOSTILE_BODIES, HOSTILE_JSON } from '../testing/hostile.ts'
import { captureIdeas } from './capture-ideas.ts'
import { openSource, type OpenSource, post, postIdea, ticketsOf } from './testing.ts'
import { leaves } from '../testing/effects.ts'

describe('posting ideas', () => {
  let app: TestApp
  let owner: Client
  let source: OpenSource

  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e9, sessionPerMinute: 1e9, addressPerMinute: 1e9 } })
    owner = await app.signUp('Olga Owner')
    source = await openSource(app, owner)
  })
  after(() => app.close())

  const secondsAgo = (seconds: number) => new Date(app.clock.now().getTime() - seconds * 1000)
  const ideaCount = async () => {
    const { rows } = await app.platform.pool.query<{ n: number }>('select count(*) as n from ideas')
    return rows[0]?.n
  }

  test('a correctly signed idea is stored, and the response is a 202 with the request id and without a body', async () => {
    const before = (await ideaCount()) ?? 0
    const body = '{"title":"Dark mode"}'
    const answer = await app.request(`POST /i/${source.id}`, {
      body,
      headers: { 'service-signature': sign(source.secret, body, app.clock.now()), 'x-request-id': 'sent-1' },
    })
    assert.deepEqual([answer.status, await answer.text()], [202, ''])
    assert.equal(answer.headers.get('x-request-id'), 'sent-1')
    assert.equal(await ideaCount(), before + 1)
  })

  test("an idea that was signed with Stripe's library is accepted", async () => {
    const payload = JSON.stringify({ title: 'Signed elsewhere' })
    const timestamp = Math.floor(app.clock.now().getTime() / 1000)
    const { secret } = source
    const header = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    assert.equal((await post(app, source, payload, header)).status, 202)
  })

  test('an idea whose white space was changed after it was signed is refused, because the signature covers the bytes as sent', async () => {
    const header = sign(source.secret, '{"title":"x"}', app.clock.now())
    assert.equal((await post(app, source, '{"title": "x"}', header)).status, 401)
    assert.equal((await post(app, source, '{"title":"x"}', header)).status, 202)
  })

  test("an idea whose signature is missing, malformed, wrong or made with another source's secret gets 401 and is not stored", async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 1 } })
    const before = await ideaCount()
    const body = '{"title":"x"}'
    const good = sign(source.secret, body, app.clock.now())
    const other = await openSource(app, owner)
    const [t = '', v1 = ''] = good.split(',')
    for (const header of [
      null,
      '',
      t,
      v1,
      `${v1},${t}`,
      `${t}, ${v1}`,
      `${t},${t},${v1}`,
      `${t},${v1.toUpperCase()}`,
      `${t},v1=${'0'.repeat(64)}`,
      `${t}000,${v1}`,
      `t=-1,${v1}`,
      `t=1e9,${v1}`,
      sign(source.secret.slice('whsec_'.length), body, app.clock.now()),
      sign(other.secret, body, app.clock.now()),
    ]) {
      const answer = await post(app, source, body, header)
      assert.deepEqual([answer.status, await answer.text()], [401, ''], String(header))
    }
    assert.equal(await ideaCount(), before)
  })

  test('an idea is accepted when the time of its signature is 300 seconds before or after the clock, and refused at 301 seconds', async () => {
    const body = '{"title":"x"}'
    for (const [seconds, status] of [
      [300, 202],
      [-300, 202],
      [301, 401],
      [-301, 401],
    ] as const)
      assert.equal(
        (await post(app, source, body, sign(source.secret, body, secondsAgo(seconds)))).status,
        status,
      )
  })

  test('a request to an unknown ingest address, or with a method other than POST, gets a 404', async () => {
    const other = { ...source, id: `ing_${'0'.repeat(26)}` }
    for (const id of [other.id, 'unknown', '%00', source.id.toUpperCase(), `${source.id}0`])
      assert.equal((await post(app, { ...other, id }, '{"title":"x"}')).status, 404, id)
    for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'OPTIONS']) {
      const answer = await app.request(`${method} /i/${source.id}`)
      assert.deepEqual([answer.status, await answer.text()], [404, ''], method)
    }
  })

  test('a correctly signed idea that has neither a title nor a text gets a 204 and is not stored', async () => {
    const before = await ideaCount()
    for (const body of ['', '{}', '[]', 'no json', '{"title":" ","id":"1"}'])
      assert.equal((await post(app, source, body)).status, 204, body)
    assert.equal(await ideaCount(), before)
  })

  test('an idea of 256 KiB is accepted; a larger one gets a 413 before its signature is checked, with or without a Content-Length', async () => {
    const fits = `{"text":"${'x'.repeat(256 * 1024 - 11)}"}`
    const large = `${fits} `
    assert.equal(Buffer.byteLength(fits), 256 * 1024)
    assert.equal((await post(app, source, fits)).status, 202)
    assert.equal((await post(app, source, large, null)).status, 413)
    const announced = { 'content-length': String(Buffer.byteLength(large)) }
    const answer = await app.request(`POST /i/${source.id}`, { body: large, headers: announced })
    assert.deepEqual([answer.status, await answer.text()], [413, ''])
  })

  test('the 121st signed request to an ingest source in a minute gets a 429 with Retry-After; unsigned requests do not count', async () => {
    leaves({ events: { 'project.created': 2 }, activity: { 'ingest_source.created': 2 } })
    const [busy, quiet] = [await openSource(app, owner), await openSource(app, owner)]
    const unsigned = Array.from({ length: 200 }, () => post(app, busy, '{"title":"x"}', 't=1,v1=00'))
    assert.ok((await Promise.all(unsigned)).every(({ status }) => status === 401))
    const signed = Array.from({ length: 120 }, () => post(app, busy, '{}'))
    assert.ok((await Promise.all(signed)).every(({ status }) => status === 204))
    const refused = await post(app, { ...busy, id: busy.id.replace('ing', 'in%67') }, '{"title":"x"}')
    assert.deepEqual([refused.status, await refused.text()], [429, ''])
    const seconds = Number(refused.headers.get('retry-after'))
    assert.ok(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60, String(seconds))
    assert.equal((await post(app, busy, '{}', null)).status, 401)
    assert.equal((await post(app, quiet, '{}')).status, 204)
  })

  test('fifty simultaneous requests with the same idea id, and a later repetition, create one ticket and one event', async () => {
    leaves({
      events: { 'project.created': 10, 'ticket.created': 26 },
      activity: { 'ingest_source.created': 10 },
    })
    const person = await app.signUp('Rita Racer')
    const inboxes = await Promise.all(Array.from({ length: 10 }, () => openSource(app, person)))
    for (const inbox of inboxes)
      for (const id of ['order-1', 'order-2']) {
        const answers = await Promise.all(
          Array.from({ length: 50 }, (_, i) => postIdea(app, inbox, { title: `Post ${i}`, id })),
        )
        assert.ok(answers.every(({ status }) => status === 202))
        await captureIdeas(app.platform)
        assert.equal((await postIdea(app, inbox, { title: 'Again', id })).status, 202)
        await captureIdeas(app.platform)
      }
    // Ideas with the same two ids were posted to every source. Each source has two tickets, because an id is unique
    // only within its source.
    for (const { projectId } of inboxes) assert.equal((await ticketsOf(app, person, projectId)).length, 2)
    const events = await eventsOf(app, person)
    assert.equal(events.filter((type) => type === 'ticket.created').length, 20)
  })

  test('each idea that is sent without an id is stored as a new idea', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 3 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Nora Noid')
    const inbox = await openSource(app, person)
    for (let i = 0; i < 3; i++) await postIdea(app, inbox, { title: 'Same' })
    await captureIdeas(app.platform)
    assert.equal((await ticketsOf(app, person, inbox.projectId)).length, 3)
  })

  test('every correctly signed idea, even with hostile fields, gets a 202 or 204, and every 202 becomes a ticket', async () => {
    leaves({
      events: { 'project.created': 1, 'ticket.created': 74 },
      activity: { 'ingest_source.created': 1 },
    })
    const person = await app.signUp('Hanna Hostile')
    const inbox = await openSource(app, person)
    const smallBodies = (bodies: readonly string[]) => bodies.filter((body) => body.length < 200_000)
    const field = fc.oneof(
      fc.constantFrom(...smallBodies(HOSTILE_JSON)),
      fc.string({ unit: 'binary', maxLength: 300 }).map((text) => JSON.stringify(text)),
    )
    const idea = fc
      .tuple(field, field, field, field)
      .map(([title, text, id, url]) => `{"title":${title},"text":${text},"id":${id},"url":${url}}`)
    const bodies = [...smallBodies(HOSTILE_BODIES), ...fc.sample(idea, { numRuns: 100, seed: 20261121 })]
    assert.ok(bodies.length < 120, 'fewer than the allowance of a minute')
    for (const body of bodies) {
      const answer = await post(app, inbox, body)
      assert.ok([202, 204].includes(answer.status), `${body.slice(0, 300)} answered ${answer.status}`)
    }
    const stored = await app.platform.db
      .selectFrom('ideas')
      .select('ticket_id')
      .where('org_id', '=', person.organizationId)
      .execute()
    assert.ok(stored.length > 20)
    await captureIdeas(app.platform)
    await captureIdeas(app.platform)
    const tickets = await ticketsOf(app, person, inbox.projectId)
    assert.equal(tickets.length, stored.length)
    for (const { title } of tickets) assert.ok(title.length >= 1 && title.length <= 200)
  })

  test('an idea sent to an ingest source whose project was deleted gets a 404', async () => {
    leaves({ events: { 'project.created': 1 }, activity: { 'ingest_source.created': 1 } })
    const inbox = await openSource(app, owner)
    const { db } = app.platform
    await db.deleteFrom('projects').where('id', '=', inbox.projectId).execute()
    assert.equal((await postIdea(app, inbox, { title: 'Too late' })).status, 404)
  })
})
