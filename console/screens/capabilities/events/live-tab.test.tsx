import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { isShown, Refusal, serve, show } from '../../../testing/console.tsx'
import { EventFigures } from './live-tab.tsx'

const READ_SUMMARY = 'GET /projects/prj_1/capabilities/events/summary'
const eventItem = (name: string, group: string | null, count: number, more: object = {}) => ({
  name,
  group,
  count,
  value: 0,
  visitors: Math.ceil(count / 2),
  lastAt: new Date().toISOString(),
  ...more,
})
const DAYS = [
  { day: '2026-11-24', views: 30, events: 10 },
  { day: '2026-11-25', views: 0, events: 0 },
  { day: '2026-11-26', views: 20, events: 0 },
]
const summaryOf = (items: object[]) => ({ state: 'ok', windowDays: 30, items, days: DAYS })

describe('the event counts of an app', () => {
  test('page views and events each have a table with counts, visitors and sums', async () => {
    const items = [
      eventItem('pageview', '/', 1200),
      eventItem('pageview', '/plants/:id', 40),
      eventItem('sold', 'gift', 7, { value: 84.5 }),
    ]
    serve({ [READ_SUMMARY]: () => summaryOf(items) })
    show(<EventFigures projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Page views')))
    const textsOf = (table: string) =>
      within(screen.getByRole('table', { name: table }))
        .getAllByRole('row')
        .slice(1)
        .map((row) => [...row.children].map((cell) => cell.textContent))
    assert.deepEqual(textsOf('Page views'), [
      ['/', '1,200', '600', 'just now'],
      ['/plants/:id', '40', '20', 'just now'],
    ])
    assert.deepEqual(textsOf('Events'), [['sold · gift', '7', '4', '84.5', 'just now']])
  })

  test('the chart of events has a bar for each day, even without events, and its label names the busiest day', async () => {
    serve({ [READ_SUMMARY]: () => summaryOf([eventItem('pageview', '/', 50)]) })
    show(<EventFigures projectId="prj_1" />)
    const name = 'Page views and events of each day, at most 40, on Nov 24'
    const chart = await screen.findByRole('img', { name })
    assert.deepEqual(
      [...chart.children].map((day) => [
        day.getAttribute('title'),
        [...day.querySelectorAll('span')].map((bar) => bar.style.height),
      ]),
      [
        ['Nov 24: 30 page views, 10 events', ['25%', '75%']],
        ['Nov 25: 0 page views, 0 events', ['0%', '0%']],
        ['Nov 26: 20 page views, 0 events', ['0%', '50%']],
      ],
    )
    assert.ok(isShown('Nov 26'))
  })

  test('a table of events shows the twenty most frequent rows, and a button shows the others', async () => {
    serve({
      [READ_SUMMARY]: () =>
        summaryOf(Array.from({ length: 25 }, (_, i) => eventItem('pageview', `/page-${i}`, 100 - i))),
    })
    show(<EventFigures projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('/page-19')))
    assert.ok(!isShown('/page-20'))
    assert.ok(isShown('The live app has counted no event of its own yet.'))
    fireEvent.click(screen.getByRole('button', { name: 'Show 5 more' }))
    assert.ok(isShown('/page-24'))
  })

  test('the events page of an app without events says that nothing was counted', async () => {
    serve({ [READ_SUMMARY]: () => summaryOf([]) })
    show(<EventFigures projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Nothing was counted yet')))
  })

  test('when the event counts are unavailable, the events page offers a retry', async () => {
    let isThere = false
    serve({
      [READ_SUMMARY]: () => (isThere ? summaryOf([eventItem('pageview', '/', 3)]) : { state: 'unavailable' }),
    })
    show(<EventFigures projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('The figures cannot be read right now')))
    assert.ok(screen.getByRole('link', { name: 'See connections' }))
    isThere = true
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    await waitFor(() => assert.ok(isShown('Page views')))
  })

  test('the events page of an app that was never shipped asks the person to ship it', async () => {
    serve({
      [READ_SUMMARY]: () => new Refusal(404, 'not_enabled', 'Product analytics is on, but not deployed yet.'),
    })
    show(<EventFigures projectId="prj_1" />)
    await waitFor(() => assert.ok(isShown('Ship once to see it')))
  })
})
