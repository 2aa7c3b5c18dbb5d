import { XIcon } from '@phosphor-icons/react'
import { keepPreviousData, useQuery, type UseQueryOptions } from '@tanstack/react-query'
import { useDeferredValue, useId, useRef, useState } from 'react'
import { truncateText } from '../../../lib/truncate-text.ts'
import { dataText } from './text.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FIELD_STYLE } from '../../../ui/controls/text-field.tsx'

const pickerText = dataText.pick

export interface PickedRecord {
  id: string
  label: string
}

type PickedQuery = Pick<UseQueryOptions<PickedRecord[]>, 'queryKey' | 'queryFn'>

/** A field whose value is found by a search. Shows the chosen value, or the search with its results. */
export function Picker(props: {
  label: string
  hint: string
  error: string | undefined
  value: PickedRecord | null
  find: (q: string) => PickedQuery
  onChange: (value: PickedRecord | null) => void
}) {
  const { label, value, error, onChange } = props
  const id = useId()
  const note = error ?? props.hint
  // The pressed button disappears, so the part that replaces it takes over the focus.
  const isPressed = useRef(false)
  const change = (next: PickedRecord | null) => {
    isPressed.current = true
    onChange(next)
  }
  const takeFocus = (part: HTMLElement | null) => {
    if (part !== null && isPressed.current) part.focus()
    if (part !== null) isPressed.current = false
  }
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {label}
      </label>
      {value === null ? (
        <SearchField {...props} id={id} fieldRef={takeFocus} onChange={change} />
      ) : (
        <div className="flex items-center gap-2">
          <output
            id={id}
            aria-describedby={note ? `${id}-note` : undefined}
            className="min-w-0 flex-1 truncate rounded-lg bg-kumo-fill px-3 py-1.5"
          >
            {value.label}
          </output>
          <Button
            ref={takeFocus}
            variant="ghost"
            shape="square"
            icon={<XIcon />}
            aria-label={pickerText.clear(label)}
            onClick={() => change(null)}
          />
        </div>
      )}
      {note && (
        <p id={`${id}-note`} className={`text-[13px] ${error ? 'text-removed' : 'text-kumo-subtle'}`}>
          {note}
        </p>
      )}
    </div>
  )
}

function SearchField(props: {
  id: string
  label: string
  error: string | undefined
  find: (q: string) => PickedQuery
  fieldRef: (field: HTMLInputElement | null) => void
  onChange: (value: PickedRecord) => void
}) {
  const [typed, setTyped] = useState('')
  const q = useDeferredValue(truncateText(typed.trim(), 200))
  const found = useQuery({ ...props.find(q), placeholderData: keepPreviousData })
  return (
    <div>
      <input
        ref={props.fieldRef}
        id={props.id}
        type="search"
        autoComplete="off"
        placeholder={pickerText.search(props.label)}
        value={typed}
        aria-invalid={props.error !== undefined}
        aria-describedby={`${props.id}-note`}
        onChange={(event) => setTyped(event.target.value)}
        // Prevent Enter in the search field from submitting the form around it.
        onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        className={`${FIELD_STYLE} h-9 ${props.error ? 'ring-kumo-danger' : 'ring-kumo-line'}`}
      />
      <ul
        aria-label={pickerText.search(props.label)}
        className="mt-1.5 max-h-44 overflow-y-auto rounded-lg ring-1 ring-kumo-line"
      >
        {found.data?.map((option) => (
          <li key={option.id}>
            <button
              type="button"
              onClick={() => props.onChange(option)}
              className="block min-h-9 w-full cursor-pointer truncate px-3 text-left hover:bg-kumo-tint pointer-coarse:min-h-11"
            >
              {option.label}
            </button>
          </li>
        ))}
        {found.data?.length === 0 && !found.isPlaceholderData && (
          <li className="px-3 py-2 text-kumo-subtle">{pickerText.none}</li>
        )}
        {found.isError && <li className="px-3 py-2 text-removed">{pickerText.failed}</li>}
      </ul>
    </div>
  )
}
