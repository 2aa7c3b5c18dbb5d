import type { ReactNode } from 'react'
import { type CollectionSpec, type FieldSpec, fieldTitle } from '../../kernel/manifest.ts'
import type { StoredRecord } from '../../data/frames.ts'
import type { FileLocation } from '../../data/file-link.ts'
import { formatNumber, RecordValue } from './value.tsx'
import { SortHeader, useSortedRows } from '../sort.tsx'
import { recordName } from '../words.ts'

type RowCallback = ((row: StoredRecord) => void) | undefined

interface RecordTableProps {
  collection: string
  /** The id of the team whose records are shown. */
  partition: string | undefined
  rows: StoredRecord[]
  spec: CollectionSpec
  isWhole: boolean
  /** How many rows to show; applied after sorting. */
  rowsMax: number
  columns: string[]
  totals: readonly string[] | undefined
  title: ((row: StoredRecord) => ReactNode) | undefined
  onOpen: RowCallback
  /** Returns the buttons of a row; absent when rows have none. */
  buttons: ((row: StoredRecord) => ReactNode) | undefined
}

// Sets ARIA roles explicitly, because the CSS that shows rows as cards removes the native roles.
export function RecordTable(props: RecordTableProps) {
  const { collection, partition, rows, spec, isWhole, columns, totals, title, onOpen, buttons } = props
  const { sorted, order, sortBy } = useSortedRows(rows, (row, name) =>
    sortValueOf(row[name], spec.fields[name]),
  )
  const placeOf = (row: StoredRecord, field: string) => ({ collection, id: row.id, field, partition })
  const [first = '', ...others] = columns
  // Other fields, such as dates, have no sum, even if a page requests one.
  const hasTotal = (name: string) =>
    totals?.includes(name) === true && ['number', 'integer'].includes(spec.fields[name]?.type ?? '')
  return (
    <div className="table-frame">
      <table className="table" role="table" aria-label={spec.title}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((name) => {
              const field = spec.fields[name]
              const heading = fieldTitle(name, field)
              return isWhole && isSortable(field) ? (
                <SortHeader
                  key={name}
                  columnKey={name}
                  title={heading}
                  order={order}
                  onSort={sortBy}
                  type={field?.type}
                />
              ) : (
                <th key={name} role="columnheader" scope="col" data-type={field?.type}>
                  {heading}
                </th>
              )
            })}
            {buttons !== undefined && (
              <th role="columnheader" scope="col">
                <span className="visually-hidden">Actions</span>
              </th>
            )}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {sorted.slice(0, props.rowsMax).map((row) => (
            <tr key={row.id} role="row" data-pending={row.rev === 0}>
              <th role="rowheader" scope="row">
                <Title row={row} spec={spec} place={placeOf(row, first)} title={title} onOpen={onOpen} />
              </th>
              {others.map((name) => (
                <Cell key={name} row={row} spec={spec} place={placeOf(row, name)} />
              ))}
              {buttons !== undefined && (
                <td role="cell" className="table-actions">
                  {buttons(row)}
                </td>
              )}
            </tr>
          ))}
        </tbody>
        {totals !== undefined && (
          <tfoot role="rowgroup">
            <tr role="row">
              <th role="rowheader" scope="row">
                Total
              </th>
              {others.map((name) => (
                <td
                  key={name}
                  role="cell"
                  data-type={spec.fields[name]?.type}
                  data-label={fieldTitle(name, spec.fields[name])}
                  data-empty={!hasTotal(name)}
                >
                  {hasTotal(name) && formatNumber(sumOfColumn(rows, name), spec.fields[name])}
                </td>
              ))}
              {buttons !== undefined && <td role="cell" data-empty />}
            </tr>
          </tfoot>
        )}
      </table>
    </div>
  )
}

const sumOfColumn = (rows: readonly StoredRecord[], name: string): number =>
  rows.reduce((sum, row) => sum + Number(row[name] ?? 0), 0)

/** A list cannot be sorted by a field that shows something other than its stored value, or several values. */
const isSortable = (field: FieldSpec | undefined): boolean =>
  field === undefined || !['ref', 'list', 'file', 'json'].includes(field.type)

/** Enum values are sorted in the order of `app.json`, which is usually meaningful. */
function sortValueOf(value: unknown, field: FieldSpec | undefined): string | number | boolean | null {
  if (field?.type === 'enum') return typeof value === 'string' ? (field.values ?? []).indexOf(value) : null
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null
}

/** The spec of the fields that every record has. The type `date` formats times; other values look the same in every type. */
const SYSTEM_FIELD: FieldSpec = { type: 'date' }

interface CellProps {
  row: StoredRecord
  spec: CollectionSpec
  place: FileLocation
}

function Title({ row, spec, place, title, onOpen }: CellProps & Pick<RecordTableProps, 'title' | 'onOpen'>) {
  const name = place.field
  // A table without columns has no field.
  const field = name === '' ? undefined : (spec.fields[name] ?? SYSTEM_FIELD)
  const shown =
    title?.(row) ??
    (field === undefined ? (
      recordName(row, spec)
    ) : (
      <RecordValue spec={field} value={row[name]} place={place} />
    ))
  if (onOpen === undefined) return shown
  return (
    <button type="button" className="link-button" onClick={() => onOpen(row)}>
      {shown}
    </button>
  )
}

function Cell({ row, spec, place }: CellProps) {
  const name = place.field
  const field = spec.fields[name] ?? SYSTEM_FIELD
  return (
    <td
      role="cell"
      data-type={field.type}
      data-label={fieldTitle(name, spec.fields[name])}
      data-empty={row[name] === null}
    >
      <RecordValue spec={field} value={row[name]} place={place} />
    </td>
  )
}
