import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { activityFilter, readActivitySearch } from './filter.ts'

describe('the filters of the activity log', () => {
  test('filters of the activity log are read from the URL, and invalid filters are dropped', () => {
    const search = { project: 'prj_1', from: '2026-01-31', to: '2026-02-28' }
    assert.deepEqual(readActivitySearch(search), search)
    for (const wrong of [
      '2026-02-30',
      '2026-13-01',
      'yesterday',
      '1969-12-01',
      '0099-01-01',
      '0070-06-01',
      '',
      7,
      null,
    ])
      assert.deepEqual(readActivitySearch({ project: '', from: wrong, to: wrong }), {})
  })

  test('filters of the activity log cover whole days, the last one included', () => {
    const { from, to } = activityFilter({ from: '2026-01-31', to: '2026-01-31' })
    assert.equal(from, new Date(2026, 0, 31).getTime())
    assert.equal(to, new Date(2026, 1, 1).getTime() - 1)
  })

  test('the request for the activity log has no filters when none are set', () => {
    assert.deepEqual(activityFilter({}), {})
    assert.deepEqual(activityFilter({ project: 'prj_1' }), { projectId: 'prj_1' })
  })
})
