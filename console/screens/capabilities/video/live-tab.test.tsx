import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { screen, waitFor, within } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { Videos } from './live-tab.tsx'

const LIST_VIDEOS = 'GET /projects/prj_1/capabilities/video'
const SPEND = { month: '2026-11', used: 7, monthly: 100 }
const videoOf = (id: string, status: string, seconds: number | null) => ({
  id,
  userId: 'u_1',
  userName: id === '1' ? null : 'Ada',
  name: `Trip ${id}`,
  status,
  seconds,
  createdAt: new Date().toISOString(),
})

describe('the videos of an app', () => {
  test('each video is listed with its length, age and state, and the minutes used this month are shown', async () => {
    const videos = [videoOf('3', 'pending', null), videoOf('2', 'ready', 65.4), videoOf('1', 'error', null)]
    serve({ [`${LIST_VIDEOS}/spend`]: () => SPEND, [`${LIST_VIDEOS}/videos`]: () => videos })
    show(<Videos projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('7 of 100 minutes of video taken')))
    const rows = within(screen.getByRole('table', { name: 'Videos' }))
      .getAllByRole('row')
      .slice(1)
    assert.deepEqual(
      rows.map((row) => [...row.children].map((cell) => cell.textContent)),
      [
        ['Trip 3', 'Ada', '', 'just now', 'Not uploaded yet'],
        ['Trip 2', 'Ada', '1:05', 'just now', 'Ready'],
        ['Trip 1', '', '', 'just now', 'Could not be used'],
      ],
    )
  })

  test('the videos page of an app without videos says that there are none', async () => {
    serve({ [`${LIST_VIDEOS}/spend`]: () => SPEND, [`${LIST_VIDEOS}/videos`]: () => [] })
    show(<Videos projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('No videos yet')))
  })

  test('the videos page of an app that was never shipped asks the person to ship it', async () => {
    const notDeployed = () => new Refusal(404, 'not_enabled', 'Video is on, but not deployed yet.')
    serve({ [`${LIST_VIDEOS}/spend`]: notDeployed, [`${LIST_VIDEOS}/videos`]: notDeployed })
    show(<Videos projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
