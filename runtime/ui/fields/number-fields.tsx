import { useLayoutEffect, useRef, useState } from 'react'
import { digitsOf, formatMoney } from '../../web/money.ts'
import { FieldFrame, type ValueProps } from './field-frame.tsx'
import { readNumber, withoutCurrency, writeNumber } from './number-text.ts'

interface NumberFormat {
  /** Parses the text. Returns null for an empty text, NaN for a text that is not a number. */
  read: (typed: string) => number | null
  write: (value: number) => string
  /** Returns the reason why a value is invalid, as a sentence; an empty text for a valid value. */
  problemOf: (value: number) => string
}

/**
 * The state of a text field for a number. A browser's own number field drops text that it cannot parse, such as a comma. This field keeps
 * the text, shows the error, and makes the form invalid.
 */
function useNumberText(
  given: number | null | undefined,
  onChange: (value: number | null) => void,
  format: NumberFormat,
) {
  // `given` is undefined when a page passes the value of a field that the record does not have.
  const value = given ?? null
  const [typed, setTyped] = useState('')
  const [left, setLeft] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const found = format.read(typed)
  const isUnread = found !== null && !Number.isFinite(found)
  // Show the typed text until the value is changed from outside.
  const isTyped = (isUnread ? null : found) === value
  const shown = isTyped ? typed : value === null ? '' : format.write(value)
  const problem =
    isTyped && isUnread ? 'Write a number, in digits.' : value === null ? '' : format.problemOf(value)
  // The browser submits the form only while this message is empty.
  useLayoutEffect(() => input.current?.setCustomValidity(problem), [problem])
  return {
    // No error while the person types, because the text may be incomplete, such as a minus sign.
    error: left === shown && problem !== '' ? problem : null,
    control: {
      ref: input,
      className: 'input',
      value: shown,
      onChange: ({ target }: { target: HTMLInputElement }) => {
        const next = format.read(target.value)
        setTyped(target.value)
        onChange(Number.isFinite(next) ? next : null)
      },
      onBlur: () => {
        // Replace the text with the parsed number, so that the person sees how the text was parsed: `1,234` may become `1234`.
        const text = problem === '' && value !== null ? format.write(value) : shown
        setTyped(text)
        setLeft(text)
      },
    },
  }
}

export function NumberField({
  value,
  onChange,
  isWhole = false,
  max,
  ...frame
}: ValueProps<number | null> & { isWhole?: boolean | undefined; max?: number | undefined }) {
  const { control: text, error } = useNumberText(value, onChange, {
    read: readNumber,
    write: writeNumber,
    problemOf: (number) =>
      isWhole && !Number.isInteger(number)
        ? 'Write a whole number.'
        : max !== undefined && number > max
          ? `Write at most ${writeNumber(max)}.`
          : '',
  })
  return (
    <FieldFrame {...frame} error={frame.error || error}>
      {(control) => <input {...control} {...text} inputMode={isWhole ? 'numeric' : 'decimal'} />}
    </FieldFrame>
  )
}

/** A field for an amount of money in the smallest unit of its currency (`1250` is 12.50 USD); null when empty. */
export function MoneyField({
  value,
  onChange,
  currency,
  max,
  ...frame
}: ValueProps<number | null> & { currency: string; max?: number | undefined }) {
  const digits = digitsOf(currency)
  const { control: text, error } = useNumberText(value, onChange, {
    read: (typed) => {
      const amount = readNumber(withoutCurrency(typed, currency))
      return amount === null ? null : Math.round(amount * 10 ** digits)
    },
    write: (cents) => writeNumber(cents / 10 ** digits, digits),
    problemOf: (amount) =>
      max !== undefined && amount > max ? `Write at most ${formatMoney(max, currency)}.` : '',
  })
  return (
    <FieldFrame {...frame} error={frame.error || error}>
      {(control) => (
        <span className="input-with-button">
          <input {...control} {...text} inputMode="decimal" />
          <span className="input-unit">{currency.toUpperCase()}</span>
        </span>
      )}
    </FieldFrame>
  )
}
