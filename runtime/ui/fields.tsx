import { useState } from 'react'
import { digitsOf } from '../pay/price.ts'
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

/** A time of day, as `09:30`; null when none is chosen. */
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

/** A password, which the person can show. */
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

/** An amount of money in the smallest unit of its currency (`1250` is 12.50 USD); null when empty. */
export function MoneyField({
  value,
  onChange,
  currency,
  ...frame
}: ValueProps<number | null> & { currency: string }) {
  const digits = digitsOf(currency)
  // The person's own text, until it means another amount than the value.
  const [typed, setTyped] = useState('')
  const shown = amountOf(typed, digits) === value ? typed : textOf(value, digits)
  return (
    <FieldFrame {...frame}>
      {(control) => (
        <span className="input-with-button">
          <input
            {...control}
            className="input"
            inputMode="decimal"
            value={shown}
            onChange={(event) => {
              const cleaned = event.target.value.replaceAll(/[^\d.,-]/g, '')
              setTyped(cleaned)
              onChange(amountOf(cleaned, digits))
            }}
          />
          <span className="input-unit">{currency.toUpperCase()}</span>
        </span>
      )}
    </FieldFrame>
  )
}

/** Reads a typed amount, with a point or a comma; null when it is none. */
function amountOf(typed: string, digits: number): number | null {
  const amount = Number(typed.replace(',', '.'))
  return typed.trim() === '' || Number.isNaN(amount) ? null : Math.round(amount * 10 ** digits)
}

const textOf = (value: number | null, digits: number): string =>
  value === null ? '' : (value / 10 ** digits).toFixed(digits)
