import {
  type HTMLAttributes,
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import type { RawQuery, StoredRecord } from '../../data/frames.ts'
import type { CollectionName, InputOf, Query, RecordOf } from '../../data/types.ts'
import { type CollectionSpec, labelField } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { useRows } from '../../data/client/hooks.ts'
import { Button } from '../button.tsx'
import { EmptyState } from '../empty-state.tsx'
import { Icon } from '../icons.tsx'
import { Notice } from '../notice.tsx'
import { useRecordDialogs } from './dialogs.tsx'
import { RecordValue } from './value.tsx'
import { SearchBox, useSearch } from './search-box.tsx'
import { Skeleton } from '../skeleton.tsx'
import { enumLabel, partName, partText, recordName } from '../words.ts'

export interface BoardProps<C extends CollectionName, Field extends Extract<keyof InputOf<C>, string>> {
  collection: C
  /** A field of type enum. Its values are the columns. */
  field: Field
  query?: Query<C> | undefined
  /** The id of the team whose records are shown. */
  partition?: string | undefined
  /** The content of a card below its name; by default the first two other fields that have a value. */
  details?: ((row: RecordOf<C>) => ReactNode) | undefined
  onMove: (row: RecordOf<C>, value: Exclude<InputOf<C>[Field], null | undefined>) => unknown
  onEdit?: ((row: RecordOf<C>, input: InputOf<C>) => unknown) | undefined
  onDelete?: ((row: RecordOf<C>) => unknown) | undefined
  empty?: ReactNode
}

interface UntypedBoardProps {
  collection: string
  field: string
  query?: RawQuery | undefined
  partition?: string | undefined
  details?: ((row: StoredRecord) => ReactNode) | undefined
  onMove: (row: StoredRecord, value: string) => unknown
  onEdit?: ((row: StoredRecord, input: Record<string, unknown>) => unknown) | undefined
  onDelete?: ((row: StoredRecord) => unknown) | undefined
  empty?: ReactNode
}

const DETAILS_MAX = 2
/** A shorter movement of the pointer is a click. */
const DRAG_FROM_PX = 6

/** A moved card, which is shown in its new column until its record is updated. */
interface MovedCard {
  id: string
  rev: number
  value: string
}

interface CardDrag {
  id: string
  fromX: number
  fromY: number
  x: number
  y: number
  over: string | null
}

/** The records of a collection in columns, updated live. Cards can be moved by pointer, keyboard or menu. */
export function Board<C extends CollectionName, Field extends Extract<keyof InputOf<C>, string>>(
  props: BoardProps<C, Field>,
): ReactNode
export function Board(props: UntypedBoardProps) {
  const { collection, field, partition, onMove } = props
  const spec = manifest.collections[collection]
  if (spec === undefined) throw new Error(`app.json has no collection ${collection}`)
  const { rows, status, error, more } = useRows(collection, props.query ?? { limit: 200 }, { partition })
  const dialogs = useRecordDialogs({
    collection,
    spec,
    partition,
    rows,
    onEdit: props.onEdit,
    onDelete: props.onDelete,
  })
  const { typed, setTyped, isOn, find } = useSearch(spec)
  const [moved, setMoved] = useState<readonly MovedCard[]>([])
  const [problem, setProblem] = useState<string | null>(null)
  const [said, setSaid] = useState('')
  const [openId, setOpenId] = useState<string | null>(null)
  const { drag, dragProps } = useCardDrag()
  const board = useRef<HTMLDivElement>(null)
  const focusId = useRef<string | null>(null)

  // In its new column the card is another element, so restore the focus.
  useEffect(() => {
    if (focusId.current === null) return
    board.current?.querySelector<HTMLElement>(`[data-card="${focusId.current}"] .board-grip`)?.focus()
    focusId.current = null
  })

  const noun = spec.title.toLowerCase()
  if (status === 'loading')
    return error === null ? (
      <Skeleton lines={5} label={`Loading ${noun}`} />
    ) : (
      <Notice>{error.message}</Notice>
    )
  if (rows.length === 0)
    return (
      <div className="board-frame">
        {props.empty ?? <EmptyState title={`No ${noun} yet`} />}
        {dialogs.windows}
      </div>
    )

  const valueOf = (row: StoredRecord) =>
    moved.find(({ id, rev }) => id === row.id && rev === row.rev)?.value ?? String(row[field] ?? '')
  const found = find(rows)
  const values = spec.fields[field]?.values ?? []
  const columns = rows.some((row) => !values.includes(valueOf(row))) ? ['', ...values] : values

  const moveCard = async (row: StoredRecord, value: string, keepsFocus: boolean) => {
    if (value === valueOf(row)) return
    if (keepsFocus) focusId.current = row.id
    setOpenId(null)
    setProblem(null)
    const move = { id: row.id, rev: row.rev, value }
    const announcement = `${recordName(row, spec)} moved to ${enumLabel(value)}`
    setMoved((before) => [...before.filter(({ id }) => id !== row.id), move])
    setSaid(announcement)
    try {
      await onMove(row, value)
    } catch (failure) {
      // Keep a later move of this card, and the announcement of another move.
      setMoved((before) => before.filter((one) => one !== move))
      setSaid((before) => (before === announcement ? '' : before))
      setProblem(failure instanceof Error ? failure.message : String(failure))
    }
  }

  return (
    <div className="board-frame">
      {problem !== null && <Notice>{problem}</Notice>}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <div className="records-bar">
        <SearchBox noun={noun} value={typed} onChange={setTyped} />
        <span className="records-count" role="status">
          {isOn
            ? `${found.length} of ${more === null ? rows.length : partName(rows.length, props.query?.sort)}`
            : more === null
              ? ''
              : partText(rows.length, props.query?.sort)}
        </span>
      </div>
      <div ref={board} className="board" role="group" aria-label={spec.title}>
        {columns.map((value) => {
          const cards = found.filter((row) => (values.includes(valueOf(row)) ? valueOf(row) : '') === value)
          return (
            <section
              key={value}
              className="board-column"
              data-column={value}
              data-over={drag?.over === value}
              aria-label={columnTitle(value)}
            >
              <h2 className="board-title">
                {columnTitle(value)} <span className="board-count">{cards.length}</span>
              </h2>
              <ul className="board-cards">
                {cards.map((row) => (
                  <BoardCard
                    key={row.id}
                    row={row}
                    name={recordName(row, spec)}
                    value={value}
                    values={values}
                    drag={drag?.id === row.id ? drag : null}
                    dragProps={dragProps(row.id, (column) => {
                      if (values.includes(column)) void moveCard(row, column, false)
                    })}
                    isOpen={openId === row.id}
                    onToggle={() => setOpenId(openId === row.id ? null : row.id)}
                    onMove={(other) => void moveCard(row, other, true)}
                    buttons={dialogs.buttons(row)}
                  >
                    {props.details === undefined ? (
                      <Details row={row} spec={spec} but={field} place={{ collection, partition }} />
                    ) : (
                      props.details(row)
                    )}
                  </BoardCard>
                ))}
              </ul>
            </section>
          )
        })}
      </div>
      {more !== null && (
        <Button className="records-more" onClick={more}>
          Show more
        </Button>
      )}
      {dialogs.windows}
    </div>
  )
}

/** Lets the pointer drag one card at a time. Returns that card, and the props that make the card with this `id` draggable. */
function useCardDrag() {
  const [drag, setDrag] = useState<CardDrag | null>(null)
  /** `onDrop` receives the column on which the card is dropped, or an empty string outside of the columns. */
  const dragProps = (id: string, onDrop: (column: string) => void) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const target = event.target as HTMLElement
      const isGrip = target.closest('.board-grip') !== null
      // Touching a card must scroll the page, and controls inside it must stay clickable.
      if (
        event.button !== 0 ||
        (!isGrip && (event.pointerType === 'touch' || target.closest('button, a') !== null))
      )
        return
      setDrag({ id, fromX: event.clientX, fromY: event.clientY, x: 0, y: 0, over: null })
    },
    onPointerMove: (event: PointerEvent<HTMLElement>) => {
      if (drag?.id !== id) return
      // The button was released outside of the card, before the card captured the pointer.
      if (event.buttons === 0) return setDrag(null)
      const [x, y] = [event.clientX - drag.fromX, event.clientY - drag.fromY]
      if (drag.over === null && Math.hypot(x, y) < DRAG_FROM_PX) return
      event.currentTarget.setPointerCapture(event.pointerId)
      // Skip the dragged card, which is also under the pointer.
      const below = document
        .elementsFromPoint(event.clientX, event.clientY)
        .find((element) => !event.currentTarget.contains(element))
      const column = below?.closest<HTMLElement>('[data-column]')
      setDrag({ ...drag, x, y, over: column?.dataset['column'] ?? '' })
    },
    onPointerUp: () => {
      if (drag?.id === id && drag.over !== null) onDrop(drag.over)
      setDrag(null)
    },
    onPointerCancel: () => setDrag(null),
  })
  return { drag, dragProps }
}

