import type { ReactNode } from 'react'

export interface ChartPoint {
  label: string
  value: number
  /** The shown text; by default the number itself. */
  text?: string | undefined
}

/** Returns the value to draw: 0 for a value that is below 0 or not finite, such as the share of a total of 0. */
export const drawableValue = ({ value }: ChartPoint): number =>
  Number.isFinite(value) ? Math.max(0, value) : 0

/** The text beside the drawing. */
export const pointText = ({ value, text }: ChartPoint): string =>
  text ?? (Number.isFinite(value) ? value.toLocaleString() : '–')

/** Amounts as horizontal bars. The largest amount has the longest bar. Screen readers read a table. */
export function BarList({ label, bars }: { label: string; bars: readonly ChartPoint[] }) {
  const max = Math.max(0, ...bars.map(drawableValue))
  return (
    <table className="bars" aria-label={label}>
      <tbody>
        {bars.map((bar, i) => (
          // The key is the position, because labels may be equal.
          <tr key={i}>
            <th scope="row">{bar.label}</th>
            <td className="bar-cell">
              <span
                className="bar"
                style={{ inlineSize: `${max > 0 ? (drawableValue(bar) / max) * 100 : 0}%` }}
              />
            </td>
            <td className="bar-value">{pointText(bar)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Places several `Stat` side by side. */
export function Stats({ children }: { children: ReactNode }) {
  return <div className="stats">{children}</div>
}

/** One important number, with its name and an optional note. */
export function Stat({ label, value, note }: { label: string; value: ReactNode; note?: ReactNode }) {
  return (
    <dl className="stat">
      <dt>{label}</dt>
      <dd className="stat-value">{value}</dd>
      {note !== undefined && <dd className="stat-note">{note}</dd>}
    </dl>
  )
}
