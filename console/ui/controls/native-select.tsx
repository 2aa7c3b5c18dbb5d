import { CaretDownIcon } from '@phosphor-icons/react'
import { type ReactNode, useId } from 'react'

export interface SelectOption<T extends string> {
  value: T
  label: string
}

/** A native select, because it is fast, accessible by keyboard, and opens a phone's own picker. */
export function NativeSelect<T extends string>(props: {
  label: ReactNode
  hideLabel?: boolean
  name?: string
  value: T
  options: SelectOption<T>[]
  disabled?: boolean
  /** The id of the hint or the error below the field. */
  noteId?: string
  isInvalid?: boolean
  onChange: (value: T) => void
}) {
  const id = useId()
  return (
    <div className="min-w-0 space-y-1.5">
      <label htmlFor={id} className={props.hideLabel ? 'sr-only' : 'block font-medium text-kumo-default'}>
        {props.label}
      </label>
      <div className="relative">
        <select
          id={id}
          name={props.name}
          value={props.value}
          disabled={props.disabled}
          aria-describedby={props.noteId}
          aria-invalid={props.isInvalid}
          onChange={(event) => {
            const chosen = props.options.find(({ value }) => value === event.target.value)
            if (chosen) props.onChange(chosen.value)
          }}
          className="h-9 w-full cursor-pointer appearance-none rounded-lg bg-kumo-control pr-8 pl-3 text-kumo-default ring-1 ring-kumo-line outline-none hover:ring-kumo-interact focus-visible:ring-2 focus-visible:ring-kumo-focus disabled:cursor-not-allowed disabled:opacity-60"
        >
          {props.options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
        <CaretDownIcon
          className="pointer-events-none absolute top-1/2 right-2.5 -translate-y-1/2 text-kumo-subtle"
          aria-hidden="true"
        />
      </div>
    </div>
  )
}
