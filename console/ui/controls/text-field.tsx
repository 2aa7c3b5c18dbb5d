import { type ComponentProps, type ReactNode, useId } from 'react'

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'size'> {
  label: ReactNode
  /** A hint below the field: what to enter and why. While there is an error, the error is shown instead. */
  description?: ReactNode
  error?: string
  size?: 'base' | 'lg'
}

/**
 * A labelled field with a hint or an error below it. Replaces the library's field, which adds a tooltip with 37 kB of pop-up code, too much
 * for the first page.
 */
export function TextField({
  label,
  description,
  error,
  size = 'base',
  className = '',
  ...input
}: TextFieldProps) {
  const id = useId()
  const note = error ?? description
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium break-words text-kumo-default">
        {label}
      </label>
      <input
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={note ? `${id}-note` : undefined}
        className={`${FIELD_STYLE} ${size === 'lg' ? 'h-10' : 'h-9'} ${error ? 'ring-kumo-danger' : 'ring-kumo-line'} ${className}`}
        {...input}
      />
      {note && (
        <p id={`${id}-note`} className={`text-[13px] ${error ? 'text-removed' : 'text-kumo-subtle'}`}>
          {note}
        </p>
      )}
    </div>
  )
}

/** The style of a text field, for fields without a visible label. */
export const FIELD_STYLE =
  'w-full rounded-lg bg-kumo-control px-3 text-kumo-default ring-1 outline-none placeholder:text-kumo-placeholder hover:ring-kumo-interact focus:ring-2 focus:ring-kumo-focus'
