import { useState } from 'react'
import type { EventCount } from './query.ts'
import { eventsText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { useFirstNewRow } from '../../../ui/lists/use-first-new-row.ts'

const SHOWN_FIRST = 20

/** A table of events with a bar in each row. The bar's length shows the count of the row, which is also written as a number. */
export function EventTable(props: {
  items: EventCount[]
  title: string
  first: string
  /** Returns the title and the group of a row. The group is null when the event has none. */
  nameOf: (item: EventCount) => [name: string, group: string | null]
}) {
  const { items, title, first, nameOf } = props
  const [isWhole, setWhole] = useState(false)
  const { list, extend } = useFirstNewRow<HTMLTableSectionElement>()
  const most = Math.max(...items.map(({ count }) => count))
  const hasSum = items.some(({ value }) => value !== 0)
  const shown = isWhole ? items : items.slice(0, SHOWN_FIRST)
  return (
    <>
      <table className="w-full tabular-nums" aria-label={title}>
        <thead>
          <tr className="text-[13px] text-kumo-subtle">
            <th scope="col" className="pb-1 text-left font-medium">
              {first}
            </th>
            <ColumnHead>{eventsText.count}</ColumnHead>
            <ColumnHead>{eventsText.visitors}</ColumnHead>
            {hasSum && <ColumnHead>{eventsText.sum}</ColumnHead>}
            <ColumnHead isWide>{eventsText.last}</ColumnHead>
          </tr>
        </thead>
        <tbody ref={list}>
          {shown.map((item) => (
            <EventRow
              key={`${item.name} ${item.group ?? ''}`}
              item={item}
              most={most}
              hasSum={hasSum}
              nameOf={nameOf}
            />
          ))}
        </tbody>
      </table>
      {shown.length < items.length && (
        <Button
          className="mt-3"
          size="sm"
          onClick={() => {
            extend()
            setWhole(true)
          }}
        >
          {eventsText.more(items.length - shown.length)}
        </Button>
      )}
    </>
  )
}

const WIDE_ONLY_CLASS = 'max-sm:hidden'

function ColumnHead({ children, isWide = false }: { children: string; isWide?: boolean }) {
  return (
    <th scope="col" className={`pb-1 pl-4 text-right font-medium ${isWide ? WIDE_ONLY_CLASS : ''}`}>
      {children}
    </th>
  )
}

function EventRow(props: {
  item: EventCount
  most: number
  hasSum: boolean
  nameOf: (item: EventCount) => [name: string, group: string | null]
}) {
  const { item, most, hasSum } = props
  const [name, group] = props.nameOf(item)
  const figure = 'py-2 pl-4 text-right align-top whitespace-nowrap'
  return (
    <tr className="border-t border-kumo-line">
      <th scope="row" className="w-full py-2 text-left align-top font-normal">
        <span className="font-medium break-words text-kumo-strong">{name}</span>
        {group !== null && <span className="break-words text-kumo-subtle"> · {group}</span>}
        <span aria-hidden="true" className="mt-1.5 block h-1.5 overflow-hidden rounded-full bg-kumo-fill">
          <span
            className="block h-full min-w-1 rounded-full bg-tide"
            style={{ width: `${(item.count / most) * 100}%` }}
          />
        </span>
      </th>
      <td className={figure}>{item.count.toLocaleString('en')}</td>
      <td className={figure}>{item.visitors.toLocaleString('en')}</td>
      {hasSum && <td className={figure}>{item.value.toLocaleString('en', { maximumFractionDigits: 2 })}</td>}
      <td className={`${figure} text-kumo-subtle ${WIDE_ONLY_CLASS}`}>
        <RelativeTime at={item.lastAt} />
      </td>
    </tr>
  )
}
