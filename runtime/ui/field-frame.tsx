import { type ReactNode, useId } from 'react'
import { Icon } from './icons.tsx'

/** The props that every field has, except its value. */
export interface FieldProps {
  label: string
  error?: string | null | undefined
  hint?: string | undefined
  required?: boolean | undefined
  id?: string | undefined
}

export interface ValueProps<V> extends FieldProps {
  value: V
  onChange: (value: V) => void
}

/** The attributes that connect a control to its label, hint and error. */
export interface ControlProps {
  id: string
  required: boolean
  'aria-invalid': boolean
  'aria-describedby': string | undefined
}

/** Shows a label above a control, and its hint and error below. Connects them to the control for screen readers. */
export function FieldFrame({
  label,
  error,
  hint,
  required = false,
  id: givenId,
  children,
}: FieldProps & { children: (control: ControlProps) => ReactNode }) {
  const ownId = useId()
  const id = givenId ?? ownId
  const hasError = error !== null && error !== undefined && error !== ''
  const describedBy = [hint === undefined ? '' : `${id}-hint`, hasError ? `${id}-error` : ''].join(' ').trim()
  return (
    <div className="field" data-invalid={hasError}>
      <label htmlFor={id} className="field-label" data-required={required}>
        {label}
      </label>
      {children({
        id,
        required,
        'aria-invalid': hasError,
        'aria-describedby': describedBy === '' ? undefined : describedBy,
      })}
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
      {hasError && (
        <p id={`${id}-error`} className="field-error">
          <Icon name="alert" size={16} />
          {error}
        </p>
      )}
    </div>
  )
}
