import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { sql } from 'kysely'
import type { Context } from '../endpoint.ts'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { searchTickets } from './ticket-search.ts'
import { leaves } from '../testing/effects.ts'

interface Page {
  items: { id: string; title: string }[]
  nextCursor: string | null
}

describe('ticket search', () => {
  let app: TestApp
  let owner: Client
  let projectId: string
  let tickets: string
  before(async () => {
    app = await testApp({ limits: { keyPerMinute: 1e9, sessionPerMinute: 1e9, addressPerMinute: 1e9 } })
  })
  beforeEach(async () => {
    owner = await app.signUp()
    projectId = (await owner.call<{ id: string }>('POST /projects', {})).data.id
    app.effects.prepared({ events: { 'project.created': 1 } })
    tickets = `/projects/${projectId}/tickets`
  })
  after(() => app.close())

  const create = async (title: string, fields: object = {}) => {
    app.clock.advance(1)
    const made = await owner.call<{ id: string }>(`POST ${tickets}`, { title, ...fields })
    return made.data.id
  }
  const search = async (filters: Record<string, string>) =>
    (await owner.call<Page>(`GET ${tickets}/search?${new URLSearchParams(filters).toString()}`)).data
  const titles = async (filters: Record<string, string>) =>
    (await search(filters)).items.map(({ title }) => title)

  test('ticket search finds a text in titles and bodies, in any case, newest first', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    await create('Show the Invoice')
    await create('Other')
    await create('Third', { body: 'about INVOICES of last year' })
    for (const q of ['invoice', 'INVOICE', 'nvoic', 'In'])
      assert.deepEqual(await titles({ q }), ['Third', 'Show the Invoice'], q)
    assert.deepEqual(await titles({ q: 'invoices' }), ['Third'])
    assert.deepEqual(await titles({ q: 'absent' }), [])
  })

  test('ticket search ignores case in every writing system, and treats compatible Unicode forms as equal', async () => {
    leaves({ events: { 'ticket.created': 4 } })
    await create('Größe ändern')
    await create('Привет, мир')
    await create('ﬁle ＦＵＬＬ')
    await create('日本語の題名')
    assert.deepEqual(await titles({ q: 'GRÖSSE' }), [])
    assert.deepEqual(await titles({ q: 'GRÖßE' }), ['Größe ändern'])
    assert.deepEqual(await titles({ q: 'ÄNDERN' }), ['Größe ändern'])
    assert.deepEqual(await titles({ q: 'ПРИВЕТ' }), ['Привет, мир'])
    assert.deepEqual(await titles({ q: 'file full' }), ['ﬁle ＦＵＬＬ'])
    assert.deepEqual(await titles({ q: '本語' }), ['日本語の題名'])
  })

  test('ticket search matches wildcard characters literally', async () => {
    leaves({ events: { 'ticket.created': 5 } })
    await create('100% done')
    await create('1000 done')
    await create('snake_case name')
    await create('snakeXcase name')
    await create(String.raw`C:\temp\file`)
    assert.deepEqual(await titles({ q: '100%' }), ['100% done'])
    assert.deepEqual(await titles({ q: '%' }), ['100% done'])
    assert.deepEqual(await titles({ q: 'snake_case' }), ['snake_case name'])
    assert.deepEqual(await titles({ q: '_' }), ['snake_case name'])
    assert.deepEqual(await titles({ q: String.raw`temp\f` }), [String.raw`C:\temp\file`])
    assert.deepEqual(await titles({ q: '\\' }), [String.raw`C:\temp\file`])
  })

  test('filters of the ticket search combine: text, status and label must all match', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    await create('Pay by card', { status: 'done', labels: ['money', 'Urgent one'] })
    await create('Pay by cheque', { labels: ['money'] })
    await create('Play cards', { status: 'done', labels: ['fun'] })
    assert.deepEqual(await titles({ status: 'done' }), ['Play cards', 'Pay by card'])
    assert.deepEqual(await titles({ label: 'money' }), ['Pay by cheque', 'Pay by card'])
    assert.deepEqual(await titles({ label: 'Urgent one' }), ['Pay by card'])
    assert.deepEqual(await titles({ label: 'MONEY' }), ['Pay by cheque', 'Pay by card'])
    assert.deepEqual(await titles({ q: 'card', label: 'Money' }), ['Pay by card'])
    assert.deepEqual(await titles({ label: 'mone' }), [])
    assert.deepEqual(await titles({ q: 'card', status: 'done' }), ['Play cards', 'Pay by card'])
    assert.deepEqual(await titles({ q: 'card', status: 'done', label: 'money' }), ['Pay by card'])
    assert.deepEqual(await titles({ q: 'pa', status: 'todo', label: 'money' }), ['Pay by cheque'])
    assert.deepEqual(await titles({ q: '' }), ['Play cards', 'Pay by cheque', 'Pay by card'])
    assert.deepEqual(await titles({}), ['Play cards', 'Pay by cheque', 'Pay by card'])
  })

  test('type and priority can be combined with every other filter of the ticket search', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    await create('Crash at start', { type: 'bug', priority: 'urgent', labels: ['app'] })
    await create('Crash at the end', { type: 'bug', status: 'done' })
    await create('Crash course', { type: 'feature', priority: 'urgent' })
    assert.deepEqual(await titles({ type: 'bug' }), ['Crash at the end', 'Crash at start'])
    assert.deepEqual(await titles({ priority: 'urgent' }), ['Crash course', 'Crash at start'])
    assert.deepEqual(await titles({ type: 'bug', priority: 'urgent' }), ['Crash at start'])
    assert.deepEqual(await titles({ type: 'bug', status: 'done' }), ['Crash at the end'])
    assert.deepEqual(await titles({ type: 'bug', label: 'app' }), ['Crash at start'])
    assert.deepEqual(await titles({ q: 'crash', type: 'feature' }), ['Crash course'])
    assert.deepEqual(await titles({ q: 'cr', priority: 'none' }), ['Crash at the end'])
    assert.deepEqual(await titles({ type: 'chore' }), [])
    const first = await search({ type: 'bug', limit: '1' })
    assert.deepEqual(await titles({ type: 'bug', limit: '1', cursor: first.nextCursor ?? '' }), [
      'Crash at start',
    ])
  })

  test('a ticket with a changed title or body is found by its new text only', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 2 } })
    const id = await create('Apples', { body: 'and oranges' })
    await owner.call(`PATCH ${tickets}/${id}`, { title: 'Pears' })
    assert.deepEqual(await titles({ q: 'apples' }), [])
    assert.deepEqual(await titles({ q: 'pears' }), ['Pears'])
    assert.deepEqual(await titles({ q: 'oranges' }), ['Pears'])
    await owner.call(`PATCH ${tickets}/${id}`, { body: 'and plums' })
    assert.deepEqual(await titles({ q: 'oranges' }), [])
    assert.deepEqual(await titles({ q: 'plums' }), ['Pears'])
  })

  for (const q of ['ticket', 'ti', ''])
    test(`pages of the ticket search for "${q}" skip and repeat no ticket, even while tickets are created`, async () => {
      leaves({ events: { 'ticket.created': 11 } })
      await Promise.all(
        Array.from({ length: 7 }, (_, i) => owner.call(`POST ${tickets}`, { title: `Ticket ${i}` })),
      )
      const seen: string[] = []
      let cursor: string | null = ''
      for (let pages = 0; cursor !== null; pages++) {
        assert.ok(pages < 6, 'it never ends')
        const page: Page = await search({ q, limit: '2', ...(cursor !== '' && { cursor }) })
        seen.push(...page.items.map(({ title }) => title))
        cursor = page.nextCursor
        await create(`Ticket that is young ${pages}`)
      }
      assert.deepEqual(
        seen.toSorted(),
        Array.from({ length: 7 }, (_, i) => `Ticket ${i}`),
      )
    })

  test('searching a project of many tickets finds the same tickets as in a project of few', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    await create('Needle in the stack')
    const found = await search({ q: 'needle' })
    await sql`update ticket_counts set n = 100000 where project_id = ${projectId} and kind = 'status'`.execute(
      app.platform.db,
    )
    assert.deepEqual(await search({ q: 'needle' }), found)
    assert.deepEqual(await titles({ q: 'nowhere' }), [])
  })

  test('a search text for which no index helps is searched in batches of tickets, and the cursor continues from there', async () => {
    leaves({ events: { 'ticket.created': 10 } })
    for (let i = 0; i < 10; i++) await create(i % 4 === 0 ? `Zu ${i}` : `Other ${i}`)
    const ctx = Object.assign(
      { caller: { organizationId: owner.organizationId } },
      app.platform,
    ) as unknown as Context<'pool'>
    const pages: string[][] = []
    let cursor: string | undefined
    do {
      const { text } = await searchTickets(ctx, projectId, { q: 'ZU', limit: 2, cursor }, 3)
      const page = JSON.parse(text) as Page
      pages.push(page.items.map(({ title }) => title))
      cursor = page.nextCursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(pages, [['Zu 8'], ['Zu 4'], [], ['Zu 0']])
  })

  test('wrong parameters of the ticket search are refused with their names', async () => {
    const bad: [string, string][] = [
      ['status=open', 'status'],
      ['status=', 'status'],
      ['status=DONE', 'status'],
      ['type=story', 'type'],
      ['priority=1', 'priority'],
      [`q=${'x'.repeat(101)}`, 'q'],
      [`label=${'x'.repeat(101)}`, 'label'],
      ['q=a&q=b', 'q'],
      ['q=%00', 'q'],
      ['limit=501', 'limit'],
      ['cursor=nonsense', 'cursor'],
    ]
    for (const [query, name] of bad) {
      const refused = await owner.call(`GET ${tickets}/search?${query}`)
      assert.equal(refused.status, 400, query)
      assert.ok(refused.error?.message.startsWith(`${name}: `), String(refused.error?.message))
    }
    assert.equal((await owner.call(`GET ${tickets}/search?q=${'%25'.repeat(100)}`)).status, 200)
  })

  test("ticket search does not find another organization's tickets", async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 1 } })
    await create('Secret plan')
    const stranger = await app.signUp()
    assert.equal((await stranger.call(`GET ${tickets}/search?q=secret`)).status, 404)
    const own = await stranger.call<{ id: string }>('POST /projects', {})
    const found = await stranger.call<Page>(`GET /projects/${own.data.id}/tickets/search?q=secret`)
    assert.deepEqual(found.data, { items: [], nextCursor: null })
  })
})
