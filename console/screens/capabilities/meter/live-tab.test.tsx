import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { waitFor } from '@testing-library/react'
import {
  button,
  field,
  isShown,
  press,
  Refusal,
  serve,
  show,
  untilSent,
  write,
} from '../../../testing/console.tsx'
import { MeterUsage } from './live-tab.tsx'

const READ_USAGE = 'GET /projects/prj_1/capabilities/meter/usage'
const READ_CAPABILITY = 'GET /projects/prj_1/capabilities/meter'
const noWindow = { windowStart: null, windowEnd: null }

describe('the usage of meters', () => {
  test('each usage limit shows its value, whether it counts per user or for the app, and how much is used', async () => {
    const limits = [
      { ...noWindow, key: 'exports', per: 'user', window: 'day', limit: 1000, spent: 12, people: 2 },
      { ...noWindow, key: 'mails', per: 'app', window: 'lifetime', limit: 100, spent: 40, people: 1 },
    ]
    serve({ [READ_USAGE]: () => ({ limits }) })
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

  test('changing one usage limit keeps the changed values of the other limits', async () => {
    const limits = [
      { ...noWindow, key: 'exports', per: 'user', window: 'day', limit: 10, spent: 12, people: 2 },
      { ...noWindow, key: 'mails', per: 'app', window: 'month', limit: 100, spent: 40, people: 1 },
    ]
    const provision = { state: 'idle', error: null }
    const meter = {
      key: 'meter',
      title: 'Usage limits',
      enabled: true,
      provision,
      alsoOff: [],
      unchecked: [],
    }
    const saved: unknown[] = []
    let settings: unknown = { limits: { mails: 50 } }
    serve({
      [READ_USAGE]: () => ({ limits }),
      [READ_CAPABILITY]: () => ({ ...meter, settings }),
      'GET /projects/prj_1/capabilities': () => [],
      'PUT /projects/prj_1/capabilities/meter': ({ body }) => {
        saved.push(body)
        settings = (body as { settings: unknown }).settings
        return { ...meter, settings }
      },
    })
    show(<MeterUsage projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('50 in all a month')))
    press('Change the limit of exports')
    assert.equal(field('Limit of exports').value, '10')
    write('Limit of exports', 'many')
    press('Save')
    assert.ok(isShown('Give a number, 0 or more.'))
    await untilSent()
    assert.deepEqual(saved, [])
    write('Limit of exports', '25')
    press('Save')
    await waitFor(() => assert.ok(isShown('25 per person a day')))
    assert.deepEqual(saved, [{ enabled: true, settings: { limits: { mails: 50, exports: 25 } } }])
    assert.equal(isShown('Save'), false)
    assert.ok(document.activeElement === button('Change the limit of exports'))
  })

  test('the usage limits page of an app without usage limits says that there are none', async () => {
    serve({ [READ_USAGE]: () => ({ limits: [] }) })
    show(<MeterUsage projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('The live app declares no meters')))
  })

  test('the usage limits page of an app that was never shipped asks the person to ship it', async () => {
    serve({
      [READ_USAGE]: () => new Refusal(404, 'not_enabled', 'Usage limits is on, but not deployed yet.'),
    })
    show(<MeterUsage projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
