import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import { act, render, screen } from '../testing/kit.test.fixture.tsx'
import { dayOf, localDate, useNow, useToday } from './clock.ts'

const HOUR_MS = 3_600_000
/** Local times, so that the tests do not depend on the time zone of the machine. */
const LATE = new Date(2026, 10, 20, 23, 59, 58, 700)

let renders = 0
function Today() {
  renders++
  return <output>{useToday()}</output>
}
const Now = () => <p>{useNow()}</p>
const shown = () => screen.getByRole('status').textContent
const pass = (ms: number) => act(() => mock.timers.tick(ms))

describe('the clock of a page', () => {
  beforeEach(() => {
    renders = 0
    mock.timers.enable({ apis: ['setInterval', 'Date'], now: LATE.getTime() })
  })
  afterEach(() => mock.timers.reset())

  test('a component that uses the current day renders again at midnight, and not every second', () => {
    render(<Today />)
    pass(1000)
    assert.deepEqual([shown(), renders], ['2026-11-20', 1])
    pass(1000)
    assert.deepEqual([shown(), renders], ['2026-11-21', 2])
    pass(HOUR_MS)
    assert.equal(renders, 2)
  })

  test('a component that uses the current time gets it in whole seconds, updated each second', () => {
    const { container } = render(<Now />)
    const atSecond = (second: number) => String(new Date(2026, 10, 20, 23, 59, second).getTime())
    assert.equal(container.textContent, atSecond(58))
    pass(1000)
    assert.equal(container.textContent, atSecond(59))
  })

  test('components that use the current time share one timer, which ends when the last of them unmounts', () => {
    const started = mock.method(globalThis, 'setInterval')
    const ended = mock.method(globalThis, 'clearInterval')
    const first = render(<Now />)
    const second = render(<Today />)
    assert.equal(started.mock.callCount(), 1)
    first.unmount()
    assert.equal(ended.mock.callCount(), 0)
    second.unmount()
    assert.equal(ended.mock.callCount(), 1)
    render(<Today />)
    assert.equal(started.mock.callCount(), 2)
    mock.restoreAll()
  })

  test("a time with a zone belongs to its day in the person's zone, and a time without a zone to the same day everywhere", () => {
    const zone = process.env['TZ']
    process.env['TZ'] = 'America/Los_Angeles'
    try {
      const times = [new Date(2026, 0, 1, 0, 0, 1), new Date(2026, 11, 31, 23, 59, 59)]
      assert.deepEqual(times.map(localDate), ['2026-01-01', '2026-12-31'])
      assert.deepEqual(
        times.map((time) => dayOf(time.toISOString())),
        ['2026-01-01', '2026-12-31'],
      )
      for (const day of ['2026-03-29', '2026-03-29T23:30', '2026-03-29T00:15:00'])
        assert.equal(dayOf(day), '2026-03-29')
      assert.deepEqual(
        ['2026-03-29T03:00:00Z', '2026-03-29T03:00:00+00:00', '2026-03-28T21:00:00-06:00'].map(dayOf),
        ['2026-03-28', '2026-03-28', '2026-03-28'],
      )
    } finally {
      if (zone === undefined) delete process.env['TZ']
      else process.env['TZ'] = zone
    }
  })
})
