import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, test } from 'node:test'
import type { AttentionBuild } from '../api/project/attention.ts'
import { meQuery } from '../api/account/session.ts'
import { queryClient } from '../api/request/query-client.ts'
import { UnseenBuilds } from './unseen-builds.ts'

const builtItem = (runId: string): AttentionBuild => ({
  projectId: 'prj_1',
  projectName: 'Plants',
  ticketId: 'tkt_1',
  title: 'Track plants',
  runId,
  state: 'built',
  at: '2026-01-01T00:00:00.000Z',
})
const runIds = (items: AttentionBuild[]) => items.map(({ runId }) => runId)

function memoryStorage() {
  const kept = new Map<string, string>()
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) }
}

const signInAs = (id: string, organization: string) =>
  queryClient.setQueryData(meQuery().queryKey, {
    user: { id, name: 'Ada', email: 'ada@example.test' },
    organization: { id: organization, name: 'Ada’s' },
    role: 'owner',
    scopes: [],
    plan: 'free',
  })

describe('builds that were not seen yet', () => {
  beforeEach(() => void signInAs('usr_ada', 'org_1'))
  afterEach(() => queryClient.clear())

  test('on the first visit all builds count as seen, and later builds are unseen until their project is opened', () => {
    const shared = memoryStorage()
    const news = new UnseenBuilds(shared)
    assert.deepEqual(news.unseen([builtItem('a'), builtItem('b')]), [])
    assert.deepEqual(runIds(news.unseen([builtItem('c'), builtItem('a')])), ['c'])
    assert.deepEqual(
      runIds(new UnseenBuilds(shared).unseen([builtItem('c')])),
      ['c'],
      'another tab says the same',
    )
    news.markSeen([builtItem('c'), builtItem('a')])
    assert.deepEqual(news.unseen([builtItem('c'), builtItem('a')]), [])
  })

  test('1,200 builds (the most that a response lists) still count as seen after another 1,200 were seen', () => {
    const news = new UnseenBuilds(memoryStorage())
    const itemsOf = (round: string) => Array.from({ length: 1200 }, (_, n) => builtItem(`${round}-${n}`))
    news.markSeen(itemsOf('first'))
    news.markSeen(itemsOf('second'))
    assert.equal(news.unseen([...itemsOf('first'), ...itemsOf('second')]).length, 0)
  })

  test('the first build of an organization counts as unseen after a visit without builds', () => {
    const news = new UnseenBuilds(memoryStorage())
    assert.deepEqual(news.unseen([]), [])
    assert.deepEqual(runIds(news.unseen([builtItem('a')])), ['a'])
  })

  test('the first visit and the seen builds are stored for each user and each organization separately', () => {
    const shared = memoryStorage()
    const itemsOf = (name: string) => Array.from({ length: 1200 }, (_, n) => builtItem(`${name}-${n}`))
    const visits = [
      ['usr_ada', 'org_1'],
      ['usr_ada', 'org_2'],
      ['usr_ada', 'org_3'],
      ['usr_bob', 'org_1'],
    ] as const
    for (const [user, organization] of visits) {
      signInAs(user, organization)
      assert.deepEqual(new UnseenBuilds(shared).unseen(itemsOf(`${user}-${organization}`)), [])
    }
    for (const [user, organization] of visits) {
      signInAs(user, organization)
      const items = [builtItem('new'), ...itemsOf(`${user}-${organization}`)]
      assert.deepEqual(runIds(new UnseenBuilds(shared).unseen(items)), ['new'], `${user} ${organization}`)
    }
  })

  test('without a signed-in user no build is new or stored as seen', () => {
    const shared = memoryStorage()
    queryClient.clear()
    const news = new UnseenBuilds(shared)
    news.markSeen([builtItem('a')])
    assert.deepEqual(news.unseen([builtItem('b')]), [])
    signInAs('usr_ada', 'org_1')
    assert.deepEqual(new UnseenBuilds(shared).unseen([builtItem('c')]), [])
    assert.deepEqual(runIds(new UnseenBuilds(shared).unseen([builtItem('a'), builtItem('c')])), ['a'])
  })

  test('in a browser that blocks storage, all builds count as seen', () => {
    const refusing = () => {
      throw new Error('blocked')
    }
    const news = new UnseenBuilds({ getItem: refusing, setItem: refusing })
    assert.deepEqual(news.unseen([builtItem('a')]), [])
    news.markSeen([builtItem('a')])
  })
})
