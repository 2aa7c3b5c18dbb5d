import { useRef, useState, useLayoutEffect } from 'react'
import type { FileLocation } from '../../data/file-link.ts'
import { manifest } from '../../manifest.gen.ts'
import { FileField } from '../../pages.gen.ts'
import { type FieldSpec, fieldTitle, isRefList } from '../../kernel/manifest.ts'
import { FieldFrame } from '../fields/field-frame.tsx'
import { Checkbox, Select, SelectWithMore } from '../fields/choice-fields.tsx'
import { DateField, TextArea, TextField } from '../fields/fields.tsx'
import { MoneyField, NumberField } from '../fields/number-fields.tsx'
import { useReferenceOptions, useReferenced } from './referenced.ts'
import { enumLabel, recordName } from '../words.ts'

interface RecordFieldProps {
  name: string
  spec: FieldSpec
  value: unknown
  onChange: (value: unknown) => void
  error: string | null
  id: string
  /** The record field that holds the stored file; null for a new record. */
  place: FileLocation | null
  /** The id of the team to which the record belongs; undefined for a record of no team. */
  partition: string | undefined
}

const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '')

export function RecordField({ name, spec, value, onChange, error, id, place, partition }: RecordFieldProps) {
  const label = fieldTitle(name, spec)
  const frame = { label, hint: spec.help, required: spec.required === true, error, id }
  switch (spec.type) {
    case 'number':
    case 'integer':
      return spec.currency !== undefined ? (
        <MoneyField
          {...frame}
          value={typeof value === 'number' ? value : null}
          currency={spec.currency}
          max={spec.max}
          onChange={onChange}
        />
      ) : (
        <NumberField
          {...frame}
          value={typeof value === 'number' ? value : null}
          isWhole={spec.type === 'integer'}
          max={spec.max}
          onChange={onChange}
        />
      )
    case 'boolean':
      return <Checkbox {...frame} value={value === true} onChange={onChange} />
    case 'date':
      return <DateField {...frame} value={textOrEmpty(value) || null} onChange={onChange} />
    case 'enum': {
      // Also show a stored value that `app.json` no longer has.
      const choices = new Set([...(spec.values ?? []), ...(textOrEmpty(value) ? [textOrEmpty(value)] : [])])
      const options = Array.from(choices, (choice) => ({ value: choice, label: enumLabel(choice) }))
      return (
        <Select
          {...frame}
          value={textOrEmpty(value)}
          options={options}
          onChange={(chosen) => onChange(chosen || null)}
        />
      )
    }
    case 'ref':
      return (
        <RefField
          {...frame}
          collection={spec.ref ?? ''}
          team={partition}
          value={textOrEmpty(value)}
          onChange={onChange}
        />
      )
    case 'list': {
      if (isRefList(spec))
        return (
          <RefListField
            {...frame}
            collection={spec.ref ?? ''}
            team={partition}
            value={value}
            onChange={onChange}
          />
        )
      const lines = Array.isArray(value) ? value.join('\n') : ''
      const change = (typed: string) => onChange(typed === '' ? null : typed.split('\n'))
      return <TextArea {...frame} hint={hintOf(frame, 'One per line')} value={lines} onChange={change} />
    }
    case 'file':
      // An app without the capability `files` has no `FileField` in its bundle.
      return FileField === null ? null : (
        <FileField {...frame} value={textOrEmpty(value) || null} place={place} onChange={onChange} />
      )
    case 'json':
      return <JsonField {...frame} value={value} onChange={onChange} />
    default:
      return spec.as === 'long' ? (
        <TextArea
          {...frame}
          value={textOrEmpty(value)}
          onChange={(typed) => onChange(typed === '' ? null : typed)}
        />
      ) : (
        <TextField
          {...frame}
          kind={spec.as ?? 'text'}
          value={textOrEmpty(value)}
          onChange={(typed) => onChange(typed === '' ? null : typed)}
        />
      )
  }
}

