import { type ReactNode, useState } from 'react'
import type { RawQuery, StoredRecord } from '../../data/frames.ts'
import type { CollectionName, InputOf, Query, RecordOf } from '../../data/types.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { type CollectionSpec, type FieldSpec, fieldTitle, labelField } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { digitsOf } from '../../web/money.ts'
import { useRows } from '../../data/client/hooks.ts'
import { Button } from '../button.tsx'
import { CsvButton } from '../csv-button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Icon } from '../icons.tsx'
import { useRecordDialogs } from './dialogs.tsx'
import { RecordTable } from './table.tsx'
import { SearchBox, useSearch } from './search-box.tsx'
import { Skeleton } from '../skeleton.tsx'
import { enumLabel, partName, partText } from '../words.ts'

export interface RecordListProps<C extends CollectionName> {
  collection: C
  query?: Query<C> | undefined
  /** The id of the team whose records are shown. */
  partition?: string | undefined
  /** The shown fields in their order; by default the first eight. */
  columns?: Extract<keyof RecordOf<C>, string>[] | undefined
  /** Fields whose sums are shown below the list, once every record is loaded. */
  totals?: Extract<keyof RecordOf<C>, string>[] | undefined
  /** A file name such as "plants.csv". With it, people can download the shown rows. */
  csv?: string | undefined
  /** The title of a record; by default its first text field. */
  title?: ((row: RecordOf<C>) => ReactNode) | undefined
  onOpen?: ((row: RecordOf<C>) => void) | undefined
  onEdit?: ((row: RecordOf<C>, input: InputOf<C>) => unknown) | undefined
  onDelete?: ((row: RecordOf<C>) => unknown) | undefined
  /** Shown instead of the list when there are no records. */
  empty?: ReactNode
}

const COLUMNS_MAX = 8
/** How many more rows are rendered at a time. */
const PAGE_ROWS = 50

interface ListProps {
  collection: string
  query?: RawQuery | undefined
  partition?: string | undefined
  columns?: string[] | undefined
  totals?: string[] | undefined
  csv?: string | undefined
  title?: ((row: StoredRecord) => ReactNode) | undefined
  onOpen?: ((row: StoredRecord) => void) | undefined
  onEdit?: ((row: StoredRecord, input: Record<string, unknown>) => unknown) | undefined
  onDelete?: ((row: StoredRecord) => unknown) | undefined
  empty?: ReactNode
}

/** The records of a collection, updated live: a table on wide screens, cards on a phone. */
export function RecordList<C extends CollectionName>(props: RecordListProps<C>): ReactNode
export function RecordList(props: ListProps) {
  const { collection, partition, onEdit, onDelete } = props
  const spec = manifest.collections[collection]
  if (spec === undefined) throw new Error(`app.json has no collection ${collection}`)
  const { rows, status, error, more } = useRows(collection, props.query ?? { limit: 200 }, { partition })
  const { typed, setTyped, isOn, find } = useSearch(spec)
  const dialogs = useRecordDialogs({ collection, spec, partition, rows, onEdit, onDelete })
  const [choice, setChoice] = useState<string | null>(null)
  const [shownMax, setShownMax] = useState(PAGE_ROWS)
  const noun = spec.title.toLowerCase()

  if (status === 'loading')
    return error === null ? <ListSkeleton noun={noun} /> : <ListFailure error={error} noun={noun} />
  if (rows.length === 0 && typed === '') {
    return (
      <div className="records">
        <StaleNotice isShown={status === 'stale'} />
        {props.empty ?? (
          <EmptyState title={`No ${noun} yet`}>What you add appears here, for everyone at once.</EmptyState>
        )}
        {dialogs.windows}
      </div>
    )
  }
  const [filter, values] = choiceFilter(spec)
  const chosen = choice === null ? rows : rows.filter((row) => row[filter] === choice)
  const found = find(chosen)
  // A search finds only what is loaded, so say which records that are.
  const searched = more === null ? rows.length : partName(rows.length, props.query?.sort)
  const columns = props.columns ?? columnsOf(spec)
  const clearFilters = () => {
    setTyped('')
    setChoice(null)
  }
  const showMore = () => {
    if (found.length <= shownMax) more?.()
    setShownMax(shownMax + PAGE_ROWS)
  }
  return (
    <div className="records">
      <StaleNotice isShown={status === 'stale'} />
      <div className="records-bar">
        <SearchBox noun={noun} value={typed} onChange={setTyped} />
        <span className="records-count" role="status">
          {!isOn && choice === null
            ? more === null
              ? countText(rows.length, noun)
              : partText(rows.length, props.query?.sort)
            : `${found.length} of ${searched}`}
        </span>
        {props.csv !== undefined && (
          <CsvButton name={props.csv} head={columns.map((name) => fieldTitle(name, spec.fields[name]))}>
            {() => found.map((row) => columns.map((name) => cellValue(row[name], spec.fields[name])))}
          </CsvButton>
        )}
      </div>
      {values.length > 0 && (
        <Filter name={filter} values={values} rows={rows} choice={choice} onChoose={setChoice} />
      )}
      {found.length === 0 ? (
        <EmptyState
          icon="search"
          title={
            !isOn
              ? `No ${noun} here`
              : `Nothing matches “${typed.trim()}”${more === null ? '' : ` among ${searched}`}`
          }
          action={<Button onClick={clearFilters}>{isOn ? 'Clear the search' : 'Show all'}</Button>}
        />
      ) : (
        <RecordTable
          collection={collection}
          partition={partition}
          rows={found}
          spec={spec}
          isWhole={more === null}
          rowsMax={shownMax}
          columns={columns}
          totals={more === null ? props.totals : undefined}
          title={props.title}
          onOpen={props.onOpen}
          buttons={dialogs.hasButtons ? dialogs.buttons : undefined}
        />
      )}
      {(more !== null || found.length > shownMax) && (
        <Button className="records-more" onClick={showMore}>
          Show more
        </Button>
      )}
      {dialogs.windows}
    </div>
  )
}

