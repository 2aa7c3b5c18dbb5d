import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen } from '@testing-library/react'
import { isShown, press, serve, show, untilSent, write } from '../../../testing/console.tsx'
import { People } from './live-tab.tsx'

const LIST_PEOPLE = 'GET /projects/prj_1/capabilities/auth/people'
const appUser = (name: string) => ({
  id: `u_${name.toLowerCase().padEnd(26, '0')}`,
  name,
  email: `${name.toLowerCase()}@example.test`,
  emailVerified: false,
  role: 'member',
  sessions: 1,
  methods: ['password'],
  createdAt: '2026-11-20T00:00:00.000Z',
  lastSeenAt: null,
  brokenConnections: [] as string[],
  erasing: false,
})

function renderPeople(q: string, pages: Record<string, unknown>) {
  const typed: string[] = []
  const calls = serve({ [LIST_PEOPLE]: ({ query }) => pages[query['cursor'] ?? ''] })
  show(<People projectId="prj_1" q={q} typed={q} onType={(words) => typed.push(words)} />)
  return { typed, asked: () => calls[LIST_PEOPLE]?.map(({ query }) => query) }
}

describe('the users of an app', () => {
  test('the users of an app are loaded in pages and can be searched', async () => {
    const { typed, asked } = renderPeople('a', {
      '': { items: [appUser('Ada')], nextCursor: 'next' },
      next: { items: [appUser('Adam')], nextCursor: null },
    })
    await screen.findByText('The newest 1')
    press('Show more')
    await screen.findByText('2 people')
    assert.ok(isShown('Ada') && isShown('Adam'))
    assert.deepEqual(asked(), [
      { limit: '50', q: 'a' },
      { limit: '50', q: 'a', cursor: 'next' },
    ])
    write('Search by name or address', 'ad')
    assert.deepEqual(typed, ['ad'])
  })

  test('a search without results among the users of an app keeps the search field', async () => {
    const nobody = { '': { items: [], nextCursor: null } }
    renderPeople('zoe', nobody)
    await screen.findByText('No person matches “zoe”')
    assert.ok(screen.getByLabelText('Search by name or address'))
  })

  test('after a search for app users without results is cleared, the search field stays while all users are read', async () => {
    const all = Promise.withResolvers<void>()
    serve({
      [LIST_PEOPLE]: async ({ query }) => {
        if (query['q'] !== undefined) return { items: [], nextCursor: null }
        await all.promise
        return { items: [appUser('Ada')], nextCursor: null }
      },
    })
    const people = (q: string) => <People projectId="prj_1" q={q} typed={q} onType={() => {}} />
    const { rerender } = show(people('zoe'))
    await screen.findByText('No person matches “zoe”')
    const search = screen.getByLabelText('Search by name or address')
    rerender(people(''))
    await untilSent()
    assert.ok(search.isConnected)
    assert.ok(!isShown('No accounts yet') && !isShown(/^No person matches/))
    all.resolve()
    await screen.findByText('Ada')
    assert.ok(search.isConnected)
  })

  test('an app user with an interrupted erasure has no role field, and the erasure can be continued', async () => {
    renderPeople('', {
      '': { items: [appUser('Ada'), { ...appUser('Bob'), erasing: true }], nextCursor: null },
    })
    await screen.findByText('Being erased')
    assert.ok(screen.getByLabelText('Role of Ada'))
    assert.ok(screen.queryByLabelText('Role of Bob') === null)
    assert.equal(screen.getAllByText('Being erased').length, 1)
    press('Continue erasing Bob')
    assert.ok(await screen.findByRole('dialog', { name: 'Erase Bob?' }))
  })

  test('an app user who has to reconnect linked services is listed with the names of those services', async () => {
    const ada = { ...appUser('Ada'), brokenConnections: ['github', 'slack'] }
    renderPeople('', { '': { items: [ada, appUser('Bob')], nextCursor: null } })
    await screen.findByText('Must link again: github, slack')
    assert.equal(screen.getAllByText(/Must link again/).length, 1)
  })

  test('the page of an app without users shows no search field', async () => {
    renderPeople('', { '': { items: [], nextCursor: null } })
    await screen.findByText('No accounts yet')
    assert.ok(screen.queryByRole('searchbox') === null)
  })
})
