import type { ListCollectionsResponses, ListRecordsResponses } from '@slipway/sdk/client/types.gen.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { RelativeTime } from '../../ui/words/time.tsx'
import { useWide } from '../../ui/browser/use-media.ts'
import { useWindowedRows } from '../../ui/lists/use-windowed-rows.ts'
import { cellText, fieldLabel, recordName } from './record-fields.ts'

export type CollectionInfo = Pick<ListCollectionsResponses[200]['data'][number], 'name' | 'fields'>
export type DataRecord = ListRecordsResponses[200]['data'][number]

const COLUMNS_MAX = 6
/** The end of an id tells records apart; the whole one stands in the dialog. */
const ID_CHARS = 8
const heads = capabilitiesText.data.columns
const ROW_PX = 44
const CARD_PX = 96

interface GridProps {
  info: CollectionInfo
  records: DataRecord[]
  /** Opens a record; its place is `partition/id`. */
  onOpen: (place: string) => void
}

/** Records as a table, or as cards where there is no room for columns; only those in sight are in the page. */
export function RecordGrid({ info, records, onOpen }: GridProps) {
  const isWide = useWide()
  const columns = info.fields.slice(0, COLUMNS_MAX).map(({ name }) => name)
  const { box, rows, totalPx, measure } = useWindowedRows(records.length, isWide ? ROW_PX : CARD_PX)
  const grid = { gridTemplateColumns: `6rem repeat(${columns.length + 2}, minmax(0, 1fr))` }
  return (
    <div
      role="table"
      aria-rowcount={records.length + 1}
      className="overflow-hidden rounded-xl bg-kumo-base ring-1 ring-kumo-line"
    >
      <div
        role="row"
        aria-rowindex={1}
        style={isWide ? grid : undefined}
        className={isWide ? 'grid border-b border-kumo-line bg-kumo-elevated' : 'sr-only'}
      >
        {[heads.id, ...columns.map(fieldLabel), heads.partition, heads.updatedAt].map((column) => (
          <div
            role="columnheader"
            key={column}
            className="truncate px-4 py-2 text-[13px] font-medium text-kumo-subtle"
          >
            {column}
          </div>
        ))}
      </div>
      <div role="rowgroup" ref={box} className="relative" style={{ height: totalPx }}>
        {rows.map(({ index, startPx }) => {
          const record = records[index]
          return (
            record && (
              <div
                role="row"
                key={`${record.partition}/${record.id}`}
                ref={measure}
                data-index={index}
                aria-rowindex={index + 2}
                className={`absolute inset-x-0 border-b border-kumo-line last:border-0 hover:bg-kumo-tint ${isWide ? 'grid' : 'space-y-0.5 px-4 py-3'}`}
                style={{ top: startPx, ...(isWide && grid) }}
              >
                <Cells record={record} columns={columns} isWide={isWide} onOpen={onOpen} />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

function Cells(props: {
  record: DataRecord
  columns: string[]
  isWide: boolean
  onOpen: (place: string) => void
}) {
  const { record, columns, isWide } = props
  const cell = isWide ? 'truncate px-4 py-2.5' : 'flex gap-2 text-[13px]'
  const label = (name: string) =>
    !isWide && <span className="w-24 shrink-0 truncate text-kumo-subtle">{name}</span>
  return (
    <>
      <div role="cell" className={cell}>
        {label(heads.id)}
        <button
          type="button"
          aria-label={capabilitiesText.data.open(recordName(record, columns))}
          title={record.id}
          onClick={() => props.onOpen(`${record.partition}/${record.id}`)}
          className="max-w-full cursor-pointer truncate rounded-sm text-left font-mono text-[13px] text-kumo-subtle after:absolute after:inset-0"
        >
          {record.id.slice(-ID_CHARS)}
        </button>
      </div>
      {columns.map((name, n) => (
        <div role="cell" key={name} className={`${cell} ${n === 0 ? 'font-medium text-kumo-strong' : ''}`}>
          {label(fieldLabel(name))}
          <span className={isWide ? '' : 'min-w-0 truncate'}>{cellText(record[name])}</span>
        </div>
      ))}
      <div role="cell" className={`${cell} text-kumo-subtle`}>
        {label(heads.partition)}
        <span className={isWide ? '' : 'min-w-0 truncate'}>
          {record.partition === 'app' ? capabilitiesText.data.partitionApp : record.partition}
        </span>
      </div>
      <div role="cell" className={`${cell} text-kumo-subtle`}>
        {label(heads.updatedAt)}
        <RelativeTime at={record.updatedAt} />
      </div>
    </>
  )
}
