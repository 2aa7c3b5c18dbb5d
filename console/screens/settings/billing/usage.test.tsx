import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Billing } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { isShown, show } from '../../../testing/console.tsx'
import { Usage } from './usage.tsx'

const OVER = /^More are live than the plan allows/

/** Shows the usage with these live projects. The used amounts of projects and builds are 0. */
function showUsage(liveProjects: { used: number; limit: number | null }, limit: number | null = 10) {
  const none = { used: 0, limit }
  show(<Usage state={{ projects: none, builds: none, liveProjects } as Billing} />)
}
const bar = () => screen.getByRole<HTMLProgressElement>('progressbar', { name: 'Live projects' })

describe('the usage of a plan', () => {
  test('each limit of the plan shows the used and the remaining amount in grouped digits, with a bar named after the limit', () => {
    showUsage({ used: 1200, limit: 5000 })
    assert.ok(isShown('1,200 of 5,000, 3,800 left'))
    assert.deepEqual([bar().value, bar().max], [1200, 5000])
    assert.equal(screen.getAllByText('0 of 10, 10 left').length, 2)
  })

  test('usage of a plan without a limit has no bar and is labelled “no limit”', () => {
    showUsage({ used: 3, limit: null }, null)
    assert.ok(isShown('3, no limit'))
    assert.equal(screen.queryAllByRole('progressbar').length, 0)
    assert.ok(!isShown(OVER))
  })

  test('after a change to a smaller plan, the usage has a full bar and says that all projects keep running', () => {
    showUsage({ used: 7, limit: 3 })
    assert.ok(isShown('7 of 3, 0 left'))
    assert.ok(isShown(OVER))
    assert.deepEqual([bar().value, bar().max], [3, 3])
  })

  test('a plan that is used up exactly is not shown as exceeded', () => {
    showUsage({ used: 3, limit: 3 })
    assert.ok(isShown('3 of 3, 0 left'))
    assert.ok(!isShown(OVER))
  })
})
