import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { AttentionItem } from '../api/project/attention.ts'
import { UnseenBuilds } from './unseen-builds.ts'

const item = (runId: string): AttentionItem => ({
  projectId: 'prj_1',
  projectName: 'Plants',
  ticketId: 'tkt_1',
  title: 'Track plants',
  runId,
  state: 'built',
  at: '2026-01-01T00:00:00.000Z',
})
const runs = (items: AttentionItem[]) => items.map(({ runId }) => runId)

function storage() {
  const kept = new Map<string, string>()
  return { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) }
}

describe('builds that were not seen yet', () => {
  test('on the first visit all builds count as seen, and later builds are unseen until their project is opened', () => {
    const shared = storage()
    const news = new UnseenBuilds(shared)
    assert.deepEqual(news.unseen([item('a'), item('b')]), [])
    assert.deepEqual(runs(news.unseen([item('c'), item('a')])), ['c'])
    assert.deepEqual(runs(new UnseenBuilds(shared).unseen([item('c')])), ['c'], 'another tab says the same')
    news.markSeen([item('c'), item('a')])
    assert.deepEqual(news.unseen([item('c'), item('a')]), [])
  })

  test('the first build of an organization without builds counts as unseen', () => {
    const news = new UnseenBuilds(storage())
    assert.deepEqual(news.unseen([]), [])
    assert.deepEqual(runs(news.unseen([item('a')])), ['a'])
  })

  test('with blocked storage all builds count as seen', () => {
    const refusing = () => {
      throw new Error('blocked')
    }
    const news = new UnseenBuilds({ getItem: refusing, setItem: refusing })
    assert.deepEqual(news.unseen([item('a')]), [])
    news.markSeen([item('a')])
  })
})
