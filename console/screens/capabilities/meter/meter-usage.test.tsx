import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { MeterUsage } from './meter-usage.tsx'

const AT = 'GET /projects/prj_1/capabilities/meter/usage'
const base = { windowStart: null, windowEnd: null }

describe('the usage of meters', () => {
  test('each meter shows whom it counts and how much of it is used', async () => {
    const limits = [
      { ...base, key: 'exports', per: 'user', window: 'day', limit: 1000, spent: 12, people: 2 },
      { ...base, key: 'mails', per: 'app', window: 'lifetime', limit: 100, spent: 40, people: 1 },
    ]
    serve({ [AT]: () => ({ limits }) })
    show(<MeterUsage projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('exports')))
    for (const line of [
      '1,000 per person a day',
      '12 spent by 2 people',
      '100 in all for ever',
      '40 of 100 spent',
    ])
      assert.ok(isShown(line), line)
  })

  test('an app without meters says that none are declared', async () => {
    serve({ [AT]: () => ({ limits: [] }) })
    show(<MeterUsage projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('The live app declares no meters')))
  })

  test('an app that was never shipped says that it has to be', async () => {
    serve({ [AT]: () => new Refusal(404, 'not_enabled', 'Usage limits is on, but not deployed yet.') })
    show(<MeterUsage projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
