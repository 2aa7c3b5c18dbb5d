import type { ListCollectionsResponses, ListRecordsResponses } from '@slipway/sdk/client/types.gen.ts'
import { href } from '../../../routes.ts'
import { dataText } from './text.en.ts'
import { RelativeTime } from '../../../ui/format/time.tsx'
import { useWide } from '../../../ui/browser/use-media.ts'
import { useWindowedRows } from '../../../ui/lists/use-windowed-rows.ts'
import { cellText, type FieldSchema, fieldLabel } from './record-fields.ts'

export type CollectionSchema = Pick<
  ListCollectionsResponses[200]['data'][number],
  'name' | 'title' | 'partition' | 'label'
> & { fields: FieldSchema[] }
export type DataRecord = ListRecordsResponses[200]['data'][number]

const COLUMNS_MAX = 6
/** The grid shows the last characters of an id, which tell ids apart. The dialog shows the whole id. */
const ID_CHARS = 8
const columnHeads = dataText.columns
const ROW_PX = 44
const CARD_PX = 96

interface GridProps {
  projectId: string
  info: CollectionSchema
  records: DataRecord[]
  /** The labels of referenced records, with the key `<field> <id>`. */
  names: ReadonlyMap<string, string>
  /** Opens a record by `<partition>/<id>`. */
  onOpen: (place: string) => void
}

/** Shows records as a table, or as cards on a narrow screen. Renders only the visible rows. */
export function RecordGrid({ projectId, info, records, names, onOpen }: GridProps) {
  const isWide = useWide()
  const columns = info.fields.slice(0, COLUMNS_MAX)
  const keyOf = (record: DataRecord) => `${record.partition}/${record.id}`
  const { box, rows, totalPx, measure } = useWindowedRows(
    records.length,
    isWide ? ROW_PX : CARD_PX,
    (index) => {
      const record = records[index]
      return record === undefined ? String(index) : keyOf(record)
    },
  )
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
        {[columnHeads.id, ...columns.map(fieldLabel), columnHeads.partition, columnHeads.updatedAt].map(
          (column, n) => (
            <div
              role="columnheader"
              // The position is the React key, because fields may have the same title.
              key={n}
              className="truncate px-4 py-2 text-[13px] font-medium text-kumo-subtle"
            >
              {column}
            </div>
          ),
        )}
      </div>
      <div role="rowgroup" ref={box} className="relative" style={{ height: totalPx }}>
        {rows.map(({ index, startPx }) => {
          const record = records[index]
          return (
            record && (
              <div
                role="row"
                key={keyOf(record)}
                ref={measure}
                data-index={index}
                aria-rowindex={index + 2}
                className={`absolute inset-x-0 border-b border-kumo-line last:border-0 hover:bg-kumo-tint ${isWide ? 'grid' : 'space-y-0.5 px-4 py-3'}`}
                style={{ top: startPx, ...(isWide && grid) }}
              >
                <RecordCells
                  projectId={projectId}
                  record={record}
                  columns={columns}
                  names={names}
                  isWide={isWide}
                  onOpen={onOpen}
                />
              </div>
            )
          )
        })}
      </div>
    </div>
  )
}

function RecordCells(props: {
  projectId: string
  record: DataRecord
  columns: FieldSchema[]
  names: ReadonlyMap<string, string>
  isWide: boolean
  onOpen: (place: string) => void
}) {
  const { record, columns, names, isWide } = props
  const cell = isWide ? 'truncate px-4 py-2.5' : 'flex gap-2 text-[13px]'
  const label = (name: string) =>
    !isWide && <span className="w-24 shrink-0 truncate text-kumo-subtle">{name}</span>
  const shown = (field: FieldSchema) => {
    const text = cellText(record[field.name], field)
    return names.get(`${field.name} ${text}`) ?? text
  }
  const called = columns.map(shown).find((text) => text.trim() !== '')
  return (
    <>
      <div role="cell" className={cell}>
        {label(columnHeads.id)}
        <button
          type="button"
          aria-label={dataText.open(called ?? '', record.id.slice(-ID_CHARS))}
          title={record.id}
          onClick={() => props.onOpen(`${record.partition}/${record.id}`)}
          className="max-w-full cursor-pointer truncate rounded-sm text-left font-mono text-[13px] text-kumo-subtle after:absolute after:inset-0"
        >
          {record.id.slice(-ID_CHARS)}
        </button>
      </div>
      {columns.map((field, n) => (
        <div
          role="cell"
          key={field.name}
          className={`${cell} ${n === 0 ? 'font-medium text-kumo-strong' : ''}`}
        >
          {label(fieldLabel(field))}
          <span className={isWide ? '' : 'min-w-0 truncate'}>{shown(field)}</span>
        </div>
      ))}
      <div role="cell" className={`${cell} text-kumo-subtle`}>
        {label(columnHeads.partition)}
        <span className={isWide ? '' : 'min-w-0 truncate'}>
          <RecordOwner projectId={props.projectId} record={record} />
        </span>
      </div>
      <div role="cell" className={`${cell} text-kumo-subtle`}>
        {label(columnHeads.updatedAt)}
        <RelativeTime at={record.updatedAt} />
      </div>
    </>
  )
}

function RecordOwner({ projectId, record }: { projectId: string; record: DataRecord }) {
  if (record.ownerId === null) return record.partition === 'app' ? dataText.partitionApp : record.partition
  return (
    // `z-10` puts the link above the row's clickable area, which opens the record.
    <a
      href={href.capability(projectId, 'auth', { tab: 'live', q: record.ownerId })}
      aria-label={dataText.personOf(record.ownerId.slice(-ID_CHARS))}
      title={record.ownerId}
      className="relative z-10 rounded-sm underline decoration-kumo-line underline-offset-2 hover:text-kumo-default"
    >
      {dataText.person}
    </a>
  )
}
