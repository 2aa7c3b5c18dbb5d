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

  const createTicket = async (title: string, fields: object = {}) => {
    app.clock.advance(1)
    const made = await owner.call<{ id: string }>(`POST ${tickets}`, { title, ...fields })
    return made.data.id
  }
  const runSearch = async (filters: Record<string, string>) =>
    (await owner.call<Page>(`GET ${tickets}/search?${new URLSearchParams(filters).toString()}`)).data
  const searchTitles = async (filters: Record<string, string>) =>
    (await runSearch(filters)).items.map(({ title }) => title)

  test('ticket search finds a string in titles and bodies, in any case, newest first', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    await createTicket('Show the Invoice')
    await createTicket('Other')
    await createTicket('Third', { body: 'about INVOICES of last year' })
    for (const q of ['invoice', 'INVOICE', 'nvoic', 'In'])
      assert.deepEqual(await searchTitles({ q }), ['Third', 'Show the Invoice'], q)
    assert.deepEqual(await searchTitles({ q: 'invoices' }), ['Third'])
    assert.deepEqual(await searchTitles({ q: 'absent' }), [])
  })

  test('ticket search ignores case in every writing system, and treats compatible Unicode forms as equal', async () => {
    leaves({ events: { 'ticket.created': 4 } })
    await createTicket('Größe ändern')
    await createTicket('Привет, мир')
    await createTicket('ﬁle ＦＵＬＬ')
    await createTicket('日本語の題名')
    assert.deepEqual(await searchTitles({ q: 'GRÖSSE' }), [])
    assert.deepEqual(await searchTitles({ q: 'GRÖßE' }), ['Größe ändern'])
    assert.deepEqual(await searchTitles({ q: 'ÄNDERN' }), ['Größe ändern'])
    assert.deepEqual(await searchTitles({ q: 'ПРИВЕТ' }), ['Привет, мир'])
    assert.deepEqual(await searchTitles({ q: 'file full' }), ['ﬁle ＦＵＬＬ'])
    assert.deepEqual(await searchTitles({ q: '本語' }), ['日本語の題名'])
  })

  test('ticket search matches wildcard characters literally', async () => {
    leaves({ events: { 'ticket.created': 5 } })
    await createTicket('100% done')
    await createTicket('1000 done')
    await createTicket('snake_case name')
    await createTicket('snakeXcase name')
    await createTicket(String.raw`C:\temp\file`)
    assert.deepEqual(await searchTitles({ q: '100%' }), ['100% done'])
    assert.deepEqual(await searchTitles({ q: '%' }), ['100% done'])
    assert.deepEqual(await searchTitles({ q: 'snake_case' }), ['snake_case name'])
    assert.deepEqual(await searchTitles({ q: '_' }), ['snake_case name'])
    assert.deepEqual(await searchTitles({ q: String.raw`temp\f` }), [String.raw`C:\temp\file`])
    assert.deepEqual(await searchTitles({ q: '\\' }), [String.raw`C:\temp\file`])
  })

  test('filters of the ticket search combine: text, status and label must all match', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    await createTicket('Pay by card', { status: 'done', labels: ['money', 'Urgent one'] })
    await createTicket('Pay by cheque', { labels: ['money'] })
    await createTicket('Play cards', { status: 'done', labels: ['fun'] })
    assert.deepEqual(await searchTitles({ status: 'done' }), ['Play cards', 'Pay by card'])
    assert.deepEqual(await searchTitles({ label: 'money' }), ['Pay by cheque', 'Pay by card'])
    assert.deepEqual(await searchTitles({ label: 'Urgent one' }), ['Pay by card'])
    assert.deepEqual(await searchTitles({ label: 'MONEY' }), ['Pay by cheque', 'Pay by card'])
    assert.deepEqual(await searchTitles({ q: 'card', label: 'Money' }), ['Pay by card'])
    assert.deepEqual(await searchTitles({ label: 'mone' }), [])
    assert.deepEqual(await searchTitles({ q: 'card', status: 'done' }), ['Play cards', 'Pay by card'])
    assert.deepEqual(await searchTitles({ q: 'card', status: 'done', label: 'money' }), ['Pay by card'])
    assert.deepEqual(await searchTitles({ q: 'pa', status: 'todo', label: 'money' }), ['Pay by cheque'])
    assert.deepEqual(await searchTitles({ q: '' }), ['Play cards', 'Pay by cheque', 'Pay by card'])
    assert.deepEqual(await searchTitles({}), ['Play cards', 'Pay by cheque', 'Pay by card'])
  })

  test('type and priority can be combined with every other filter of the ticket search', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    await createTicket('Crash at start', { type: 'bug', priority: 'urgent', labels: ['app'] })
    await createTicket('Crash at the end', { type: 'bug', status: 'done' })
    await createTicket('Crash course', { type: 'feature', priority: 'urgent' })
    assert.deepEqual(await searchTitles({ type: 'bug' }), ['Crash at the end', 'Crash at start'])
    assert.deepEqual(await searchTitles({ priority: 'urgent' }), ['Crash course', 'Crash at start'])
    assert.deepEqual(await searchTitles({ type: 'bug', priority: 'urgent' }), ['Crash at start'])
    assert.deepEqual(await searchTitles({ type: 'bug', status: 'done' }), ['Crash at the end'])
    assert.deepEqual(await searchTitles({ type: 'bug', label: 'app' }), ['Crash at start'])
    assert.deepEqual(await searchTitles({ q: 'crash', type: 'feature' }), ['Crash course'])
    assert.deepEqual(await searchTitles({ q: 'cr', priority: 'none' }), ['Crash at the end'])
    assert.deepEqual(await searchTitles({ type: 'chore' }), [])
    const first = await runSearch({ type: 'bug', limit: '1' })
    assert.deepEqual(await searchTitles({ type: 'bug', limit: '1', cursor: first.nextCursor ?? '' }), [
      'Crash at start',
    ])
  })

  test('a ticket with a changed title or body is found by its new text only', async () => {
    leaves({ events: { 'ticket.created': 1, 'ticket.updated': 2 } })
    const id = await createTicket('Apples', { body: 'and oranges' })
    await owner.call(`PATCH ${tickets}/${id}`, { title: 'Pears' })
    assert.deepEqual(await searchTitles({ q: 'apples' }), [])
    assert.deepEqual(await searchTitles({ q: 'pears' }), ['Pears'])
    assert.deepEqual(await searchTitles({ q: 'oranges' }), ['Pears'])
    await owner.call(`PATCH ${tickets}/${id}`, { body: 'and plums' })
    assert.deepEqual(await searchTitles({ q: 'oranges' }), [])
    assert.deepEqual(await searchTitles({ q: 'plums' }), ['Pears'])
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
        const page: Page = await runSearch({ q, limit: '2', ...(cursor !== '' && { cursor }) })
        seen.push(...page.items.map(({ title }) => title))
        cursor = page.nextCursor
        await createTicket(`Ticket that is young ${pages}`)
      }
      assert.deepEqual(
        seen.toSorted(),
        Array.from({ length: 7 }, (_, i) => `Ticket ${i}`),
      )
    })

  test('ticket search returns the same tickets whether a project has many tickets or few', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    await createTicket('Needle in the stack')
    const found = await runSearch({ q: 'needle' })
    await sql`update ticket_counts set n = 100000 where project_id = ${projectId} and kind = 'status'`.execute(
      app.platform.db,
    )
    assert.deepEqual(await runSearch({ q: 'needle' }), found)
    assert.deepEqual(await searchTitles({ q: 'nowhere' }), [])
  })

  test('a ticket search that no index supports reads tickets in batches, and its cursor continues after the last batch', async () => {
    leaves({ events: { 'ticket.created': 10 } })
    for (let i = 0; i < 10; i++) await createTicket(i % 4 === 0 ? `Zu ${i}` : `Other ${i}`)
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

  test('for a wrong parameter of the ticket search, the error names the parameter', async () => {
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
    await createTicket('Secret plan')
    const stranger = await app.signUp()
    assert.equal((await stranger.call(`GET ${tickets}/search?q=secret`)).status, 404)
    const own = await stranger.call<{ id: string }>('POST /projects', {})
    const found = await stranger.call<Page>(`GET /projects/${own.data.id}/tickets/search?q=secret`)
    assert.deepEqual(found.data, { items: [], nextCursor: null })
  })
})
