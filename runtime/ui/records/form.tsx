import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { untypedData } from '../../data/client/data.ts'
import { fieldProblem, isSameValue } from '../../data/fields.ts'
import type { StoredRecord } from '../../data/frames.ts'
import type { CollectionName, InputOf, RecordOf } from '../../data/types.ts'
import { ApiError } from '../../kernel/errors.ts'
import { type CollectionSpec, isRefList } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { useIsOffline } from '../../data/client/hooks.ts'
import { Button } from '../button.tsx'
import { Icon } from '../icons.tsx'
import { Notice } from '../notice.tsx'
import { RecordField } from './field.tsx'
import { useUnsavedFiles } from './unsaved-files.ts'

export interface RecordFormProps<C extends CollectionName> {
  collection: C
  /** The shown fields in their order; by default all. */
  fields?: Extract<keyof InputOf<C>, string>[] | undefined
  /** The record to change; absent for a new record. */
  record?: RecordOf<C> | undefined
  initial?: Partial<InputOf<C>> | undefined
  submitLabel?: string | undefined
  /** The id of the team that the record belongs to. */
  partition?: string | undefined
  /**
   * Called on submit with all fields of the form. Fields that were not edited have the current value of `record`. Without this handler the
   * form updates `record`, or creates a new record.
   */
  onSubmit?: ((input: InputOf<C>) => unknown) | undefined
  onSaved?: ((record: RecordOf<C>) => void) | undefined
  onCancel?: (() => void) | undefined
}

type FormValues = Record<string, unknown>

interface FormProps {
  collection: string
  fields?: string[] | undefined
  record?: StoredRecord | undefined
  initial?: FormValues | undefined
  submitLabel?: string | undefined
  partition?: string | undefined
  onSubmit?: ((input: FormValues) => unknown) | undefined
  onSaved?: ((record: StoredRecord) => void) | undefined
  onCancel?: (() => void) | undefined
}

/** The form for any collection. Apps use `RecordForm`, whose types are generated from their own collections. */
export function LooseRecordForm(props: FormProps) {
  // The key resets the form for another record, so that the form does not show values of the previous record.
  return <Form key={props.record?.id} {...props} />
}

