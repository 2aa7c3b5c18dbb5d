import { type AriaAttributes, type ReactNode, useMemo } from 'react'
import type { Ticket } from '@slipway/sdk/client/types.gen.ts'
import { useWindowedRows } from '../../../ui/lists/use-windowed-rows.ts'
import { usePane } from '../../../state/tickets/pane-context.ts'
import { useCursor } from '../../../state/tickets/mark-store.ts'
import { useFocusArrival } from './use-focus-arrival.ts'

/**
 * The `key` of a row with a ticket is the ticket's id. Rows without a ticket are headings and "load more"
 * rows.
 */
interface AnyRow {
  key: string
  ticket?: Ticket
}

/**
 * Renders the visible rows of the list or the tree. Tab reaches only the row with the cursor. The rows are a
 * separate component, so that scrolling renders nothing else.
 */
export function RowWindow<Row extends AnyRow>(props: {
  rows: Row[]
  rowPx: number
  /** The total number of tickets of a status; null when it is unknown. */
  totalOf: (status: Ticket['status']) => number | null
  attributesOf?: (row: Row) => AriaAttributes
  children: (row: Row, isReached: boolean) => ReactNode
}) {
  const { rows, attributesOf } = props
  const { marks, chosen, order } = usePane()
  const tickets = useMemo(() => rows.flatMap(({ ticket }) => ticket ?? []), [rows])
  order.current = () => tickets.map(({ id }) => id)
  const {
    box,
    rows: inSight,
    totalPx,
    measure,
    reveal,
  } = useWindowedRows(rows.length, props.rowPx, (index) => rows[index]?.key ?? String(index))
  const cursor = useCursor(marks)
  const isHere = (id: string | null) => id !== null && tickets.some((ticket) => ticket.id === id)
  const reached = [cursor, chosen].find(isHere) ?? tickets[0]?.id
  useFocusArrival(tickets, (id) => reveal(rows.findIndex(({ key }) => key === id)), props.totalOf)
  return (
    <div role="rowgroup" ref={box} className="relative" style={{ height: totalPx }}>
      {inSight.map(({ index, startPx }) => {
        const row = rows[index]
        return (
          row && (
            <div
              role="row"
              key={row.key}
              ref={measure}
              data-index={index}
              aria-rowindex={index + 1}
              className="absolute inset-x-0 pb-px"
              style={{ top: startPx }}
              {...attributesOf?.(row)}
            >
              {props.children(row, row.ticket !== undefined && row.key === reached)}
            </div>
          )
        )
      })}
    </div>
  )
}