const FILTER_VALUES_MAX = 6

/** Returns the first field with few possible values, by which the list can be filtered. */
function choiceFilter(spec: CollectionSpec): [field: string, values: readonly string[]] {
  const found = Object.entries(spec.fields).find(
    ([, { type, values = [] }]) => type === 'enum' && values.length > 1 && values.length <= FILTER_VALUES_MAX,
  )
  return [found?.[0] ?? '', found?.[1].values ?? []]
}

interface FilterProps {
  name: string
  values: readonly string[]
  rows: readonly StoredRecord[]
  choice: string | null
  onChoose: (choice: string | null) => void
}

function Filter({ name, values, rows, choice, onChoose }: FilterProps) {
  const count = (value: string) => rows.filter((row) => row[name] === value).length
  return (
    <div className="chips" role="group" aria-label="Filter">
      <button type="button" className="chip" aria-pressed={choice === null} onClick={() => onChoose(null)}>
        All
      </button>
      {values.map((value) => (
        <button
          key={value}
          type="button"
          className="chip"
          aria-pressed={choice === value}
          onClick={() => onChoose(choice === value ? null : value)}
        >
          {enumLabel(value)} <span className="chip-count">{count(value)}</span>
        </button>
      ))}
    </div>
  )
}

function columnsOf(spec: CollectionSpec): string[] {
  const first = labelField(spec)
  const names = Object.keys(spec.fields)
  return [...names.filter((name) => name === first), ...names.filter((name) => name !== first)].slice(
    0,
    COLUMNS_MAX,
  )
}

/** The title of a collection is a plural, so a single record is shown as "1 record". */
const countText = (count: number, noun: string) => (count === 1 ? '1 record' : `${count} ${noun}`)

/** Formats a value for a spreadsheet: money in its main unit, with a decimal point in every language. */
function cellValue(value: unknown, { currency }: Partial<FieldSpec> = {}): string | number | null {
  if (typeof value === 'number' && currency !== undefined) {
    const digits = digitsOf(currency)
    return (value / 10 ** digits).toFixed(digits)
  }
  if (value === null || value === undefined || typeof value === 'number') return value ?? null
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function StaleNotice({ isShown }: { isShown: boolean }) {
  return (
    <div role="status">
      {isShown && (
        <p className="notice notice-warn">
          <Icon name="offline" />
          The connection is lost. These are the last known records; what you change is sent when it is back.
        </p>
      )}
    </div>
  )
}

function ListSkeleton({ noun }: { noun: string }) {
  return (
    <div className="records">
      <div className="card">
        <Skeleton lines={5} label={`Loading ${noun}`} />
      </div>
    </div>
  )
}

function ListFailure({ error, noun }: { error: ApiError; noun: string }) {
  const isOff = error.code === 'not_enabled'
  return (
    <div role="alert">
      <EmptyState
        icon="alert"
        title={isOff ? 'This app cannot store records yet' : `The ${noun} could not be loaded`}
      >
        {error.message}
      </EmptyState>
    </div>
  )
}
