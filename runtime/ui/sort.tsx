import { useState } from 'react'
import { Icon } from './icons.tsx'

/** `isDown` means descending. */
export interface Order {
  key: string
  isDown: boolean
}

type ComparableValue = string | number | boolean | null | undefined

const numericCollator = new Intl.Collator(undefined, { numeric: true })

/** Sorts rows by the chosen column, with empty values last. Keeps their order until a person chooses a column. */
export function useSortedRows<R>(rows: readonly R[], valueOf: (row: R, key: string) => ComparableValue) {
  const [order, setOrder] = useState<Order | null>(null)
  const sortBy = (key: string) =>
    setOrder((before) =>
      before?.key === key ? (before.isDown ? null : { key, isDown: true }) : { key, isDown: false },
    )
  if (order === null) return { sorted: rows, order, sortBy }
  const sign = order.isDown ? -1 : 1
  const sorted = rows.toSorted((a, b) => {
    const one = valueOf(a, order.key)
    const other = valueOf(b, order.key)
    if (isEmpty(one) || isEmpty(other)) return Number(isEmpty(one)) - Number(isEmpty(other))
    return sign * compareValues(one, other)
  })
  return { sorted, order, sortBy }
}

const isEmpty = (value: ComparableValue): value is null | undefined | '' =>
  value === null || value === undefined || value === ''

function compareValues(
  one: Exclude<ComparableValue, null | undefined>,
  other: Exclude<ComparableValue, null | undefined>,
): number {
  return typeof one === 'string' || typeof other === 'string'
    ? numericCollator.compare(String(one), String(other))
    : Number(one) - Number(other)
}

interface SortHeaderProps {
  title: string
  columnKey: string
  order: Order | null
  onSort: (key: string) => void
  type?: string | undefined
}

/** A column header. Each click changes the order: ascending, descending, unsorted. */
export function SortHeader({ title, columnKey, order, onSort, type }: SortHeaderProps) {
  const own = order?.key === columnKey ? order : null
  const direction = own === null ? 'none' : own.isDown ? 'descending' : 'ascending'
  return (
    <th role="columnheader" scope="col" data-type={type} aria-sort={direction}>
      <button type="button" className="sort-button" onClick={() => onSort(columnKey)}>
        {title}
        <Icon name={own?.isDown === true ? 'down' : 'up'} size={14} />
      </button>
    </th>
  )
}
