import type { ReactNode } from 'react'
import { useWindowedRows } from './use-windowed-rows.ts'

/** A list of which only the visible rows are rendered. Rows are about `rowPx` high. */
export function WindowedList<Item>(props: {
  items: Item[]
  rowPx: number
  keyOf: (item: Item) => string
  /** The total number of items, when not all are loaded. */
  total?: number
  label?: string
  isOrdered?: boolean
  /** Classes added to the card style of each row. */
  rowClassName?: string
  children: (item: Item, index: number) => ReactNode
}) {
  const { items, keyOf, rowClassName = '' } = props
  const { box, rows, totalPx, measure } = useWindowedRows(items.length, props.rowPx, (index) => {
    const item = items[index]
    return item === undefined ? String(index) : keyOf(item)
  })
  const List = props.isOrdered ? 'ol' : 'ul'
  return (
    <List
      ref={box}
      aria-label={props.label}
      className="relative overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line"
      style={{ height: totalPx }}
    >
      {rows.map(({ index, startPx }) => {
        const item = items[index]
        return (
          item !== undefined && (
            <li
              key={keyOf(item)}
              ref={measure}
              data-index={index}
              aria-setsize={props.total ?? items.length}
              aria-posinset={index + 1}
              className={`absolute inset-x-0 border-kumo-line ${index > 0 ? 'border-t' : ''} ${rowClassName}`}
              style={{ top: startPx }}
            >
              {props.children(item, index)}
            </li>
          )
        )
      })}
    </List>
  )
}
