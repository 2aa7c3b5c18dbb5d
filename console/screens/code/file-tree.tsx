import { CaretRightIcon, FileIcon, FolderIcon } from '@phosphor-icons/react'
import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, type RefObject, useEffect, useEffectEvent, useId, useState } from 'react'
import { codeText as words } from '../../text/code.en.ts'
import { useMedia } from '../../ui/browser/use-media.ts'
import { treeMove } from './tree-keys.ts'
import type { CodeTreeRow } from './tree-rows.ts'

interface FileTreeProps {
  tree: RefObject<HTMLDivElement | null>
  rows: CodeTreeRow[]
  chosen: string | undefined
  onToggle: (folder: string) => void
  onChoose: (file: string) => void
}

const ROW_PX = 28
const TOUCH_ROW_PX = 44
const INDENT_PX = 14

/** An ARIA tree: one tab stop, arrow keys move between the rows. Renders only the visible rows. */
export function FileTree({ tree, rows, chosen, onToggle, onChoose }: FileTreeProps) {
  const id = useId()
  const rowPx = useMedia('(pointer: coarse)') ? TOUCH_ROW_PX : ROW_PX
  const [active, setActive] = useState<string | null>(chosen ?? null)
  const activeIndex = rows.findIndex(({ path }) => path === active)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => tree.current,
    estimateSize: () => rowPx,
    overscan: 8,
    // The row with the cursor is always rendered, because `aria-activedescendant` refers to it.
    rangeExtractor: (range) => {
      const inView = defaultRangeExtractor(range)
      return activeIndex === -1 || inView.includes(activeIndex)
        ? inView
        : [...inView, activeIndex].toSorted((a, b) => a - b)
    },
  })
  const show = useEffectEvent((path: string | undefined) => {
    const index = rows.findIndex((row) => row.path === path)
    if (index !== -1) virtual.scrollToIndex(index)
  })
  useEffect(() => virtual.measure(), [virtual, rowPx])
  useEffect(() => show(chosen), [chosen])
  const followKey = (event: KeyboardEvent) => {
    const isHeld = event.ctrlKey || event.metaKey || event.altKey
    const move = isHeld ? null : treeMove(event.key, rows, activeIndex === -1 ? null : active)
    if (!move) return
    event.preventDefault()
    if ('toggle' in move) onToggle(move.toggle)
    if ('choose' in move) onChoose(move.choose)
    if (!('active' in move)) return
    setActive(move.active)
    virtual.scrollToIndex(rows.findIndex(({ path }) => path === move.active))
  }
  return (
    <div
      ref={tree}
      role="tree"
      aria-label={words.files}
      tabIndex={0}
      aria-activedescendant={activeIndex === -1 ? undefined : `${id}-${activeIndex}`}
      onKeyDown={followKey}
      onFocus={() => {
        if (activeIndex !== -1) return
        // The chosen file may be in a folded folder, or filtered out.
        const isListed = chosen !== undefined && rows.some(({ path }) => path === chosen)
        setActive(isListed ? chosen : (rows[0]?.path ?? null))
      }}
      className="group min-h-0 flex-1 overflow-y-auto py-1 outline-none focus-visible:shadow-[inset_0_0_0_2px_var(--color-kumo-focus)]"
    >
      <div role="none" className="relative" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, size }) => {
          const row = rows[index]
          return (
            row && (
              <FileTreeRow
                key={row.path}
                id={`${id}-${index}`}
                row={row}
                isChosen={row.path === chosen}
                isActive={index === activeIndex}
                place={{ transform: `translateY(${start}px)`, height: size }}
                onPress={() => {
                  setActive(row.path)
                  if (row.isFolder) onToggle(row.path)
                  else onChoose(row.path)
                }}
              />
            )
          )
        })}
      </div>
    </div>
  )
}

interface RowProps {
  id: string
  row: CodeTreeRow
  isChosen: boolean
  isActive: boolean
  place: { transform: string; height: number }
  onPress: () => void
}

function FileTreeRow({ id, row, isChosen, isActive, place, onPress }: RowProps) {
  const look = isChosen ? 'bg-tide-tint font-medium text-kumo-strong' : 'hover:bg-kumo-tint'
  const ring = isActive ? 'group-focus-visible:ring-2 group-focus-visible:ring-kumo-focus' : ''
  return (
    <div
      id={id}
      role="treeitem"
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-selected={isChosen}
      aria-expanded={row.isFolder ? row.isOpen : undefined}
      title={row.path}
      onClick={onPress}
      className="absolute top-0 left-0 w-full px-1.5"
      style={place}
    >
      <div
        className={`flex h-full cursor-pointer items-center gap-1.5 rounded-md pr-2 text-[13px] ring-inset ${look} ${ring}`}
        style={{ paddingLeft: 6 + (row.level - 1) * INDENT_PX }}
      >
        {row.isFolder ? (
          <>
            <CaretRightIcon
              className={`size-3 shrink-0 text-kumo-subtle ${row.isOpen ? 'rotate-90' : ''}`}
              aria-hidden="true"
            />
            <FolderIcon className="size-4 shrink-0 text-tide" aria-hidden="true" />
          </>
        ) : (
          <>
            <span className="w-3 shrink-0" />
            <FileIcon className="size-4 shrink-0 text-kumo-subtle" aria-hidden="true" />
          </>
        )}
        <span className="truncate">{row.name}</span>
      </div>
    </div>
  )
}
