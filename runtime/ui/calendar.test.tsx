import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, mock, test } from 'node:test'
import type { ComponentProps } from 'react'
import { fireEvent, isShown, render } from '../testing/kit.test.fixture.tsx'
import { Calendar } from './calendar.tsx'

const ORIGINAL_ZONE = process.env['TZ']
const NOON = new Date('2026-11-20T12:00:00Z')
const VISIT = { key: 'visit', date: '2026-11-20', title: 'Visit' }

function renderCalendar(props: Partial<ComponentProps<typeof Calendar>> = {}) {
  return render(<Calendar label="Visits" items={[VISIT]} {...props} />)
}
const dayFormat = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat(undefined, { ...options, timeZone: 'UTC' })
  return (day: string) => format.format(Date.parse(day))
}
const long = dayFormat({ weekday: 'long', day: 'numeric', month: 'long' })
const month = dayFormat({ month: 'long', year: 'numeric' })
const date = dayFormat({ day: 'numeric', month: 'long', year: 'numeric' })

const title = () => document.querySelector('h2')?.textContent
/** The day below the grid, which is the chosen one. */
const chosen = () => document.querySelector('h3')?.textContent
const days = () => Array.from(document.querySelectorAll<HTMLButtonElement>('.calendar-day'))
function dayButton(day: string): HTMLButtonElement {
  const button = days().find((one) => one.getAttribute('aria-label')?.startsWith(`${long(day)},`))
  assert.ok(button !== undefined, `${day} is not shown`)
  return button
}
/** Does not use `getByRole`, which is slow with all the buttons of a month. */
const press = (name: string) => {
  const button = Array.from(document.querySelectorAll('button')).find(
    (one) => (one.getAttribute('aria-label') ?? one.textContent) === name,
  )
  assert.ok(button !== undefined, `there is no button ${name}`)
  fireEvent.click(button)
}
/** The shown days with items, each with the titles of its items. */
const filled = () =>
  days().flatMap((button) => {
    const titles = Array.from(button.parentElement?.querySelectorAll('li') ?? [], (item) => item.textContent)
    return titles.length === 0 ? [] : [[button.getAttribute('aria-label'), ...titles]]
  })
const strike = (key: string, held: { altKey?: boolean; ctrlKey?: boolean; metaKey?: boolean } = {}) =>
  fireEvent.keyDown(document.activeElement ?? document.body, { key, ...held })

