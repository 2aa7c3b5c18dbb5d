import { type ReactNode, useId } from 'react'
import { describedBy, FieldFrame, FieldNotes, type ValueProps } from './field-frame.tsx'

/** One option: the stored value and the shown text. */
export interface Choice {
  value: string
  label: string
}

export function Checkbox({
  label,
  value,
  onChange,
  hint,
  error,
  id: givenId,
  isSwitch = false,
}: ValueProps<boolean> & { isSwitch?: boolean | undefined }) {
  const ownId = useId()
  const id = givenId ?? ownId
  return (
    <div className="field field-checkbox">
      <label htmlFor={id} className="checkbox">
        <input
          id={id}
          type="checkbox"
          role={isSwitch ? 'switch' : undefined}
          checked={value}
          {...describedBy({ id, hint, error })}
          onChange={(event) => onChange(event.target.checked)}
        />
        <span>{label}</span>
      </label>
      <FieldNotes id={id} hint={hint} error={error} />
    </div>
  )
}

type SelectProps = ValueProps<string> & {
  options: readonly Choice[]
  placeholder?: string | undefined
}

/** Selects one of several values. The empty text means none. */
export function Select(props: SelectProps) {
  return <SelectWithMore {...props} more={null} />
}

/**
 * A `Select` with the elements `more` below its options. Only the kit uses this component: an app lists all of its options in `options`.
 */
export function SelectWithMore({
  value,
  onChange,
  options,
  placeholder = 'Choose',
  more,
  ...frame
}: SelectProps & { more: ReactNode }) {
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
          {more}
        </select>
      )}
    </FieldFrame>
  )
}

/** A switch for a setting that takes effect at once. */
export function Switch(props: ValueProps<boolean>) {
  return <Checkbox {...props} isSwitch />
}

/** Selects any number of several values. */
export function CheckboxGroup({
  label,
  value,
  onChange,
  options,
  hint,
  error,
}: ValueProps<readonly string[]> & { options: readonly Choice[] }) {
  const id = useId()
  const toggleChoice = (chosen: string, isOn: boolean) =>
    onChange(
      options.map((option) => option.value).filter((one) => (one === chosen ? isOn : value.includes(one))),
    )
  const notes = { id, hint, error }
  return (
    <fieldset className="field field-group" aria-describedby={describedBy(notes)['aria-describedby']}>
      <legend className="field-label">{label}</legend>
      {options.map((option) => (
        <Checkbox
          key={option.value}
          label={option.label}
          value={value.includes(option.value)}
          onChange={(isOn) => toggleChoice(option.value, isOn)}
        />
      ))}
      <FieldNotes {...notes} />
    </fieldset>
  )
}
