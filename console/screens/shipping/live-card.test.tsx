import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { isShown, serve, show } from '../../testing/console.tsx'
import { live, project } from './live-app.test.fixture.ts'
import { LiveCard } from './live-card.tsx'

function open(deployment: DeployState) {
  serve({ 'GET /projects/prj_1/versions': () => [], 'GET /projects/prj_1/deploy': () => deployment })
  show(<LiveCard project={project} deployment={deployment} />)
}

describe('the live app on the page Ship', () => {
  test('an app whose newest version is live shows that version once, and when it was shipped', () => {
    // The fixture is created when the file loads, which can be minutes before this test.
    open({ ...live, deployedAt: new Date(Date.now() - 5 * 60_000).toISOString() })
    assert.ok(isShown(/Up to date\./))
    assert.ok(isShown('5 minutes ago'))
    assert.equal(screen.getAllByText('abc1234').length, 1)
    assert.ok(isShown('Live now'))
    assert.ok(!isShown('Will be live'))
  })

  test('a newer build is shown beside the live version', () => {
    open({ ...live, builtSha: 'fff0000aaa', upToDate: false })
    assert.ok(isShown('Will be live'))
    assert.ok(isShown('fff0000'))
    assert.ok(isShown('abc1234'))
  })

  test('an archived app shows its version once, and not as live', () => {
    open({ ...live, state: 'archived' })
    assert.equal(screen.getAllByText('abc1234').length, 1)
    assert.ok(!isShown('Live now'))
  })
})