describe('a calendar of an app', () => {
  beforeEach(() => {
    process.env['TZ'] = 'UTC'
    mock.timers.enable({ apis: ['Date'], now: NOON })
    mock.method(Intl.Locale.prototype as unknown as { getWeekInfo: () => object }, 'getWeekInfo', () => ({
      firstDay: 1,
    }))
  })
  afterEach(() => {
    mock.timers.reset()
    mock.restoreAll()
    if (ORIGINAL_ZONE === undefined) delete process.env['TZ']
    else process.env['TZ'] = ORIGINAL_ZONE
  })

  test('a calendar opens at today with the items of the current month, and does not show items without a date', () => {
    renderCalendar({
      items: [
        VISIT,
        { key: 'a', date: '2026-11-03', title: 'Call' },
        { key: 'b', date: null, title: 'Some day' },
      ],
    })
    assert.deepEqual([title(), chosen()], [month('2026-11-20'), long('2026-11-20')])
    assert.deepEqual(filled(), [
      [`${long('2026-11-03')}, 1 visits`, 'Call'],
      [`${long('2026-11-20')}, 1 visits`, 'Visit'],
    ])
    assert.deepEqual(
      days().flatMap((button) =>
        button.getAttribute('aria-current') === 'date' ? [button.textContent] : [],
      ),
      ['20'],
    )
    assert.equal(isShown('Some day'), false)
  })

  test('a calendar shows a month in whole weeks: four, five or six', () => {
    const range = () => [days().length, days()[0]?.textContent, days().at(-1)?.textContent]
    renderCalendar()
    assert.deepEqual(range(), [42, '26', '6'])
    press('Next month')
    assert.deepEqual(range(), [35, '30', '3'])
    press('Next month')
    press('Next month')
    assert.deepEqual([title(), ...range()], [month('2027-02-20'), 28, '1', '28'])
  })

  test('moving a calendar to another month keeps the day of the month, or takes the last day of a shorter month', () => {
    mock.timers.setTime(Date.parse('2027-12-31T12:00:00Z'))
    renderCalendar()
    dayButton('2027-12-31').focus()
    strike('PageDown')
    assert.equal(chosen(), long('2028-01-31'))
    strike('PageDown')
    assert.equal(chosen(), long('2028-02-29'))
    strike('PageUp')
    strike('PageUp')
    assert.deepEqual([chosen(), title()], [long('2027-12-29'), month('2027-12-29')])
  })

  test('in a calendar, arrow keys move the focus from day to day, also into another month', () => {
    renderCalendar()
    dayButton('2026-11-20').focus()
    strike('ArrowDown')
    strike('ArrowRight')
    assert.equal(chosen(), long('2026-11-28'))
    strike('ArrowDown')
    assert.deepEqual([chosen(), title()], [long('2026-12-05'), month('2026-12-05')])
    assert.ok(document.activeElement === dayButton('2026-12-05'))
    assert.deepEqual(
      days().flatMap((button) => (button.tabIndex === 0 ? [button.textContent] : [])),
      ['5'],
    )
    strike('ArrowUp')
    strike('ArrowLeft')
    assert.equal(chosen(), long('2026-11-27'))
  })

  test('a calendar ignores arrow keys with Alt, Ctrl or Meta, because browsers use some of them to go back a page', () => {
    renderCalendar()
    dayButton('2026-11-20').focus()
    for (const held of [{ altKey: true }, { ctrlKey: true }, { metaKey: true }])
      // `fireEvent` returns false when a handler called `preventDefault`.
      assert.equal(strike('ArrowLeft', held), true)
    assert.equal(chosen(), long('2026-11-20'))
    assert.equal(strike('ArrowLeft'), false)
  })

  test('the week view of a calendar is titled with its first day, moves by weeks, and returns to the current week with Today', () => {
    renderCalendar()
    press('Week')
    assert.deepEqual([title(), days().length], [date('2026-11-16'), 7])
    press('Next week')
    assert.deepEqual([title(), chosen()], [date('2026-11-23'), long('2026-11-27')])
    press('Previous week')
    press('Previous week')
    assert.equal(title(), date('2026-11-09'))
    press('Today')
    assert.deepEqual([title(), chosen()], [date('2026-11-16'), long('2026-11-20')])
  })

  test("a calendar shows a time on its day in the person's time zone, and a date without a zone on the same day everywhere", () => {
    process.env['TZ'] = 'America/Los_Angeles'
    renderCalendar({
      items: [
        { key: 'a', date: '2026-11-20T03:00:00.000Z', title: 'Evening before' },
        { key: 'b', date: '2026-11-20T23:30:00+14:00', title: 'Late elsewhere' },
        { key: 'c', date: '2026-11-20T03:00', title: 'Night' },
        { key: 'd', date: '2026-11-20', title: 'Day' },
      ],
    })
    assert.deepEqual(filled(), [
      [`${long('2026-11-19')}, 1 visits`, 'Evening before'],
      [`${long('2026-11-20')}, 3 visits`, 'Late elsewhere', 'Night', 'Day'],
    ])
  })

  test('a calendar item can be opened, and a new one added to a day with a button or a double click', () => {
    const calls: unknown[] = []
    renderCalendar({
      onOpen: (key) => calls.push(['open', key]),
      onAdd: (day) => calls.push(['add', day]),
    })
    press('Visit')
    fireEvent.click(dayButton('2026-11-04'))
    assert.ok(isShown('Nothing on this day.'))
    press('Add on this day')
    fireEvent.doubleClick(dayButton('2026-11-05'))
    assert.deepEqual(calls, [
      ['open', 'visit'],
      ['add', '2026-11-04'],
      ['add', '2026-11-05'],
    ])
  })

  test('a calendar day without items says so, and has an add button only if the calendar has a handler for it', () => {
    renderCalendar({ items: [] })
    assert.ok(isShown('Nothing on this day.'))
    assert.equal(isShown('Add on this day'), false)
  })
})
