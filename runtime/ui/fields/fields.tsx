import { useState } from 'react'
import { dayOf } from '../../web/clock.ts'
import { FieldFrame, type ValueProps } from './field-frame.tsx'

type TextKind = 'text' | 'email' | 'url' | 'search' | 'tel' | 'password'

export function TextField({
  value,
  onChange,
  kind = 'text',
  placeholder,
  maxLength,
  autoComplete,
  ...frame
}: ValueProps<string> & {
  kind?: TextKind | undefined
  placeholder?: string | undefined
  maxLength?: number | undefined
  /** What a password manager or the browser fills in: `username`, `current-password`, `name`. */
  autoComplete?: string | undefined
}) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <input
          {...control}
          className="input"
          type={kind}
          value={value}
          placeholder={placeholder}
          maxLength={maxLength}
          autoComplete={autoComplete}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

export function TextArea({
  value,
  onChange,
  rows = 4,
  ...frame
}: ValueProps<string> & { rows?: number | undefined }) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <textarea
          {...control}
          className="input"
          rows={rows}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

/** A field for a day such as `2026-11-20`; null when none is chosen. */
export function DateField({ value, onChange, ...frame }: ValueProps<string | null>) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="date"
          value={value === null ? '' : dayOf(value)}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

/** A field for a time of day such as `09:30`; null when none is chosen. */
export function TimeField({ value, onChange, ...frame }: ValueProps<string | null>) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="time"
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

/** A field for a password, with a button that shows it. */
export function PasswordField({
  value,
  onChange,
  autoComplete = 'current-password',
  ...frame
}: ValueProps<string> & { autoComplete?: 'current-password' | 'new-password' | undefined }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <span className="input-with-button">
          <input
            {...control}
            className="input"
            type={isShown ? 'text' : 'password'}
            value={value}
            autoComplete={autoComplete}
            onChange={(event) => onChange(event.target.value)}
          />
          <button
            type="button"
            className="input-button"
            aria-label={`${isShown ? 'Hide' : 'Show'} ${frame.label}`}
            onClick={() => setIsShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
          </button>
        </span>
      )}
    </FieldFrame>
  )
}
