import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { render, screen, within } from '../testing/kit.test.fixture.tsx'
import { BarChart, DonutChart, LineChart } from './charts.tsx'
import { BarList } from './figures.tsx'

const pointsOf = (...values: number[]) => values.map((value, i) => ({ label: `Day ${i + 1}`, value }))
const scale = () => Array.from(document.querySelectorAll('.chart-scale span'), (one) => one.textContent)
const labels = () => Array.from(document.querySelectorAll('.chart-labels span'), (one) => one.textContent)
const line = () => document.querySelector('.chart-line')?.getAttribute('d')
const columns = () =>
  Array.from(document.querySelectorAll('.chart-column'), (one) =>
    ['x', 'y', 'width', 'height'].map((name) => Math.round(Number(one.getAttribute(name)))),
  )
const slices = () =>
  Array.from(document.querySelectorAll('.donut-part'), (one) => [
    one.getAttribute('stroke-dasharray'),
    one.getAttribute('stroke-dashoffset'),
  ])
/** The rows of the table that screen readers read. */
const rows = (label: string) =>
  within(screen.getByRole('table', { name: label }))
    .queryAllByRole('row')
    .map((row) => Array.from(row.children, (cell) => cell.textContent))

describe('the charts of an app', () => {
  test('the axis of a chart ends at the first round number that is not below the greatest value', () => {
    const { rerender } = render(<LineChart label="Sales" data={[]} />)
    const top = (value: number) => {
      rerender(<LineChart label="Sales" data={pointsOf(0, value)} />)
      return scale()[0]
    }
    const shown = (value: number) => value.toLocaleString()
    for (const [value, expected] of [
      [1, 1],
      [1.01, 2],
      [21, 25],
      [26, 50],
      [51, 100],
      [1000, 1000],
      [0.3, 0.5],
    ] as const)
      assert.equal(top(value), shown(expected), String(value))
    rerender(<LineChart label="Sales" data={pointsOf(5)} />)
    assert.deepEqual(scale(), [5, 2.5, 0].map(shown))
  })

  test('the line of a chart goes from the first to the last point, and a value below 0 is drawn as 0', () => {
    render(<LineChart label="Sales" data={pointsOf(10, -4, 5)} />)
    assert.equal(line(), 'M0 0L300 200L600 100')
    assert.deepEqual(rows('Sales'), [
      ['Day 1', '10'],
      ['Day 2', (-4).toLocaleString()],
      ['Day 3', '5'],
    ])
  })

  test('a chart without points, with one point, and with only zeros is drawn', () => {
    const { rerender } = render(<LineChart label="Sales" data={[]} />)
    assert.deepEqual(
      [line(), scale(), labels(), rows('Sales')],
      ['', ['1', (0.5).toLocaleString(), '0'], [], []],
    )
    rerender(<LineChart label="Sales" data={pointsOf(2)} />)
    assert.deepEqual([line(), document.querySelector('.chart-area')], ['M300 0', null])
    rerender(<LineChart label="Sales" data={pointsOf(0, 0)} />)
    assert.equal(line(), 'M0 200L600 200')
    rerender(<BarChart label="Sales" data={[]} />)
    assert.deepEqual(columns(), [])
    rerender(<DonutChart label="Sales" data={pointsOf(0)} />)
    assert.deepEqual(rows('Sales'), [['Day 1', '0', '0 %']])
  })

  test('a chart draws a value that is not a finite number as 0, labels it with a dash, and draws other values as usual', () => {
    const odd = [Number.NaN, Infinity, -Infinity]
    const dashes = odd.map((_, i) => [`Day ${i + 2}`, '–'])
    const { rerender } = render(<LineChart label="Sales" data={pointsOf(10, ...odd, 5)} />)
    assert.equal(line(), 'M0 0L150 200L300 200L450 200L600 100')
    assert.deepEqual(rows('Sales'), [['Day 1', '10'], ...dashes, ['Day 5', '5']])
    rerender(<BarChart label="Sales" data={pointsOf(10, ...odd, 5)} />)
    assert.deepEqual(
      columns().map(([, , , height]) => height),
      [200, 0, 0, 0, 100],
    )
    rerender(<DonutChart label="Sales" data={pointsOf(10, ...odd, 10)} />)
    assert.deepEqual(
      slices().map(([dash]) => dash),
      ['49.2 50.8', '0 100', '0 100', '0 100', '49.2 50.8'],
    )
    rerender(<BarList label="Sales" bars={pointsOf(10, ...odd, 5)} />)
    const widths = Array.from(document.querySelectorAll<HTMLElement>('.bar'), (bar) => bar.style.inlineSize)
    assert.deepEqual(widths, ['100%', '0%', '0%', '0%', '50%'])
    assert.deepEqual(rows('Sales')[1]?.at(-1), '–')
  })

  test('the columns of a chart have heights in proportion to their values', () => {
    render(<BarChart label="Sales" data={pointsOf(10, 5, -1)} />)
    assert.deepEqual(columns(), [
      [40, 0, 120, 200],
      [240, 100, 120, 100],
      [440, 200, 120, 0],
    ])
  })

  test('a chart labels at most eight of its points below the axis', () => {
    const { rerender } = render(<BarChart label="Sales" data={pointsOf(...Array<number>(8).fill(1))} />)
    assert.equal(labels().filter((one) => one !== '').length, 8)
    rerender(<BarChart label="Sales" data={pointsOf(...Array<number>(17).fill(1))} />)
    assert.deepEqual(
      labels().filter((one) => one !== ''),
      ['Day 1', 'Day 4', 'Day 7', 'Day 10', 'Day 13', 'Day 16'],
    )
  })

  test('the segments of a donut chart add up to the whole with gaps between them, and a negative value counts as 0', () => {
    render(
      <DonutChart
        label="Costs"
        data={[
          { label: 'Rent', value: 300, text: '€3' },
          { label: 'Refund', value: -50 },
          { label: 'Food', value: 100 },
        ]}
      />,
    )
    assert.deepEqual(slices(), [
      ['74.2 25.799999999999997', '25'],
      ['0 100', '-50'],
      ['24.2 75.8', '-50'],
    ])
    assert.deepEqual(rows('Costs'), [
      ['Rent', '€3', '75 %'],
      ['Refund', (-50).toLocaleString(), '0 %'],
      ['Food', '100', '25 %'],
    ])
  })

  test('a chart with equal labels, such as the weekdays of two weeks, shows only the new points when its data changes', () => {
    const points = (...days: string[]) => days.map((label, i) => ({ label, value: i + 1 }))
    for (const Chart of [LineChart, BarChart, DonutChart]) {
      const { rerender, unmount } = render(<Chart label="Sales" data={points('Mon', 'Tue', 'Mon', 'Tue')} />)
      rerender(<Chart label="Sales" data={points('Tue', 'Mon')} />)
      assert.deepEqual(
        rows('Sales').map((row) => row.slice(0, 2)),
        [
          ['Tue', '1'],
          ['Mon', '2'],
        ],
      )
      const drawn = document.querySelectorAll('.chart-dot, .chart-column, .donut-part')
      assert.equal(drawn.length, 2)
      unmount()
    }
    const { rerender } = render(<BarList label="Sales" bars={points('Mon', 'Tue', 'Mon', 'Tue')} />)
    rerender(<BarList label="Sales" bars={points('Tue', 'Mon')} />)
    assert.deepEqual(rows('Sales'), [
      ['Tue', '', '1'],
      ['Mon', '', '2'],
    ])
  })
})
