import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { AppTeams } from './live-tab.tsx'

const LIST_TEAMS = 'GET /projects/prj_1/capabilities/team/teams'
const ADA = `u_${'a'.repeat(26)}`
const teamBase = { createdAt: '2026-11-20T10:00:00.000Z' }

describe('the teams of a live app', () => {
  test('the teams of an app are listed with their size, open invitations and creator', async () => {
    serve({
      [LIST_TEAMS]: () => [
        { ...teamBase, id: 't_1', name: 'Red', members: 2, pendingInvites: 1, createdBy: ADA },
        { ...teamBase, id: 't_2', name: 'Blue', members: 1, pendingInvites: 0, createdBy: null },
      ],
    })
    show(<AppTeams projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Red')))
    assert.ok(isShown('2 teams'))
    const rows = screen.getAllByRole('listitem').map((row) => row.textContent ?? '')
    assert.match(rows[0] ?? '', /2 members · 1 open invitation · created .* · Its creator/)
    assert.match(rows[1] ?? '', /1 member · created .* · its creator was erased/)
    const maker = screen.getByRole('link', { name: 'Its creator' })
    assert.match(maker.getAttribute('href') ?? '', new RegExp(`capabilities/auth\\?.*q=${ADA}`))
  })

  test('the teams page of an app without teams says that there are none', async () => {
    serve({ [LIST_TEAMS]: () => [] })
    show(<AppTeams projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('No team yet')))
  })

  test('the teams page of an app that was never shipped asks the person to ship it', async () => {
    serve({ [LIST_TEAMS]: () => new Refusal(404, 'not_enabled', 'Teams is on, but not deployed yet.') })
    show(<AppTeams projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
