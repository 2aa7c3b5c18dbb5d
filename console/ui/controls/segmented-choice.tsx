/** A choice of few values as toggle buttons without a visible label, such as the layout of a view. */
export function SegmentedChoice<T extends string>(props: {
  label: string
  value: T
  options: readonly { value: T; label: string }[]
  onChange: (value: T) => void
}) {
  return (
    <div
      role="group"
      aria-label={props.label}
      className="inline-flex rounded-lg bg-kumo-recessed p-0.5 ring-1 ring-kumo-line"
    >
      {props.options.map(({ value, label }) => (
        <button
          key={value}
          type="button"
          aria-pressed={value === props.value}
          onClick={() => props.onChange(value)}
          className={`h-[26px] cursor-pointer rounded-md px-2.5 text-[13px] ${value === props.value ? 'bg-kumo-base font-medium text-kumo-strong shadow-sm ring-1 ring-kumo-line' : 'text-kumo-subtle hover:text-kumo-default'}`}
        >
          {label}
        </button>
      ))}
    </div>
  )
}
