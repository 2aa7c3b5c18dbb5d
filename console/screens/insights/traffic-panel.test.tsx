import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Project } from '@slipway/sdk/client/types.gen.ts'
import { screen } from '@testing-library/react'
import { assertAlert, isThere, press, Refusal, serve, show } from '../../testing/console.tsx'
import { TrafficPanel } from './traffic-panel.tsx'

const ANALYTICS = 'GET /projects/prj_1/analytics'
const showPanel = (answer: () => unknown, lifecycle = 'live', builtSha: string | null = 'sha_1') => {
  serve({ [ANALYTICS]: answer, 'GET /projects/prj_1/deploy': () => ({ state: 'none', builtSha }) })
  show(<TrafficPanel project={{ id: 'prj_1', lifecycle } as Project} />)
}
const figures = () => Array.from(document.querySelectorAll('dl > div'), (one) => one.textContent)
const table = () =>
  screen
    .getAllByRole('row', { hidden: true })
    .slice(1)
    .map((row) => [
      row.querySelector('time')?.getAttribute('datetime'),
      ...Array.from(row.querySelectorAll('td'), (cell) => cell.textContent),
    ])
const ok = (requests: number, errors: number, series: object[] = []) => ({
  state: 'ok',
  requests,
  errors,
  series,
})

describe('the traffic of a live app', () => {
  test('the traffic panel shows the totals and the error rate, and a table with a row for each hour', async () => {
    showPanel(() =>
      ok(12_400, 31, [
        { at: '2026-01-01T10:00:00.000Z', requests: 12_000, errors: 31 },
        { at: '2026-01-01T11:00:00.000Z', requests: 400, errors: 0 },
      ]),
    )
    await screen.findAllByRole('row', { hidden: true })
    assert.deepEqual(figures(), ['Requests12.4k', 'Errors31', 'Error rate0.3%'])
    assert.deepEqual(table(), [
      ['2026-01-01T10:00:00.000Z', '12000', '31'],
      ['2026-01-01T11:00:00.000Z', '400', '0'],
    ])
  })

  test('an app without requests shows no error rate', async () => {
    showPanel(() => ok(0, 0))
    await screen.findByText('Show as a table')
    assert.deepEqual(figures(), ['Requests0', 'Errors0', 'Error rate–'])
  })

  test('when the app is not live, the traffic panel says that there is no data yet and links to the ship page', async () => {
    showPanel(() => ({ state: 'unavailable' }), 'offline')
    assert.ok(await screen.findByText('The project is not live. Figures come from the live app.'))
    assert.equal(
      screen.getByRole('link', { name: 'Ship project' }).getAttribute('href'),
      '/projects/prj_1/ship',
    )
  })

  test('while nothing is built yet, the traffic panel links to the workspace and not to the ship page, where nothing could be shipped', async () => {
    showPanel(() => ({ state: 'unavailable' }), 'offline', null)
    const link = await screen.findByRole('link', { name: 'Build a ticket' })
    assert.equal(link.getAttribute('href'), '/projects/prj_1')
    assert.ok(!isThere('link', 'Ship project'))
  })

  test('when the cloud account returns no traffic data for a live app, the traffic panel links to the connections', async () => {
    showPanel(() => ({ state: 'unavailable' }))
    assert.ok(await screen.findByRole('link', { name: 'Open connections' }))
  })

  test('when the traffic data cannot be loaded, the traffic panel shows the reason and offers a retry', async () => {
    let answer: unknown = new Refusal(403, 'forbidden', 'You may not.')
    showPanel(() => answer)
    await assertAlert(/You may not/)
    answer = ok(1, 1)
    press(/again/i)
    await screen.findByText('Show as a table')
    assert.deepEqual(figures(), ['Requests1', 'Errors1', 'Error rate100%'])
  })
})