function Form(props: FormProps) {
  const { collection, record, initial, partition, onSubmit, onSaved, onCancel } = props
  const spec = manifest.collections[collection]
  if (spec === undefined) throw new Error(`app.json has no collection ${collection}`)
  const names = props.fields ?? Object.keys(spec.fields)
  const start = () => startValues(spec, names, record ?? initial ?? {})
  const [values, setValues] = useState(start)
  const [errors, setErrors] = useState<Record<string, string>>({})
  /** How often this form was not sent because of invalid fields. */
  const [refusals, setRefusals] = useState(0)
  const [state, setState] = useState<'ready' | 'sending' | 'saved'>('ready')
  const [failure, setFailure] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  /** The record as this form last read or stored it. */
  const known = useRef<object>(record ?? {})
  /** The values of `record` when the form opened or last stored the field. A value that differs now was changed elsewhere. */
  const read = useRef<object>(record ?? {})
  const id = useId()
  const isOffline = useIsOffline()
  const unsaved = useUnsavedFiles()

  // Not after every change of the errors: correcting one field would move the focus to the next invalid one.
  useEffect(() => {
    if (refusals > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [refusals])

  const showErrors = (found: Record<string, string>) => {
    setErrors(found)
    setRefusals((before) => before + 1)
  }

  /** Read the previous values inside the updater, because a field may call this late, for instance after an upload. */
  const changeField = (name: string, value: unknown) => {
    if (spec.fields[name]?.type === 'file' && typeof value === 'string') unsaved.add(value)
    setValues((before) => ({ ...before, [name]: value }))
    // While the form is being sent, keep the state `sending`: in any other state, a person could send the form a second time.
    setState((before) => (before === 'sending' ? before : 'ready'))
    setErrors((before) =>
      before[name] === undefined
        ? before
        : Object.fromEntries(Object.entries(before).filter(([key]) => key !== name)),
    )
  }

  const submitForm = async (event: FormEvent) => {
    event.preventDefault()
    if (state === 'sending') return
    if (form.current?.querySelector('[aria-busy="true"]'))
      return setFailure('A file is still on its way. Save when it has arrived.')
    const input = withoutEmptyLines(spec, values)
    const changes = changesTo(known.current, input)
    // A stored value that was not edited is not validated: a newer release may no longer allow it.
    const checked = record === undefined ? names : Object.keys(changes)
    const found = { ...problemsIn(spec, checked, input), ...unreadableInputs(id, names) }
    setErrors({})
    setFailure(null)
    if (Object.keys(found).length > 0) return showErrors(found)
    setState('sending')
    const takeBack = unsaved.sent(input)
    try {
      const records = partition === undefined ? untypedData : untypedData.of(partition)
      const storeRecord = () =>
        record === undefined
          ? records.create(collection, input)
          : records.update(collection, record.id, changes)
      const saved =
        onSubmit === undefined
          ? await storeRecord()
          : await onSubmit({ ...input, ...changesTo(read.current, fieldsOf(record, names)), ...changes })
      // Keep what was typed after the form was sent.
      if (record === undefined)
        setValues((now) => ({
          ...start(),
          ...Object.fromEntries(Object.entries(now).filter(([name, value]) => value !== values[name])),
        }))
      known.current = { ...known.current, ...input }
      read.current = { ...read.current, ...fieldsOf(record, Object.keys(changes)) }
      setState('saved')
      onSaved?.(saved as StoredRecord)
    } catch (error) {
      // Keep the files when the app's own `onSubmit` failed: the handler may have stored a reference to the files first.
      if (onSubmit === undefined) takeBack(error)
      setState('ready')
      if (error instanceof ApiError && error.field !== undefined && names.includes(error.field)) {
        showErrors({ [error.field]: toSentence(error.message.replace(`${error.field}: `, '')) })
      } else setFailure(error instanceof Error ? error.message : String(error))
    }
  }

  const isSending = state === 'sending'
  return (
    <form ref={form} className="form" noValidate onSubmit={(event) => void submitForm(event)}>
      {names.map((name) => {
        const field = spec.fields[name]
        if (field === undefined) return null
        const isWide = field.as === 'long' || field.type === 'json' || field.type === 'list'
        return (
          <div key={name} className="form-cell" data-wide={isWide}>
            <RecordField
              name={name}
              spec={field}
              id={`${id}-${name}`}
              place={record === undefined ? null : { collection, id: record.id, field: name, partition }}
              partition={partition}
              value={values[name]}
              error={errors[name] ?? null}
              onChange={(value) => changeField(name, value)}
            />
          </div>
        )
      })}
      {failure !== null && <Notice>{failure}</Notice>}
      <div className="form-actions">
        <Button type="submit" busy={isSending}>
          {props.submitLabel ?? (record === undefined ? 'Add record' : 'Save changes')}
        </Button>
        {onCancel !== undefined && <Button onClick={onCancel}>Cancel</Button>}
        <span className="form-status" role="status">
          {state === 'saved' && (
            <>
              <Icon name="check" size={18} />
              Saved
            </>
          )}
          {isSending && isOffline && 'You are offline. This is sent as soon as the connection is back.'}
        </span>
      </div>
    </form>
  )
}

/** A form built from the fields of a collection. */
export function RecordForm<C extends CollectionName>(props: RecordFormProps<C>): ReactNode
export function RecordForm(props: FormProps): ReactNode {
  return <LooseRecordForm {...props} />
}

function startValues(spec: CollectionSpec, names: string[], from: object): FormValues {
  const given = from as FormValues
  return Object.fromEntries(
    names.map((name) => {
      const field = spec.fields[name]
      // Null means an empty field of a stored record, which must not get the default for new records.
      const value = given[name] === undefined ? field?.default : given[name]
      return [name, value ?? (field?.type === 'boolean' ? false : null)]
    }),
  )
}

/** Returns the values without the empty lines of lists: while a person types, the last line is often empty. */
function withoutEmptyLines(spec: CollectionSpec, values: FormValues): FormValues {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const field = spec.fields[name]
      if (field?.type !== 'list' || isRefList(field) || !Array.isArray(value)) return [name, value]
      const entries = value.filter((entry) => String(entry).trim() !== '')
      return [name, entries.length === 0 ? null : entries]
    }),
  )
}

const fieldsOf = (record: StoredRecord | undefined, names: string[]): FormValues =>
  record === undefined ? {} : Object.fromEntries(names.map((name) => [name, record[name] ?? null]))

/** Returns the values that differ from the values in the record. Another person may have changed the other values since. */
const changesTo = (known: object, input: FormValues): FormValues =>
  Object.fromEntries(
    Object.entries(input).filter(([name, value]) => !isSameValue(value, (known as FormValues)[name])),
  )

function problemsIn(spec: CollectionSpec, names: string[], values: FormValues): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const field = spec.fields[name]
      const problem = field === undefined ? null : fieldProblem(field, values[name])
      return problem === null ? [] : [[name, toSentence(problem)]]
    }),
  )
}

/** Returns errors that the controls report themselves, such as letters in a number field or half a date. The value is then null. */
function unreadableInputs(id: string, names: string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const control = document.getElementById(`${id}-${name}`)
      const isText = control instanceof HTMLInputElement || control instanceof HTMLTextAreaElement
      const isUnreadable = isText && (control.validity.customError || control.validity.badInput)
      return isUnreadable ? [[name, control.validationMessage]] : []
    }),
  )
}

/** Turns an error into a sentence: "is required" becomes "This is required". */
function toSentence(problem: string): string {
  return /^(?:is|must|has|holds)\b/.test(problem)
    ? `This ${problem}`
    : problem.charAt(0).toUpperCase() + problem.slice(1)
}
