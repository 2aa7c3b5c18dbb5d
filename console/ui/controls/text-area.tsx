import { type ComponentProps, useId } from 'react'
import { FIELD_STYLE } from './text-field.tsx'

interface TextAreaProps extends ComponentProps<'textarea'> {
  label: string
  /** A hint below the field: what to enter and why. While there is an error, the error is shown instead. */
  description?: string
  error?: string
}

/** A labelled field of several lines with a hint or an error below it. A `TextField` has one line. */
export function TextArea({ label, description, error, ...area }: TextAreaProps) {
  const id = useId()
  const note = error ?? description
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {label}
      </label>
      <textarea
        id={id}
        aria-invalid={error !== undefined}
        aria-describedby={note === undefined ? undefined : `${id}-note`}
        className={`${FIELD_STYLE} min-h-24 resize-y py-2 ${error === undefined ? 'ring-kumo-line' : 'ring-kumo-danger'}`}
        {...area}
      />
      {note !== undefined && (
        <p
          id={`${id}-note`}
          className={`text-[13px] ${error === undefined ? 'text-kumo-subtle' : 'text-removed'}`}
        >
          {note}
        </p>
      )}
    </div>
  )
}
