import { Icon } from './icons.tsx'

/** A search box above a list; `noun` names what is searched, in plural. */
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
