import { type ReactNode, useId } from 'react'
import { Icon } from '../icons.tsx'

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
  const notes = { id, hint, error }
  return (
    <div className="field" data-invalid={hasText(error)}>
      <label htmlFor={id} className="field-label" data-required={required}>
        {label}
      </label>
      {children({ id, required, ...describedBy(notes) })}
      <FieldNotes {...notes} />
    </div>
  )
}

interface Notes extends Pick<FieldProps, 'hint' | 'error'> {
  id: string
}

const hasText = (text: string | null | undefined): boolean =>
  text !== null && text !== undefined && text !== ''

/** Returns the attributes that connect a control to its `FieldNotes`. */
export function describedBy({ id, hint, error }: Notes): Omit<ControlProps, 'id' | 'required'> {
  const isInvalid = hasText(error)
  const ids = [hint === undefined ? '' : `${id}-hint`, isInvalid ? `${id}-error` : ''].join(' ').trim()
  return { 'aria-invalid': isInvalid, 'aria-describedby': ids === '' ? undefined : ids }
}

/** The hint and the error below a control. */
export const FieldNotes = ({ id, hint, error }: Notes) => (
  <>
    {hint !== undefined && (
      <p id={`${id}-hint`} className="field-hint">
        {hint}
      </p>
    )}
    {hasText(error) && (
      <p id={`${id}-error`} className="field-error">
        <Icon name="alert" size={16} />
        {error}
      </p>
    )}
  </>
)
