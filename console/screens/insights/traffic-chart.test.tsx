import assert from 'node:assert/strict'
import { afterEach, describe, test } from 'node:test'
import { act, screen } from '@testing-library/react'
import { show } from '../../testing/console.tsx'
import { type Series, TrafficChart } from './traffic-chart.tsx'

const seriesOf = (...requests: number[]): Series =>
  requests.map((count, hour) => ({
    at: new Date(Date.UTC(2026, 0, 1, hour)).toISOString(),
    requests: count,
    errors: 0,
  })) as Series
const charts = () => document.querySelectorAll('.uplot').length

describe('the chart of the traffic of an app', () => {
  afterEach(() => {
    delete document.documentElement.dataset['mode']
  })

  test('the traffic chart is one image with a name for screen readers, and is drawn even without data', () => {
    const { rerender } = show(<TrafficChart series={seriesOf(3, 0, 12)} label="Requests by the hour" />)
    assert.ok(screen.getByRole('img', { name: 'Requests by the hour' }))
    assert.equal(charts(), 1)
    rerender(<TrafficChart series={seriesOf()} label="Requests by the hour" />)
    assert.equal(charts(), 1)
  })

  test('the traffic chart is drawn again for new data and another theme, but not after it was removed', async () => {
    const { rerender, unmount } = show(<TrafficChart series={seriesOf(1)} label="Requests" />)
    const first = document.querySelector('.uplot')
    rerender(<TrafficChart series={seriesOf(1, 2)} label="Requests" />)
    const second = document.querySelector('.uplot')
    assert.deepEqual([charts(), first === second], [1, false])
    await act(async () => {
      document.documentElement.dataset['mode'] = 'dark'
    })
    assert.deepEqual([charts(), document.querySelector('.uplot') === second], [1, false])
    unmount()
    await act(async () => {
      document.documentElement.dataset['mode'] = 'light'
    })
    assert.equal(charts(), 0)
  })
})
