import { TextField } from '../../ui/controls/text-field.tsx'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { type FieldInfo, fieldLabel } from './record-fields.ts'
import { Json } from './setting-control.tsx'

interface RecordFormProps {
  fields: FieldInfo[]
  texts: Record<string, string>
  errors: Record<string, string>
  onChange: (name: string, value: string) => void
}

/** A record field by field. */
export function RecordForm({ fields, texts, errors, onChange }: RecordFormProps) {
  return (
    <div className="space-y-4">
      {fields.map((field) => (
        <RecordField
          key={field.name}
          field={field}
          value={texts[field.name] ?? ''}
          error={errors[field.name]}
          onChange={(value) => onChange(field.name, value)}
        />
      ))}
    </div>
  )
}

function RecordField(props: {
  field: FieldInfo
  value: string
  error: string | undefined
  onChange: (value: string) => void
}) {
  const { field, value, error, onChange } = props
  const { type, required } = field
  const label = fieldLabel(field.name)
  const hint = required ? `${type}, ${capabilitiesText.data.required}` : type
  if (type === 'boolean')
    return (
      <label className="flex items-center gap-3 font-medium">
        <input
          type="checkbox"
          className="size-4"
          checked={value === 'true'}
          onChange={(event) => onChange(String(event.target.checked))}
        />
        {label}
      </label>
    )
  if (type === 'json' || type === 'list' || value.includes('\n') || value.length > 120)
    return <Json label={label} hint={hint} value={value} error={error} onChange={onChange} />
  return (
    <TextField
      label={label}
      description={hint}
      {...(error !== undefined && { error })}
      value={value}
      autoComplete="off"
      inputMode={type === 'integer' ? 'numeric' : type === 'number' ? 'decimal' : 'text'}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
