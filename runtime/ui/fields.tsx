import { useId } from 'react'
import { FieldFrame, type FieldProps } from './field-frame.tsx'

type TextKind = 'text' | 'email' | 'url' | 'search' | 'tel' | 'password'

interface ValueProps<V> extends FieldProps {
  value: V
  onChange: (value: V) => void
}

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
  /** What a password manager or browser fills in: `username`, `current-password`, `name`. */
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

export function NumberField({
  value,
  onChange,
  isWhole = false,
  max,
  ...frame
}: ValueProps<number | null> & { isWhole?: boolean | undefined; max?: number | undefined }) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="number"
          inputMode={isWhole ? 'numeric' : 'decimal'}
          step={isWhole ? 1 : 'any'}
          max={max}
          value={value ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.valueAsNumber)}
        />
      )}
    </FieldFrame>
  )
}

/** A day, as `2026-11-20`; null when none is chosen. */
export function DateField({ value, onChange, ...frame }: ValueProps<string | null>) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <input
          {...control}
          className="input"
          type="date"
          value={value?.slice(0, 10) ?? ''}
          onChange={(event) => onChange(event.target.value === '' ? null : event.target.value)}
        />
      )}
    </FieldFrame>
  )
}

export function Checkbox({ label, value, onChange, hint, id: givenId }: ValueProps<boolean>) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <div className="field field-checkbox">
      <label htmlFor={id} className="checkbox">
        <input
          id={id}
          type="checkbox"
          checked={value}
          aria-describedby={hint === undefined ? undefined : `${id}-hint`}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  )
}

/** One of several values; an empty text means none. */
export function Select({
  value,
  onChange,
  options,
  placeholder = 'Choose',
  ...frame
}: ValueProps<string> & {
  options: readonly { value: string; label: string }[]
  placeholder?: string | undefined
}) {
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <select
          {...control}
          className="input select"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="">{placeholder}</option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </FieldFrame>
  )
}
