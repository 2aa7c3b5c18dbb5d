import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { ScheduledJobs } from './live-tab.tsx'

const LIST_JOBS = 'GET /projects/prj_1/capabilities/schedule/jobs'
const job = {
  name: 'nightly',
  repeat: 'day at 03:00',
  nextRunAt: '2126-11-24T03:00:00.000Z',
  lastRunAt: '2026-11-23T03:00:00.000Z',
  lastStatus: 'failed',
  lastDurationMs: 1500,
  attempts: 5,
  lastError: 'it rained',
  paused: false,
}

describe('the scheduled jobs of the live app', () => {
  test('each scheduled job shows its interval, the result of its last run and the error', async () => {
    const fresh = {
      name: 'weekly',
      repeat: 'monday at 09:00',
      lastStatus: null,
      lastRunAt: null,
      lastError: null,
    }
    serve({ [LIST_JOBS]: () => [job, { ...job, ...fresh }] })
    show(<ScheduledJobs projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('nightly')))
    for (const words of [
      'every day at 03:00',
      'every monday at 09:00',
      'failed',
      'took 1.5 s',
      'it rained',
      'has not run yet',
    ])
      assert.ok(isShown(words), words)
  })

  test('a paused scheduled job shows no next run', async () => {
    serve({ [LIST_JOBS]: () => [{ ...job, paused: true }] })
    show(<ScheduledJobs projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('paused')))
    assert.ok(!isShown('next'))
  })

  test('the schedule page of an app without scheduled jobs says that there are none', async () => {
    serve({ [LIST_JOBS]: () => [] })
    show(<ScheduledJobs projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('The live app has no schedules')))
  })

  test('the schedule page of an app that was never shipped asks the person to ship it', async () => {
    serve({ [LIST_JOBS]: () => new Refusal(404, 'not_enabled', 'Schedules is on, but not deployed yet.') })
    show(<ScheduledJobs projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