/** Joins the help text of the field and the hint of its control. */
const hintOf = ({ hint }: { hint?: string | undefined }, own: string): string =>
  hint === undefined ? own : `${hint} ${own}.`

interface PickerProps {
  label: string
  hint: string | undefined
  required: boolean
  error: string | null
  id: string
  value: unknown
  onChange: (value: unknown) => void
}

interface RefPickerProps extends PickerProps {
  collection: string
  team: string | undefined
}

function useChoices(collection: string, team: string | undefined) {
  const { rows, status } = useReferenceOptions(collection, team)
  const spec = manifest.collections[collection]
  const options = rows.map((row) => ({
    value: row.id,
    label: spec === undefined ? row.id : recordName(row, spec),
  }))
  return { options, isLoaded: status !== 'loading' }
}

function RefListField({ collection, team, value, onChange, ...frame }: RefPickerProps) {
  const { options } = useChoices(collection, team)
  const ids = Array.isArray(value) ? value.map(String) : []
  // Keep chosen records that are not among the first 200 options.
  const others = ids.filter((id) => !options.some((option) => option.value === id))
  return (
    <FieldFrame {...frame} hint={hintOf(frame, 'Hold Ctrl or ⌘ to choose several')}>
      {(control) => (
        <select
          {...control}
          className="input"
          multiple
          value={ids}
          onChange={({ target }) =>
            onChange([...others, ...Array.from(target.selectedOptions, (option) => option.value)])
          }
        >
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

function RefField({ collection, team, value, onChange, ...frame }: RefPickerProps) {
  const { options, isLoaded } = useChoices(collection, team)
  const id = textOrEmpty(value)
  const isOther = isLoaded && id !== '' && !options.some((option) => option.value === id)
  return (
    <SelectWithMore
      {...frame}
      value={id}
      options={options}
      more={isOther && <ChosenOption collection={collection} team={team} id={id} />}
      onChange={(chosen) => onChange(chosen || null)}
    />
  )
}

/** The option of a chosen record that is not among the first 200. */
function ChosenOption({
  collection,
  team,
  id,
}: {
  collection: string
  team: string | undefined
  id: string
}) {
  const { record, status } = useReferenced(collection, id, team)
  const spec = manifest.collections[collection]
  return (
    <option value={id}>
      {record !== null && spec !== undefined
        ? recordName(record, spec)
        : status === 'loading'
          ? '…'
          : 'Deleted'}
    </option>
  )
}

/** Returns the value of a JSON text; null for an empty one, undefined for text that is not JSON. */
function parseJson(typed: string): unknown {
  try {
    return typed.trim() === '' ? null : JSON.parse(typed)
  } catch {
    return undefined
  }
}

/** Keeps the text as it was typed, until the value is changed from outside. Text that is not JSON makes the form invalid. */
function JsonField({ value = null, onChange, ...frame }: PickerProps) {
  const [typed, setTyped] = useState<string | null>(null)
  const input = useRef<HTMLTextAreaElement>(null)
  const meant = parseJson(typed ?? '')
  const isTyped = typed !== null && JSON.stringify(meant ?? null) === JSON.stringify(value)
  const problem = isTyped && meant === undefined ? 'Write JSON. A text needs double quotes.' : ''
  useLayoutEffect(() => input.current?.setCustomValidity(problem), [problem])
  const change = (text: string) => {
    setTyped(text)
    onChange(parseJson(text) ?? null)
  }
  return (
    <FieldFrame {...frame} hint={hintOf(frame, 'JSON')}>
      {(control) => (
        <textarea
          {...control}
          ref={input}
          className="input"
          rows={4}
          value={isTyped ? typed : value === null ? '' : JSON.stringify(value, null, 2)}
          onChange={({ target }) => change(target.value)}
        />
      )}
    </FieldFrame>
  )
}
