import { useDeferredValue, useState } from 'react'
import { foldText } from '../kernel/fold.ts'
import type { CollectionSpec } from '../kernel/manifest.ts'
import { Icon } from './icons.tsx'
import { choiceOf } from './words.ts'

/** `find` returns the rows that contain every typed word. */
export function useSearch(spec: CollectionSpec) {
  const [typed, setTyped] = useState('')
  const words = foldText(useDeferredValue(typed)).split(/\s+/).filter(Boolean)
  return {
    typed,
    setTyped,
    isOn: words.length > 0,
    find: <Row extends Record<string, unknown>>(rows: Row[]): Row[] =>
      words.length === 0
        ? rows
        : rows.filter((row) => words.every((word) => searchTextOf(row, spec).includes(word))),
  }
}

function searchTextOf(row: Record<string, unknown>, spec: CollectionSpec): string {
  return foldText(
    Object.entries(spec.fields)
      .map(([name, field]) =>
        field.type === 'enum' ? choiceOf(String(row[name] ?? '')) : String(row[name] ?? ''),
      )
      .join(' '),
  )
}

/** `noun` is the plural name of the rows that are searched. */
export function SearchBox({
  noun,
  value,
  onChange,
}: {
  noun: string
  value: string
  onChange: (typed: string) => void
}) {
  return (
    <label className="search">
      <span className="visually-hidden">Search {noun}</span>
      <Icon name="search" size={18} />
      <input
        className="input"
        type="search"
        placeholder={`Search ${noun}`}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
