import { type ReactNode, useDeferredValue, useState } from 'react'
import { foldText } from '../kernel/fold.ts'
import { Button } from './button.tsx'
import { CsvButton } from './csv-button.tsx'
import { EmptyState } from './empty-state.tsx'
import { SearchBox } from './records/search-box.tsx'
import { SortHeader, useSortedRows } from './sort.tsx'

export interface TableColumn<R> {
  key: string
  title: string
  /** The value for sorting, searching, totals and export. */
  value: (row: R) => string | number | null
  show?: ((row: R) => ReactNode) | undefined
  /** Shows the sum of all rows below the table. */
  total?: boolean | undefined
  /** How the sum is shown, such as with a currency. */
  showSum?: ((n: number) => ReactNode) | undefined
}

export interface TableProps<R> {
  /** A plural name for the rows, such as "Orders". */
  label: string
  rows: readonly R[]
  rowKey: (row: R) => string
  /** The first column identifies the row. */
  columns: readonly TableColumn<R>[]
  actions?: ((row: R) => ReactNode) | undefined
  /** A file name such as "orders.csv". With it, people can download the rows. */
  csv?: string | undefined
  /** Shown instead of the table when there are no rows. */
  empty?: ReactNode
}

const PAGE_ROWS = 50
/** The search box is shown for at least this many rows. */
const SEARCHABLE_ROWS_MIN = 8

/**
 * A table of your own rows, such as the response of a route, with search, sorting and totals; cards on a phone. Use `RecordList` for
 * records.
 */
export function Table<R>({ label, rows, rowKey, columns, actions, csv, empty }: TableProps<R>) {
  const [typed, setTyped] = useState('')
  const [shownMax, setShownMax] = useState(PAGE_ROWS)
  const words = foldText(useDeferredValue(typed)).split(/\s+/).filter(Boolean)
  const valueOf = (row: R, key: string) => columns.find((column) => column.key === key)?.value(row)
  const { sorted, order, sortBy } = useSortedRows(rows, valueOf)
  if (rows.length === 0) return empty ?? <EmptyState title={`No ${label.toLowerCase()} yet`} />

  const textOf = (row: R) => foldText(columns.map((column) => String(column.value(row) ?? '')).join(' '))
  const found = sorted.filter((row) => words.every((word) => textOf(row).includes(word)))
  const isNumber = (column: TableColumn<R>) => rows.some((row) => typeof column.value(row) === 'number')
  const typeOf = (column: TableColumn<R>) => (isNumber(column) ? 'number' : undefined)
  const show = (row: R, column: TableColumn<R>) =>
    column.show === undefined ? formatCell(column.value(row)) : column.show(row)
  const [first, ...others] = columns
  const hasTotals = columns.some(({ total }) => total === true)
  return (
    <div className="records">
      <div className="records-bar">
        {/* Kept while something is typed: without the box, a person could not clear the search. */}
        {(rows.length >= SEARCHABLE_ROWS_MIN || typed !== '') && (
          <SearchBox noun={label.toLowerCase()} value={typed} onChange={setTyped} />
        )}
        <span className="records-count" role="status">
          {rows.length === 1
            ? '1 row'
            : `${words.length === 0 ? rows.length.toLocaleString() : `${found.length} of ${rows.length}`} ${label.toLowerCase()}`}
        </span>
        {csv !== undefined && (
          <CsvButton name={csv} head={columns.map(({ title }) => title)}>
            {() => found.map((row) => columns.map((column) => column.value(row)))}
          </CsvButton>
        )}
      </div>
      {/* Explicit roles, because the narrow layout as cards removes the native ones. */}
      <div className="table-frame">
        <table className="table" role="table" aria-label={label}>
          <thead role="rowgroup">
            <tr role="row">
              {columns.map((column) => (
                <SortHeader
                  key={column.key}
                  columnKey={column.key}
                  title={column.title}
                  order={order}
                  onSort={sortBy}
                  type={typeOf(column)}
                />
              ))}
              {actions !== undefined && (
                <th role="columnheader" scope="col">
                  <span className="visually-hidden">Actions</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody role="rowgroup">
            {found.slice(0, shownMax).map((row) => (
              <tr key={rowKey(row)} role="row">
                {first !== undefined && (
                  <th role="rowheader" scope="row">
                    {show(row, first)}
                  </th>
                )}
                {others.map((column) => (
                  <td
                    key={column.key}
                    role="cell"
                    data-type={typeOf(column)}
                    data-label={column.title}
                    data-empty={column.value(row) === null}
                  >
                    {show(row, column)}
                  </td>
                ))}
                {actions !== undefined && (
                  <td role="cell" className="table-buttons">
                    {actions(row)}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
          {hasTotals && (
            <tfoot role="rowgroup">
              <tr role="row">
                <th role="rowheader" scope="row">
                  Total
                </th>
                {others.map((column) => (
                  <td
                    key={column.key}
                    role="cell"
                    data-type={typeOf(column)}
                    data-label={column.title}
                    data-empty={column.total !== true}
                  >
                    {column.total === true && (column.showSum ?? formatCell)(sumOfColumn(found, column))}
                  </td>
                ))}
                {actions !== undefined && <td role="cell" data-empty />}
              </tr>
            </tfoot>
          )}
        </table>
      </div>
      {found.length === 0 && <EmptyState icon="search" title={`Nothing matches “${typed.trim()}”`} />}
      {found.length > shownMax && (
        <Button className="records-more" onClick={() => setShownMax(shownMax + PAGE_ROWS)}>
          Show more
        </Button>
      )}
    </div>
  )
}

const formatCell = (value: string | number | null): string =>
  typeof value === 'number' ? value.toLocaleString() : (value ?? '–')

const sumOfColumn = <R,>(rows: readonly R[], column: TableColumn<R>): number =>
  rows.reduce((sum, row) => sum + Number(column.value(row) ?? 0), 0)
