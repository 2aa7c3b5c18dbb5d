import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { type Client, eventsOf, testApp, type TestApp } from '../testing/app.ts'
import { titleFromText } from './capture.ts'
import { leaves } from '../testing/effects.ts'

interface TicketRecord {
  title: string
  body: string
  origin: string
  type: string
  priority: string
}

describe('capturing a sentence', () => {
  let model: Server
  /** What the model responds: a string is the text of a completion, a number is an error status. */
  let answer: string | number = 500
  /** Called before the model responds. */
  let meanwhile = async (): Promise<unknown> => undefined
  let app: TestApp
  let owner: Client
  let capture: string
  let usage: string

  before(async () => {
    model = createServer(async (request, response) => {
      request.resume()
      await meanwhile()
      response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' })
      const message = { role: 'assistant', content: answer }
      const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
      response.end(JSON.stringify({ choices: [{ index: 0, message, finish_reason: 'stop' }], usage }))
    })
    await new Promise<void>((resolve) => model.listen(0, '127.0.0.1', resolve))
    const { port } = model.address() as AddressInfo
    app = await testApp({ modelBaseUrl: `http://127.0.0.1:${port}/v1` })
    owner = await app.signUp()
    const project = await owner.call<{ id: string }>('POST /projects', {})
    capture = `POST /projects/${project.data.id}/tickets/capture`
    usage = `GET /projects/${project.data.id}/usage`
  })
  after(async () => {
    await app.close()
    model.closeAllConnections()
    await new Promise((resolve) => model.close(resolve))
  })

  test("a ticket captured from a sentence has the model's fields and the sentence verbatim, and the tokens used are counted", async () => {
    leaves({ events: { 'project.renamed': 1, 'ticket.created': 1 } })
    answer = JSON.stringify({ title: 'Fix sign-in', type: 'bug', priority: 'high', labels: ['auth'] })
    const made = await owner.call<TicketRecord>(capture, { text: 'Nobody can sign in since this morning!' })
    assert.equal(made.status, 200, String(made.error?.message))
    assert.deepEqual([made.data.title, made.data.type, made.data.priority], ['Fix sign-in', 'bug', 'high'])
    assert.equal(made.data.origin, 'Nobody can sign in since this morning!')
    const [usage] = await app.platform.db
      .selectFrom('token_usage')
      .select(['input', 'output', 'run_id'])
      .execute()
    assert.deepEqual(usage, { input: 11, output: 7, run_id: null })
  })

  test('when the model fails or its output is unusable, the ticket is made of the captured sentence alone', async () => {
    leaves({ events: { 'ticket.created': 5 } })
    for (const bad of [500, 401, 'not json', '{"title":""}', '{"title":"x","type":"epic"}']) {
      answer = bad
      const text = `Whatever the model says (${bad}), this sentence must become a ticket of its own`
      const made = await owner.call<TicketRecord>(capture, { text })
      assert.equal(made.status, 200, String(made.error?.message))
      assert.equal(made.data.title, titleFromText(text))
      assert.deepEqual([made.data.body, made.data.origin, made.data.type], [text, text, 'task'])
    }
    const events = await eventsOf(app, owner)
    assert.equal(events.filter((type) => type === 'ticket.created').length, 6)
    // Tokens are counted for every completion, useful or not, but not for an error.
    const spent = await owner.call<{ total: { input: number } }>(usage)
    assert.equal(spent.data.total.input, 11 * 4)
  })

  test("a captured sentence that is sent again after the connection was lost returns the ticket with the model's fields", async () => {
    leaves({ events: { 'ticket.created': 1 } })
    answer = JSON.stringify({ title: 'Print labels', type: 'feature', priority: 'low', labels: [] })
    const called = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    meanwhile = () => {
      called.resolve()
      return released.promise
    }
    const connection = new AbortController()
    const body = { text: 'The labels of the plants should be printed' }
    const repeated = { 'idempotency-key': 'lost', 'content-type': 'application/json' }
    const lost = owner.raw(capture, {
      body: JSON.stringify(body),
      headers: repeated,
      signal: connection.signal,
    })
    await called.promise
    connection.abort()
    const again = owner.call<TicketRecord>(capture, body, repeated)
    released.resolve()
    meanwhile = async () => undefined
    assert.equal((await again).data.title, 'Print labels')
    await lost
  })

  test('title and labels from the model are stored without NUL and lone surrogates', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const labels = ['a\0b', '\udfff']
    answer = JSON.stringify({ title: `${'x'.repeat(197)}\udfff\0😀`, type: 'bug', priority: 'low', labels })
    const made = await owner.call<TicketRecord & { labels: string[] }>(capture, { text: 'Two broken texts' })
    assert.equal(made.status, 200, String(made.error?.message))
    assert.deepEqual([made.data.title, made.data.labels], [`${'x'.repeat(197)}\ufffd`, ['ab', '\ufffd']])
  })

  test('a project without a name gets its name and slug from the first captured sentence that names a subject', async () => {
    leaves({ events: { 'project.created': 1, 'project.renamed': 1, 'ticket.created': 3 } })
    answer = 500
    const project = await owner.call<{ id: string }>('POST /projects', {})
    const path = `/projects/${project.data.id}`
    const nameAfter = async (text: string) => {
      assert.equal((await owner.call(`POST ${path}/tickets/capture`, { text })).status, 200)
      const { data } = await owner.call<{ name: string; slug: string }>(`GET ${path}`)
      return [data.name, data.slug]
    }
    assert.deepEqual(await nameAfter('!!!'), ['Untitled project', 'untitled-project'])
    const named = ['Plants in my office', 'plants-in-my-office']
    assert.deepEqual(await nameAfter('Track the plants in my office: name, room'), named)
    assert.deepEqual(await nameAfter('Log my expenses'), named)
  })

  test('a name that a person gives to a project while the model reads a captured sentence is kept', async () => {
    leaves({ events: { 'project.created': 1, 'project.renamed': 1, 'ticket.created': 1 } })
    answer = 500
    const project = await owner.call<{ id: string }>('POST /projects', {})
    const path = `/projects/${project.data.id}`
    meanwhile = () => owner.call(`PATCH ${path}`, { name: 'Greenhouse' })
    const made = await owner.call(`POST ${path}/tickets/capture`, { text: 'Track the plants in my office' })
    meanwhile = async () => undefined
    assert.equal(made.status, 200, String(made.error?.message))
    const { data } = await owner.call<{ name: string; slug: string }>(`GET ${path}`)
    assert.deepEqual([data.name, data.slug], ['Greenhouse', 'greenhouse'])
  })

  test('a captured sentence is stored as it was sent, white space included', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    answer = 500
    const text = '  Two lines\n\tand a tab  \n'
    const made = await owner.call<TicketRecord>(capture, { text })
    assert.equal(made.data.origin, text)
  })

  test('capturing a ticket from a sentence without a connected model is refused as model_required and stores nothing', async () => {
    leaves({ events: { 'project.created': 1 } })
    const other = await app.signUp()
    await app.platform.db.deleteFrom('model_connections').where('org_id', '=', other.organizationId).execute()
    const project = await other.call<{ id: string }>('POST /projects', {})
    const refused = await other.call(`POST /projects/${project.data.id}/tickets/capture`, { text: 'An idea' })
    assert.deepEqual([refused.status, refused.error?.code], [412, 'model_required'])
    assert.deepEqual((await other.call(`GET /projects/${project.data.id}/tickets`)).data, [])
  })

  test('an empty, too long or missing sentence is refused with an error for the text field', async () => {
    for (const body of [{}, { text: '  ' }, { text: 'x'.repeat(8001) }, { text: 5 }]) {
      const refused = await owner.call(capture, body)
      assert.match(String(refused.error?.message), /^text: /)
    }
  })

  test('the title made from a long sentence without spaces is not cut within an emoji', () => {
    assert.equal(titleFromText('🌱'.repeat(40)), `${'🌱'.repeat(29)}…`)
  })

  test('the title made from a long sentence is cut after a whole word', () => {
    assert.equal(titleFromText('Short'), 'Short')
    const title = titleFromText('word '.repeat(40))
    assert.ok(title.length <= 60 && title.endsWith('word…'))
  })
})
