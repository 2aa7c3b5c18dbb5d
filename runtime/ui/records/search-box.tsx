import { useDeferredValue, useState } from 'react'
import { foldText } from '../../kernel/fold.ts'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import { Icon } from '../icons.tsx'
import { searchTextOf } from './value.tsx'

/** `find` returns the rows that contain every typed word. */
export function useSearch(spec: CollectionSpec) {
  const [typed, setTyped] = useState('')
  // Cached, because formatting dates and amounts is slow. A row that has changed is another object, so no text is outdated.
  const [texts] = useState(() => new WeakMap<object, string>())
  const words = foldText(useDeferredValue(typed)).split(/\s+/).filter(Boolean)
  const textOf = (row: Record<string, unknown>): string => {
    const known = texts.get(row)
    if (known !== undefined) return known
    const values = Object.entries(spec.fields).map(([name, field]) => searchTextOf(row[name], field))
    const text = foldText(values.join(' '))
    texts.set(row, text)
    return text
  }
  return {
    typed,
    setTyped,
    isOn: words.length > 0,
    find: <Row extends Record<string, unknown>>(rows: Row[]): Row[] =>
      words.length === 0 ? rows : rows.filter((row) => words.every((word) => textOf(row).includes(word))),
  }
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
