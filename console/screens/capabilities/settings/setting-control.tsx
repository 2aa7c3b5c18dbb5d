import { enumLabel } from '@slipway/runtime/ui/words.ts'
import { useId } from 'react'
import { capabilitiesText } from '../../../text/capabilities.en.ts'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { FIELD_STYLE, TextField } from '../../../ui/controls/text-field.tsx'
import { inlineCode } from '../../../ui/format/inline-code.tsx'
import { type ControlProps, Structure } from './setting-structure.tsx'
import { boundText, type SettingProblem, type SettingField } from './schema-fields.ts'
import { entryOf } from '../../../lib/fields.ts'

export function SettingControl({ field, value, error, onChange }: ControlProps) {
  const hint = hintOf(field)
  const noteId = useId()
  if (field.kind === 'boolean')
    return <CheckControl field={field} value={value} error={error} onChange={onChange} />
  if (field.kind === 'choice')
    return (
      <div className="space-y-1.5">
        <NativeSelect
          label={field.title}
          value={value}
          noteId={noteId}
          isInvalid={error !== undefined}
          options={[
            // Without this option the browser would show the first choice as if it were set.
            ...(canBeUnset(field) || value === ''
              ? [{ value: '', label: capabilitiesText.settings.unset }]
              : []),
            // For the same reason, a stored choice that a later release has removed needs an option.
            ...(value === '' || field.choices.includes(value) ? [] : [{ value, label: choiceText(value) }]),
            ...field.choices.map((choice) => ({ value: choice, label: choiceText(choice) })),
          ]}
          onChange={onChange}
        />
        <p id={noteId} className={`text-[13px] ${error ? 'text-removed' : 'text-kumo-subtle'}`}>
          {error ?? inlineCode(hint)}
        </p>
      </div>
    )
  if (['group', 'items', 'map', 'variant'].includes(field.kind))
    return (
      <Structure Control={SettingControl} field={field} value={value} error={error} onChange={onChange} />
    )
  if (field.kind === 'json')
    return <Json label={field.title} hint={hint} value={value} error={error} onChange={onChange} />
  return (
    <TextField
      label={field.title}
      {...(hint !== '' && { description: inlineCode(hint) })}
      {...(error !== undefined && { error })}
      value={value}
      inputMode={field.kind === 'integer' ? 'numeric' : field.kind === 'number' ? 'decimal' : 'text'}
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

const canBeUnset = ({ isRequired, isNullable, fallback }: SettingField): boolean =>
  isNullable || (!isRequired && fallback === undefined)

export const choiceText = (choice: string) =>
  entryOf(capabilitiesText.settings.choiceNames, choice) ?? enumLabel(choice)

function hintOf(field: SettingField): string {
  const { description, kind, min, max } = field
  const { settings } = capabilitiesText
  const extra =
    kind === 'list'
      ? field.isNumeric
        ? settings.listHint
        : settings.textListHint
      : kind === 'json'
        ? settings.jsonHint
        : min !== null && max !== null
          ? settings.range(boundText(field, min), boundText(field, max))
          : ''
  return `${description} ${extra}`.trim()
}

export function problemText(problem: SettingProblem): string {
  const { problems } = capabilitiesText.settings
  if (problem.is === 'double') return problems.double(problem.name)
  return 'bound' in problem ? problems[problem.is](problem.bound) : problems[problem.is]
}

function CheckControl({ field, value, error, onChange }: ControlProps) {
  const id = useId()
  return (
    <div className="flex gap-3">
      <input
        id={id}
        type="checkbox"
        className="mt-0.5 size-4"
        aria-invalid={error !== undefined}
        aria-describedby={`${id}-hint`}
        checked={value === 'true'}
        onChange={(event) => onChange(String(event.target.checked))}
      />
      <div>
        <label htmlFor={id} className="block font-medium">
          {field.title}
        </label>
        <p id={`${id}-hint`} className={`text-[13px] ${error ? 'text-removed' : 'text-kumo-subtle'}`}>
          {error ?? inlineCode(field.description)}
        </p>
      </div>
    </div>
  )
}

export function Json(props: {
  label: string
  hint: string
  value: string
  error: string | undefined
  rows?: number
  onChange: (value: string) => void
}) {
  const id = useId()
  const note = props.error ?? props.hint
  return (
    <div className="space-y-1.5">
      <label htmlFor={id} className="block font-medium text-kumo-default">
        {props.label}
      </label>
      <textarea
        id={id}
        rows={props.rows ?? Math.min(12, props.value.split('\n').length + 1)}
        value={props.value}
        spellCheck={false}
        aria-invalid={props.error !== undefined}
        aria-describedby={`${id}-note`}
        onChange={(event) => props.onChange(event.target.value)}
        className={`${FIELD_STYLE} py-2 font-mono text-[13px] ${props.error ? 'ring-kumo-danger' : 'ring-kumo-line'}`}
      />
      <p id={`${id}-note`} className={`text-[13px] ${props.error ? 'text-removed' : 'text-kumo-subtle'}`}>
        {note}
      </p>
    </div>
  )
}
