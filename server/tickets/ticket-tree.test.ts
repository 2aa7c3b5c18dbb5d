import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Client, testApp, type TestApp } from '../testing/app.ts'
import { leaves } from '../testing/effects.ts'

interface Item {
  id: string
  title: string
  childCount: number
  openChildCount: number
}
interface Page {
  items: Item[]
  nextCursor: string | null
}

describe('the ticket tree', () => {
  let app: TestApp
  let owner: Client
  let tickets: string
  before(async () => {
    app = await testApp()
  })
  beforeEach(async () => {
    owner = await app.signUp()
    const project = await owner.call<{ id: string }>('POST /projects', {})
    app.effects.prepared({ events: { 'project.created': 1 } })
    tickets = `/projects/${project.data.id}/tickets`
  })
  after(() => app.close())

  const createTicket = async (title: string, fields: object = {}) =>
    (await owner.call<{ id: string }>(`POST ${tickets}`, { title, ...fields })).data.id
  const readPage = async (query = '') => (await owner.call<Page>(`GET ${tickets}/tree${query}`)).data
  const titlesOf = ({ items }: Page) => items.map(({ title }) => title)

  test('the top level of the ticket tree is oldest first, each ticket with the counts of its direct children', async () => {
    leaves({ events: { 'ticket.created': 6 } })
    const top = await createTicket('Top')
    app.clock.advance(1)
    await createTicket('Other')
    for (const status of ['todo', 'done', 'cancelled', 'in_review']) {
      app.clock.advance(1)
      await createTicket(status, { parent: top, status })
    }
    const roots = await readPage()
    assert.deepEqual(await readPage('?parent=root&active=0&limit=100'), roots)
    assert.deepEqual(
      roots.items.map(({ title, childCount, openChildCount }) => [title, childCount, openChildCount]),
      [
        ['Top', 4, 2],
        ['Other', 0, 0],
      ],
    )
    assert.equal(roots.nextCursor, null)
    assert.deepEqual(titlesOf(await readPage(`?parent=${top}`)), ['todo', 'done', 'cancelled', 'in_review'])
    assert.deepEqual(titlesOf(await readPage(`?parent=${top}&active=1`)), ['todo', 'in_review'])
  })

  test('grandchildren are not counted as children in the ticket tree', async () => {
    leaves({ events: { 'ticket.created': 3 } })
    const top = await createTicket('Top')
    const middle = await createTicket('Middle', { parent: top })
    await createTicket('Bottom', { parent: middle })
    assert.equal((await readPage()).items[0]?.childCount, 1)
  })

  test('each item of the ticket tree is the ticket with all its fields', async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const id = await createTicket('Top', { body: 'Text', labels: ['a'], dueAt: '2026-12-24T18:00:00Z' })
    const ticket = await owner.call(`GET ${tickets}/${id}`)
    const { items } = await readPage()
    assert.deepEqual(items, [{ ...ticket.data, childCount: 0, openChildCount: 0 }])
  })

  for (const below of ['root', 'a parent'])
    test(`pages of the ticket tree below ${below} skip and repeat no ticket, even while tickets are created`, async () => {
      leaves({ events: { 'ticket.created': below === 'root' ? 9 : 10 } })
      const parent = below === 'root' ? null : await createTicket('Parent')
      const query = `?limit=2&active=1&parent=${parent ?? 'root'}`
      for (let i = 0; i < 7; i++) await createTicket(`Ticket ${i}`, { parent })
      const seen: string[] = []
      let next = await readPage(query)
      for (let pages = 0; next.nextCursor !== null; pages++) {
        assert.ok(pages < 9, 'it never ends')
        assert.equal(next.items.length, 2)
        seen.push(...titlesOf(next))
        app.clock.advance(1)
        // New tickets are last in this order, so each of them is returned exactly once too.
        if (pages < 2) await createTicket(`Young ${pages}`, { parent })
        next = await readPage(`${query}&cursor=${encodeURIComponent(next.nextCursor)}`)
      }
      seen.push(...titlesOf(next))
      const all = Array.from({ length: 7 }, (_, i) => `Ticket ${i}`)
      assert.deepEqual(seen.slice(0, 7).toSorted(), all)
      assert.deepEqual(seen.slice(7), ['Young 0', 'Young 1'])
    })

  test('a finished ticket is no longer in the list of active tickets and returns to it when it is reopened', async () => {
    leaves({ events: { 'ticket.created': 2, 'ticket.updated': 2 } })
    const top = await createTicket('Top')
    const id = await createTicket('One', { parent: top })
    const activeTitles = async () => titlesOf(await readPage(`?parent=${top}&active=1`))
    await owner.call(`PATCH ${tickets}/${id}`, { status: 'done' })
    assert.deepEqual(await activeTitles(), [])
    await owner.call(`PATCH ${tickets}/${id}`, { status: 'backlog' })
    assert.deepEqual(await activeTitles(), ['One'])
  })

  test('for a wrong parameter of the ticket tree, or a parent outside the project, the error names the parameter', async () => {
    leaves({ events: { 'project.created': 1, 'ticket.created': 1 } })
    const elsewhere = await owner.call<{ id: string }>('POST /projects', {})
    const foreign = await owner.call<{ id: string }>(`POST /projects/${elsewhere.data.id}/tickets`, {
      title: 'Foreign',
    })
    const bad: [string, string][] = [
      ['parent=tkt_00000000000000000000000000', 'parent'],
      [`parent=${foreign.data.id}`, 'parent'],
      ['parent=', 'parent'],
      ['parent=ROOT', 'parent'],
      ['active=2', 'active'],
      ['active=true', 'active'],
      ['limit=0', 'limit'],
      ['limit=501', 'limit'],
      ['cursor=1:prj_00000000000000000000000000', 'cursor'],
    ]
    for (const [query, name] of bad) {
      const refused = await owner.call(`GET ${tickets}/tree?${query}`)
      assert.equal(refused.status, 400, query)
      assert.ok(refused.error?.message.startsWith(`${name}: `), String(refused.error?.message))
    }
  })

  test("a request for the ticket tree of another organization's project returns 404, with and without a parent", async () => {
    leaves({ events: { 'ticket.created': 1 } })
    const stranger = await app.signUp()
    const id = await createTicket('Mine')
    for (const parent of ['root', id])
      assert.equal((await stranger.call(`GET ${tickets}/tree?parent=${parent}`)).status, 404)
  })
})
