import { Dialog } from '@cloudflare/kumo/components/dialog'
import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import { dataText } from './text.en.ts'
import { text } from '../../../text/en.ts'
import { useFocusOnInvalid } from '../../../ui/browser/focus-field.ts'
import { Button } from '../../../ui/controls/button.tsx'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import {
  type FieldSchema,
  fieldLabel,
  recordFieldText,
  readRecord,
  readRecordField,
} from './record-fields.ts'
import { RecordForm } from './record-form.tsx'
import { Json } from '../settings/setting-control.tsx'
import { JSON_TEXT, type RecordDraft, recordJson } from './use-record-draft.ts'

interface RecordEditorProps {
  projectId: string
  fields: FieldSchema[]
  title: string
  /** The text below the title: `<partition>/<id>`. Empty for a new record. */
  note: string
  partition: string
  /** The stored values of the app's fields, without system fields. */
  own: Record<string, unknown>
  draft: RecordDraft
  /** Rendered before the fields: a new record shows its owner here. */
  before?: ReactNode
  busy: boolean
  error: unknown
  onSave: (values: Record<string, unknown>) => void
  /** Deletes the record. Undefined for a record that is not stored yet. */
  onDelete?: () => void
  onClose: () => void
}

/** The editor starts with the form, or with the JSON when a restored draft was typed as JSON. */
const firstMode = (fields: FieldSchema[], { typed }: RecordDraft) =>
  fields.length === 0 || (Object.keys(typed).join() === JSON_TEXT && typed[JSON_TEXT]) ? 'json' : 'form'

/** Edits the fields of a record as a form or as JSON. */
export function RecordEditor(props: RecordEditorProps) {
  const { fields, draft } = props
  const [mode, setMode] = useState<'form' | 'json'>(() => firstMode(fields, draft))
  const form = useRef<HTMLFormElement>(null)
  const [attempts, setAttempts] = useState(0)
  useFocusOnInvalid(form, attempts, props.error)
  const isChecked = attempts > 0
  const check = () => setAttempts(attempts + 1)
  const json = draft.textOf(JSON_TEXT)
  // JSON that was edited may have fields that the form does not show.
  const own = readRecord(json) ?? props.own
  const texts = Object.fromEntries(fields.map(({ name }) => [name, draft.textOf(name)]))
  const reads = fields.map((field) => ({ field, read: readRecordField(field, texts[field.name] ?? '') }))
  const whole = readRecord(json)
  const failure = props.error ? describeFailure(props.error) : null
  const isFailureOfField = mode === 'form' && fields.some(({ name }) => name === failure?.field)
  const values = () =>
    // `own` also has fields that the form does not show.
    ({
      ...own,
      ...Object.fromEntries(
        reads.flatMap(({ field: { name }, read }) => {
          if ('value' in read) return [[name, read.value]]
          // In the JSON, an emptied required field is null. A required field that never had a value is left out.
          return read.problem === 'required' && name in own ? [[name, null]] : []
        }),
      ),
    })
  const errors = Object.fromEntries(
    reads.flatMap(({ field: { name }, read }) => {
      if (isChecked && 'problem' in read) return [[name, dataText.problems[read.problem]]]
      return failure?.field === name ? [[name, failure.sentence]] : []
    }),
  )
  const labels = Object.fromEntries([
    ...fields.map((field) => [field.name, fieldLabel(field)]),
    [JSON_TEXT, dataText.jsonLabel],
  ])
  const switchMode = (to: 'form' | 'json') => {
    if (to === mode) return
    // Do not switch while the form has text that does not parse, or while the JSON is invalid: show the
    // problem instead.
    const isReadable = reads.every(({ read }) => 'value' in read || read.problem === 'required')
    if (to === 'json' ? !isReadable : !whole) return check()
    if (to === 'json') draft.write({ ...draft.stored, [JSON_TEXT]: recordJson(values()) })
    else if (whole)
      draft.write(
        Object.fromEntries(fields.map((field) => [field.name, recordFieldText(field, whole[field.name])])),
      )
    setMode(to)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    check()
    if (mode === 'json') return whole && props.onSave(whole)
    if (reads.every(({ read }) => 'value' in read)) props.onSave(values())
  }
  return (
    <form ref={form} noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{props.title}</Dialog.Title>
        {fields.length > 0 && (
          <div role="group" aria-label={props.title} className="flex gap-1">
            {(['form', 'json'] as const).map((one) => (
              <Button
                key={one}
                size="sm"
                variant={mode === one ? 'secondary' : 'ghost'}
                aria-pressed={mode === one}
                onClick={() => switchMode(one)}
              >
                {dataText[one]}
              </Button>
            ))}
          </div>
        )}
      </div>
      {props.note !== '' && (
        <Dialog.Description className="font-mono text-xs break-all text-kumo-subtle">
          {props.note}
        </Dialog.Description>
      )}
      {failure && !isFailureOfField && <FailureNote title={dataText.failed} error={props.error} takeFocus />}
      <FormDraftNote draft={draft} labels={labels} />
      {props.before}
      {mode === 'form' ? (
        <RecordForm
          projectId={props.projectId}
          partition={props.partition}
          fields={fields}
          texts={texts}
          errors={errors}
          onChange={(name, value) => draft.write({ [name]: value })}
        />
      ) : (
        <Json
          label={dataText.jsonLabel}
          hint=""
          rows={12}
          value={json}
          error={isChecked && whole === null ? dataText.notObject : undefined}
          onChange={(value) => draft.write({ [JSON_TEXT]: value })}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {props.onDelete && (
          <Button variant="secondary-destructive" onClick={props.onDelete}>
            {dataText.delete}
          </Button>
        )}
        <Button variant="secondary" className="ml-auto" onClick={props.onClose}>
          {text.common.cancel}
        </Button>
        <Button type="submit" variant="primary" loading={props.busy}>
          {dataText.save}
        </Button>
      </div>
    </form>
  )
}
