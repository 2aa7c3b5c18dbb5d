import { formatMoney } from '@slipway/runtime/web/money.ts'
import { enumLabel } from '@slipway/runtime/ui/words.ts'
import { useId, useState } from 'react'
import { dataText } from './text.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { FIELD_STYLE, TextField } from '../../../ui/controls/text-field.tsx'
import { type FieldSchema, fieldLabel } from './record-fields.ts'
import { RefField } from './ref-field.tsx'
import { Json } from '../settings/setting-control.tsx'
import { entryOf } from '../../../lib/fields.ts'

interface RecordFormProps {
  projectId: string
  partition: string
  fields: FieldSchema[]
  texts: Record<string, string>
  errors: Record<string, string>
  onChange: (name: string, value: string) => void
}

export function RecordForm({ fields, texts, errors, onChange, ...place }: RecordFormProps) {
  return (
    <div className="space-y-4">
      {fields.map((field) => (
        <RecordField
          key={field.name}
          {...place}
          field={field}
          value={texts[field.name] ?? ''}
          error={errors[field.name]}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  )
}

interface RecordFieldProps {
  projectId: string
  partition: string
  field: FieldSchema
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

function RecordField(props: RecordFieldProps) {
  const { field, value, error, onChange } = props
  const label = fieldLabel(field)
  const hint = hintOf(field)
  switch (field.type) {
    case 'boolean':
      return <CheckField {...props} />
    case 'enum':
      // An app that was shipped by an older version of Slipway does not send the choices, so show a text
      // field.
      return field.values === undefined ? (
        <LineField {...props} hint={hint} />
      ) : (
        <ChoiceField {...props} hint={hint} />
      )
    case 'ref':
      return field.ref === undefined ? (
        <LineField {...props} hint={hint} />
      ) : (
        <RefField {...props} target={field.ref} hint={hint} />
      )
    case 'list':
      return <LinesField label={label} hint={hint} value={value} error={error} onChange={onChange} />
    case 'json':
      return <Json label={label} hint={hint} value={value} error={error} onChange={onChange} />
    default:
      return <WrittenField {...props} hint={hint} />
  }
}

/**
 * A long text has a multi-line control, because a single-line control would remove the line breaks of a stored text. The control does not
 * change with the length of a text that is being typed, because a new control would not have the focus.
 */
function WrittenField(props: RecordFieldProps & { hint: string }) {
  const { field, value } = props
  const [isLong, setLong] = useState(() => needsSeveralLines(field, value))
  if (!isLong && field.type === 'text' && value.includes('\n')) setLong(true)
  return isLong ? <LinesField {...props} label={fieldLabel(field)} /> : <LineField {...props} />
}

const needsSeveralLines = ({ type, as }: FieldSchema, value: string) =>
  type === 'text' && (as === 'long' || value.includes('\n') || value.length > 120)

function hintOf({ type, as, currency, required }: FieldSchema): string {
  const hint =
    currency === undefined
      ? (entryOf(dataText.hints, as ?? type) ?? '')
      : dataText.amountHint(formatMoney(1250, currency))
  if (!required) return hint
  return hint === '' ? capitalize(dataText.required) : `${hint}, ${dataText.required}`
}

function CheckField({ field, value, error, onChange }: RecordFieldProps) {
  const id = useId()
  return (
    <div className="space-y-1.5">
      <label className="flex items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-4"
          checked={value === 'true'}
          aria-invalid={error !== undefined}
          aria-describedby={error ? `${id}-note` : undefined}
          onChange={(event) => onChange(String(event.target.checked))}
        />
        {fieldLabel(field)}
      </label>
      {error && (
        <p id={`${id}-note`} className="text-[13px] text-removed">
          {error}
        </p>
      )}
    </div>
  )
}

const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function ChoiceField({ field, value, error, hint, onChange }: RecordFieldProps & { hint: string }) {
  const given = (field.values ?? []).map((choice) => ({ value: choice, label: enumLabel(choice) }))
  // The stored value is always an option, even when the app no longer lists it as a choice.
  const old = value !== '' && !field.values?.includes(value) ? [{ value, label: enumLabel(value) }] : []
  const noteId = useId()
  return (
    <div className="space-y-1.5">
      <NativeSelect
        label={<span className="text-[14px]">{fieldLabel(field)}</span>}
        value={value}
        options={[{ value: '', label: dataText.noChoice }, ...given, ...old]}
        noteId={noteId}
        isInvalid={error !== undefined}
        onChange={onChange}
      />
      <p id={noteId} className={`text-[13px] ${error ? 'text-removed' : 'text-kumo-subtle'}`}>
        {error ?? hint}
      </p>
    </div>
  )
}

/** True for a date without a time, because a date picker would drop the time. */
const isDay = (value: string) => value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value)

function LineField({ field, value, error, hint, onChange }: RecordFieldProps & { hint: string }) {
  const { type, as } = field
  const isCalendar = type === 'date' && isDay(value)
  return (
    <TextField
      label={fieldLabel(field)}
      // No format hint for the date picker, because the browser shows its own format.
      description={isCalendar ? (field.required ? capitalize(dataText.required) : '') : hint}
      {...(error !== undefined && { error })}
      value={value}
      autoComplete="off"
      type={isCalendar ? 'date' : as === 'email' || as === 'url' ? as : 'text'}
      inputMode={type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function LinesField(props: {
  label: string
  hint: string
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const { value, error } = props
  const id = useId()
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {props.label}
      </label>
      <textarea
        id={id}
        rows={Math.min(10, Math.max(3, value.split('\n').length + 1))}
        value={value}
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => props.onChange(event.target.value)}
        className={`${FIELD_STYLE} py-2 ${error ? 'ring-kumo-danger' : 'ring-kumo-line'}`}
      />
      <p id={`${id}-note`} className={`text-[13px] ${error ? 'text-removed' : 'text-kumo-subtle'}`}>
        {error ?? props.hint}
      </p>
    </div>
  )
}
