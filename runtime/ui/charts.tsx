import type { CSSProperties, ReactNode } from 'react'
import { type ChartPoint, drawableValue, pointText } from './figures.tsx'

interface ChartProps {
  label: string
  data: readonly ChartPoint[]
}

const CHART_WIDTH = 600
const CHART_HEIGHT = 200
const HUE_STEP = 52
/** The gap between two segments of a ring whose circumference is 100. */
const SLICE_GAP = 0.8

function axisMaximum(points: readonly ChartPoint[]): number {
  const max = Math.max(0, ...points.map(drawableValue))
  if (max === 0) return 1
  const power = 10 ** Math.floor(Math.log10(max))
  return power * ([1, 2, 2.5, 5, 10].find((step) => step * power >= max) ?? 10)
}

// The React keys are positions, because labels may be equal, such as the weekdays of two weeks.

/** Ordered points, such as days or months, connected by a line. Values that are below 0 or not finite are drawn as 0. */
export function LineChart({ label, data: points }: ChartProps) {
  const top = axisMaximum(points)
  const x = (i: number) => (points.length < 2 ? CHART_WIDTH / 2 : (i / (points.length - 1)) * CHART_WIDTH)
  const y = (point: ChartPoint) => CHART_HEIGHT - (drawableValue(point) / top) * CHART_HEIGHT
  const line = points.map((point, i) => `${i === 0 ? 'M' : 'L'}${x(i)} ${y(point)}`).join('')
  return (
    <Chart label={label} data={points} top={top}>
      <svg viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`} preserveAspectRatio="none">
        {points.length > 1 && (
          <path className="chart-area" d={`${line}L${CHART_WIDTH} ${CHART_HEIGHT}L0 ${CHART_HEIGHT}Z`} />
        )}
        <path className="chart-line" d={line} />
        {points.map((point, i) => (
          <path key={i} className="chart-dot" d={`M${x(i)} ${y(point)}h0.01`} />
        ))}
      </svg>
    </Chart>
  )
}

/** Amounts as columns. Values that are below 0 or not finite are drawn as 0. `BarList` has more room for long names. */
export function BarChart({ label, data: points }: ChartProps) {
  const top = axisMaximum(points)
  const width = CHART_WIDTH / Math.max(1, points.length)
  return (
    <Chart label={label} data={points} top={top} isBetween>
      <svg viewBox={`0 0 ${CHART_WIDTH} ${CHART_HEIGHT}`} preserveAspectRatio="none">
        {points.map((point, i) => {
          const height = (drawableValue(point) / top) * CHART_HEIGHT
          return (
            <rect
              key={i}
              className="chart-column"
              x={(i + 0.2) * width}
              y={CHART_HEIGHT - height}
              width={width * 0.6}
              height={height}
            />
          )
        })}
      </svg>
    </Chart>
  )
}

/** Parts of a whole, with percentages. More than six are hard to distinguish. */
export function DonutChart({ label, data: points }: ChartProps) {
  const total = points.reduce((sum, point) => sum + drawableValue(point), 0)
  const share = (point: ChartPoint) => (total === 0 ? 0 : (drawableValue(point) / total) * 100)
  const colorOf = (i: number) => ({ '--chart-turn': i * HUE_STEP }) as CSSProperties
  return (
    <figure className="chart">
      <figcaption>{label}</figcaption>
      <div className="donut">
        <svg viewBox="0 0 42 42" aria-hidden="true">
          <circle className="donut-ring" cx="21" cy="21" r="15.915" />
          {points.map((point, i) => {
            const before = points.slice(0, i).reduce((sum, earlier) => sum + share(earlier), 0)
            return (
              <circle
                key={i}
                className="donut-part"
                style={colorOf(i)}
                cx="21"
                cy="21"
                r="15.915"
                strokeDasharray={`${Math.max(0, share(point) - SLICE_GAP)} ${100 - Math.max(0, share(point) - SLICE_GAP)}`}
                strokeDashoffset={25 - before}
              />
            )
          })}
        </svg>
        <table className="donut-legend" aria-label={label}>
          <tbody>
            {points.map((point, i) => (
              <tr key={i}>
                <th scope="row" style={colorOf(i)}>
                  {point.label}
                </th>
                <td>{pointText(point)}</td>
                <td>{Math.round(share(point))} %</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}

const LABELS_MAX = 8

/** The frame of a chart with axes. Screen readers read its table instead of the drawing. */
function Chart({
  label,
  data: points,
  top,
  isBetween = false,
  children,
}: ChartProps & { top: number; isBetween?: boolean; children: ReactNode }) {
  const every = Math.ceil(points.length / LABELS_MAX)
  return (
    <figure className="chart">
      <figcaption>{label}</figcaption>
      <div className="chart-plot" aria-hidden="true">
        <div className="chart-scale">
          {[1, 0.5, 0].map((part) => (
            <span key={part}>{(top * part).toLocaleString()}</span>
          ))}
        </div>
        <div className="chart-drawing">{children}</div>
        <div className="chart-labels" data-between={isBetween}>
          {points.map(({ label: name }, i) => (
            <span key={i}>{i % every === 0 ? name : ''}</span>
          ))}
        </div>
      </div>
      <div className="visually-hidden">
        <table aria-label={label}>
          <tbody>
            {points.map((point, i) => (
              <tr key={i}>
                <th scope="row">{point.label}</th>
                <td>{pointText(point)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </figure>
  )
}
