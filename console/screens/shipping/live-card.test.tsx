import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { DeployState } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { isShown, serve, show } from '../../testing/console.tsx'
import { live, project } from './live-app.test.fixture.ts'
import { LiveCard } from './live-card.tsx'

function renderLiveCard(deployment: DeployState) {
  serve({ 'GET /projects/prj_1/versions': () => [], 'GET /projects/prj_1/deploy': () => deployment })
  show(<LiveCard project={project} deployment={deployment} />)
}

describe('the live app on the page Ship', () => {
  test('when the newest version of an app is live, the card shows that version once, with the time of its deployment', () => {
    renderLiveCard(live)
    assert.ok(isShown(/Up to date\./))
    assert.ok(isShown('5 hours ago'))
    assert.equal(screen.getAllByText('abc1234').length, 1)
    assert.ok(isShown('Live now'))
    assert.ok(!isShown('Will be live'))
  })

  test('a newer build is shown beside the live version of an app', () => {
    renderLiveCard({ ...live, builtSha: 'fff0000aaa', upToDate: false })
    assert.ok(isShown('Will be live'))
    assert.ok(isShown('fff0000'))
    assert.ok(isShown('abc1234'))
  })

  test('a build of an app that was never shipped is not called newer', () => {
    renderLiveCard({ ...live, state: 'none', url: null, sha: null, deployedAt: null, upToDate: false })
    assert.ok(isShown(/^A build is ready to ship\./))
    assert.ok(!isShown(/newer/))
  })

  test('the card of an archived app shows its version once, and not as live', () => {
    renderLiveCard({ ...live, state: 'archived' })
    assert.equal(screen.getAllByText('abc1234').length, 1)
    assert.ok(!isShown('Live now'))
  })
})
