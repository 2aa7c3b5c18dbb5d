import { useId } from 'react'

/** A choice of few values as radio buttons. In contrast to `SegmentedChoice` it can have a visible label. */
export function PillChoice<T extends string>(props: {
  label: string
  hideLabel?: boolean
  value: T
  options: { value: T; label: string }[]
  onChange: (value: T) => void
}) {
  const name = useId()
  return (
    <fieldset className="min-w-0">
      <legend className={props.hideLabel ? 'sr-only' : 'mb-1.5 text-[13px] font-medium'}>
        {props.label}
      </legend>
      <div className="inline-flex max-w-full flex-wrap gap-1 rounded-lg bg-kumo-recessed p-1 ring-1 ring-kumo-line">
        {props.options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-7 cursor-pointer items-center rounded-md px-3 text-[13px] text-kumo-subtle hover:text-kumo-default has-checked:bg-kumo-base has-checked:font-medium has-checked:text-kumo-strong has-checked:ring-1 has-checked:ring-kumo-line has-focus-visible:outline-2 has-focus-visible:outline-kumo-focus pointer-coarse:min-h-9"
          >
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === props.value}
              onChange={() => props.onChange(option.value)}
              className="sr-only"
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}
