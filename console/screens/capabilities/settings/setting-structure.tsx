import { isRecord } from '@slipway/sdk/is-record.ts'
import { type ComponentType, useId, useRef, useState } from 'react'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { inlineCode } from '../../../ui/format/inline-code.tsx'
import { readField, type SettingField, settingText } from './schema-fields.ts'

const settingsFieldText = capabilitiesText.settings
type SettingFields = Record<string, unknown>

/** The props of a form control. `value` is text, whatever the kind of the setting. */
export interface ControlProps {
  field: SettingField
  value: string
  error: string | undefined
  onChange: (value: string) => void
}
type SettingControl = ComponentType<ControlProps>

/**
 * Edits a setting that is an object or a list of objects, with a `Control` for each field. The value stays
 * JSON text.
 */
export function Structure({
  Control,
  field,
  value,
  error,
  onChange,
}: ControlProps & { Control: SettingControl }) {
  const id = useId()
  const read = JSON.parse(value)
  const save = (next: SettingFields | SettingFields[]) => onChange(settingText(field, next))
  return (
    <fieldset aria-describedby={`${id}-note`} className="space-y-3">
      <legend className="font-medium text-kumo-default">{field.title}</legend>
      <p id={`${id}-note`} className="text-[13px] text-kumo-subtle">
        {inlineCode(field.description)}
      </p>
      {error !== undefined && (
        <p role="alert" className="text-[13px] text-removed">
          {error}
        </p>
      )}
      <InnerControl Control={Control} field={field} value={read} onChange={save} />
    </fieldset>
  )
}

interface InsideProps {
  Control: SettingControl
  field: SettingField
  value: unknown
  onChange: (next: SettingFields | SettingFields[]) => void
}

function InnerControl({ Control, field, value, onChange }: InsideProps) {
  const parts = { Control, onChange }
  const own = isRecord(value) ? value : {}
  if (field.kind === 'group') return <GroupControl {...parts} fields={field.fields} value={own} />
  if (field.kind === 'variant') return <VariantControl {...parts} field={field} value={own} />
  const items = Array.isArray(value) ? value.filter(isRecord) : []
  if (field.kind === 'map') {
    const entries = Array.isArray(value)
      ? items
      : Object.entries(own).map(([name, of]) => ({ name, value: of }))
    return <EntriesControl {...parts} field={field} start={entries} />
  }
  return <ItemsControl {...parts} field={field} value={items} />
}

function VariantControl({ Control, field, value, onChange }: InsideProps & { value: SettingFields }) {
  const chosen = field.variants.find(({ kind }) => kind === value['kind'])
  return (
    <div className="space-y-4">
      <NativeSelect
        label={settingsFieldText.choice}
        value={chosen?.kind ?? ''}
        options={[
          // Without this option the browser would show the first kind as if it were set.
          ...(chosen === undefined ? [{ value: '', label: settingsFieldText.unset }] : []),
          ...field.variants.map(({ kind, title }) => ({ value: kind, label: title })),
        ]}
        onChange={(kind) => onChange({ kind })}
      />
      {chosen !== undefined && chosen.fields.length > 0 && (
        <GroupControl
          key={chosen.kind}
          Control={Control}
          fields={chosen.fields}
          value={value}
          onChange={onChange}
        />
      )}
    </div>
  )
}

/**
 * Edits an object as a list of names and values. An entry without a name is not part of the object yet. While two entries have the same
 * name, the value is the list, because an object would keep only one of the two entries. `readField` refuses the list.
 */
function EntriesControl({
  Control,
  field,
  start,
  onChange,
}: Omit<InsideProps, 'value'> & { start: SettingFields[] }) {
  const [entries, setEntries] = useState(start)
  const save = (next: SettingFields[]) => {
    setEntries(next)
    const named = namedOf(next)
    const isDouble = new Set(named.map(({ name }) => name)).size < named.length
    onChange(isDouble ? named : Object.fromEntries(named.map(({ name, value }) => [name, value ?? null])))
  }
  return <ItemsControl Control={Control} field={field} value={entries} onChange={save} />
}

const namedOf = (entries: SettingFields[]) =>
  entries.flatMap(({ name, value }) => (typeof name === 'string' && name !== '' ? [{ name, value }] : []))

interface GroupProps {
  Control: SettingControl
  fields: SettingField[]
  value: SettingFields
  onChange: (next: SettingFields) => void
}

function GroupControl({ Control, fields, value, onChange }: GroupProps) {
  return (
    <div className="space-y-4 border-l-2 border-kumo-line pl-4">
      {fields.map((field) => (
        <NestedControl
          key={field.name}
          Control={Control}
          field={field}
          value={value[field.name] ?? field.fallback}
          onChange={(next) => {
            const { [field.name]: _before, ...others } = value
            // An empty optional field is removed from the object.
            const isLeftOut = !field.isRequired && (next === '' || (Array.isArray(next) && next.length === 0))
            onChange(isLeftOut ? others : { ...value, [field.name]: next })
          }}
        />
      ))}
    </div>
  )
}

/**
 * A control that keeps the typed text in its state. If the control formatted the parsed value instead, a person could not type a comma at
 * the end of a list.
 */
function NestedControl({
  Control,
  field,
  value,
  onChange,
}: {
  Control: SettingControl
  field: SettingField
  value: unknown
  onChange: (next: unknown) => void
}) {
  const [text, setText] = useState(() => settingText(field, value))
  return (
    <Control
      field={field}
      value={text}
      error={undefined}
      onChange={(next) => {
        setText(next)
        // Text that cannot be parsed, or a number out of bounds, is sent unchanged. The service refuses it with an error that names the
        // field.
        const read = readField({ ...field, min: null, max: null }, next)
        onChange('value' in read ? read.value : next)
      }}
    />
  )
}

function ItemsControl({
  Control,
  field,
  value,
  onChange,
}: {
  Control: SettingControl
  field: SettingField
  value: SettingFields[]
  onChange: (next: SettingFields[]) => void
}) {
  // Keys that do not depend on the index: after an item is removed, each other item keeps its text.
  const [keys, setKeys] = useState(() => value.map((_, n) => n))
  const [nextKey, setNextKey] = useState(value.length)
  const add = useRef<HTMLButtonElement>(null)
  return (
    <div className="space-y-4">
      {value.map((item, n) => (
        <div
          key={keys[n]}
          role="group"
          aria-label={settingsFieldText.item(field.title, n + 1)}
          className="space-y-3"
        >
          <GroupControl
            Control={Control}
            fields={field.fields}
            value={item}
            onChange={(next) => onChange(value.map((other, at) => (at === n ? next : other)))}
          />
          <Button
            aria-label={settingsFieldText.removeItem(field.title, n + 1)}
            onClick={() => {
              setKeys(keys.filter((_, at) => at !== n))
              onChange(value.filter((_, at) => at !== n))
              // The pressed button is removed with its item.
              add.current?.focus()
            }}
          >
            {settingsFieldText.remove}
          </Button>
        </div>
      ))}
      <Button
        ref={add}
        aria-label={settingsFieldText.addItem(field.title)}
        onClick={() => {
          setKeys([...keys, nextKey])
          setNextKey(nextKey + 1)
          onChange([...value, {}])
        }}
      >
        {settingsFieldText.add}
      </Button>
    </div>
  )
}
