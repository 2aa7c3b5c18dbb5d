import { useEffect, useRef } from 'react'
import { paletteText } from '../../text/palette.en.ts'
import type { PaletteEntry, Group } from './entries.ts'

interface OptionsProps {
  id: string
  groups: { group: Group; entries: PaletteEntry[] }[]
  marked: number
  onMark: (at: number) => void
  onTake: (entry: PaletteEntry) => void
}

/** The list of the palette. `marked` is the index over all groups, which the arrow keys of the field change. */
export function Options({ id, groups, marked, onMark, onTake }: OptionsProps) {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [marked, groups])
  const starts = groups.map((_, n) => groups.slice(0, n).reduce((sum, part) => sum + part.entries.length, 0))
  return (
    <div
      ref={list}
      id={`${id}-list`}
      role="listbox"
      aria-label={paletteText.title}
      // Not focusable: the field keeps the focus, and its arrow keys scroll this list.
      className={`min-h-0 scroll-py-2 overflow-y-auto overscroll-contain ${groups.length > 0 ? 'p-2' : ''}`}
    >
      {groups.map(({ group, entries }, n) => (
        <div key={group} role="group" aria-labelledby={`${id}-${group}`}>
          <p
            id={`${id}-${group}`}
            role="presentation"
            className="px-3 pt-2.5 pb-1 text-xs font-medium text-kumo-subtle"
          >
            {paletteText.groups[group]}
          </p>
          {entries.map((entry, k) => {
            const at = (starts[n] ?? 0) + k
            return (
              <PaletteOption
                key={entry.id}
                id={`${id}-${at}`}
                entry={entry}
                isMarked={at === marked}
                onMark={() => onMark(at)}
                onTake={() => onTake(entry)}
              />
            )
          })}
        </div>
      ))}
    </div>
  )
}

function PaletteOption(props: {
  id: string
  entry: PaletteEntry
  isMarked: boolean
  onMark: () => void
  onTake: () => void
}) {
  const { entry } = props
  return (
    // Handles only the pointer, because the field above has the focus and handles the keys.
    <div
      id={props.id}
      role="option"
      aria-selected={props.isMarked}
      aria-disabled={entry.reason ? true : undefined}
      onPointerMove={props.onMark}
      onClick={props.onTake}
      className={`flex min-h-10 cursor-pointer items-center gap-3 rounded-lg px-3 py-1.5 aria-disabled:cursor-default pointer-coarse:min-h-12 ${props.isMarked ? 'bg-kumo-fill' : ''}`}
    >
      <span
        aria-hidden="true"
        className="grid size-5 shrink-0 place-items-center text-kumo-subtle [&_svg]:size-[18px]"
      >
        {entry.icon}
      </span>
      <span className="min-w-0 flex-1">
        <span className={`block truncate ${entry.reason ? 'text-kumo-subtle' : 'text-kumo-default'}`}>
          {entry.label}
        </span>
        {entry.reason && <span className="block text-xs text-kumo-subtle">{entry.reason}</span>}
      </span>
      {entry.detail && (
        <span className="max-w-[40%] shrink-0 truncate text-xs text-kumo-subtle">{entry.detail}</span>
      )}
    </div>
  )
}