interface CardProps {
  row: StoredRecord
  name: string
  /** The card's column. */
  value: string
  values: readonly string[]
  /** Null unless this card is being dragged. */
  drag: CardDrag | null
  dragProps: HTMLAttributes<HTMLLIElement>
  isOpen: boolean
  onToggle: () => void
  onMove: (value: string) => void
  buttons: ReactNode
  children: ReactNode
}

/** A card with the button that moves it: a click lists the other columns, and the arrow keys move the card to the next column. */
function BoardCard({
  row,
  name,
  value,
  values,
  drag,
  dragProps,
  isOpen,
  onToggle,
  onMove,
  buttons,
  children,
}: CardProps) {
  const pressKey = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    const next = values[values.indexOf(value) + step]
    if (next !== undefined) onMove(next)
  }
  return (
    <li
      data-card={row.id}
      className="board-card"
      data-dragged={drag !== null && drag.over !== null}
      style={drag === null ? undefined : { translate: `${drag.x}px ${drag.y}px` }}
      {...dragProps}
    >
      <div className="board-head">
        <span className="board-name">{name}</span>
        {buttons}
        <button
          type="button"
          className="icon-button board-grip"
          aria-expanded={isOpen}
          aria-label={`Move ${name}`}
          title="Move: drag, click, or press the left and right arrow keys"
          onClick={onToggle}
          onKeyDown={pressKey}
        >
          <Icon name="grip" size={18} />
        </button>
      </div>
      {isOpen && (
        <div className="board-moves">
          {values
            .filter((other) => other !== value)
            .map((other) => (
              <button key={other} type="button" className="chip" onClick={() => onMove(other)}>
                {enumLabel(other)}
              </button>
            ))}
        </div>
      )}
      {children}
    </li>
  )
}

const columnTitle = (value: string) => (value === '' ? 'Not set' : enumLabel(value))

interface DetailsProps {
  row: StoredRecord
  spec: CollectionSpec
  but: string
  place: { collection: string; partition: string | undefined }
}

/** Shows the first two fields that have a value, except the name and the field whose values are the columns. */
function Details({ row, spec, but, place }: DetailsProps) {
  const label = labelField(spec)
  const shown = Object.entries(spec.fields)
    .filter(([name]) => name !== but && name !== label && row[name] !== null && row[name] !== false)
    .slice(0, DETAILS_MAX)
  if (shown.length === 0) return null
  return (
    <div className="board-details">
      {shown.map(([name, field]) => (
        <span key={name}>
          <RecordValue spec={field} value={row[name]} place={{ ...place, id: row.id, field: name }} />
        </span>
      ))}
    </div>
  )
}
