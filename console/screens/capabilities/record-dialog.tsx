import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { changedBy, invalidateAll } from '../../api/query-keys.ts'
import { deleteRecord, replaceRecord } from '../../api/project/capabilities.ts'
import { describeFailure } from '../../api/request/failures.ts'
import { capabilitiesText } from '../../text/capabilities.en.ts'
import { text } from '../../text/en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { fieldText, ownFields, readRecord, readRecordField } from './record-fields.ts'
import { RecordForm } from './record-form.tsx'
import type { CollectionInfo, DataRecord } from './record-grid.tsx'
import { Json } from './setting-control.tsx'

const { data: words } = capabilitiesText

interface RecordDialogProps {
  projectId: string
  info: CollectionInfo
  record: DataRecord
  onClose: () => void
}

/** One record to be changed, field by field or as JSON, or deleted. */
export function RecordDialog({ projectId, info, record, onClose }: RecordDialogProps) {
  const client = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const place = { projectId, collection: info.name, partition: record.partition, id: record.id }
  const reread = () => invalidateAll(client, changedBy.recordChange(projectId, info.name))
  const save = useMutation({
    // The revision that is on screen: who changed it meanwhile is not overwritten.
    mutationFn: (values: Record<string, unknown>) => replaceRecord(place, { ...values, rev: record.rev }),
    onSuccess: async () => {
      await reread()
      onClose()
    },
  })
  const remove = useMutation({
    mutationFn: () => deleteRecord(place),
    onSuccess: async () => {
      await reread()
      onClose()
    },
  })
  if (isDeleting)
    return (
      <Confirm
        title={words.deleteTitle}
        consequence={words.deleteConsequence}
        submit={words.delete}
        busy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate()}
        onClose={() => setDeleting(false)}
      />
    )
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="lg" className="max-h-[92dvh] w-full overflow-y-auto p-6">
        <Editor
          info={info}
          record={record}
          busy={save.isPending}
          error={save.error}
          onSave={(values) => !save.isPending && save.mutate(values)}
          onDelete={() => setDeleting(true)}
          onClose={onClose}
        />
      </Dialog>
    </Dialog.Root>
  )
}

function Editor(props: {
  info: CollectionInfo
  record: DataRecord
  busy: boolean
  error: unknown
  onSave: (values: Record<string, unknown>) => void
  onDelete: () => void
  onClose: () => void
}) {
  const { info, record } = props
  const own = ownFields(record)
  const [mode, setMode] = useState<'form' | 'json'>(info.fields.length > 0 ? 'form' : 'json')
  const [texts, setTexts] = useState(() =>
    Object.fromEntries(info.fields.map((field) => [field.name, fieldText(field, own[field.name])])),
  )
  const [json, setJson] = useState(() => JSON.stringify(own, null, 2))
  const [isChecked, setChecked] = useState(false)
  const reads = info.fields.map((field) => ({ field, read: readRecordField(field, texts[field.name] ?? '') }))
  const whole = readRecord(json)
  const failure = props.error ? describeFailure(props.error) : null
  const isFailureOfField = mode === 'form' && info.fields.some(({ name }) => name === failure?.field)
  const values = () =>
    // Fields that were not touched are sent as they are stored, also those the form does not know.
    ({
      ...own,
      ...Object.fromEntries(
        reads.flatMap(({ field: { name }, read }) => ('value' in read ? [[name, read.value]] : [])),
      ),
    })
  const errors = Object.fromEntries(
    reads.flatMap(({ field: { name }, read }) => {
      if (isChecked && 'problem' in read) return [[name, words.problems[read.problem]]]
      return failure?.field === name ? [[name, failure.sentence]] : []
    }),
  )
  const change = (to: 'form' | 'json') => {
    if (to === 'json') setJson(JSON.stringify(values(), null, 2))
    else if (whole)
      setTexts(
        Object.fromEntries(info.fields.map((field) => [field.name, fieldText(field, whole[field.name])])),
      )
    // Text that is no record cannot become fields: it stays until it is mended.
    if (to === 'json' || whole) setMode(to)
    else setChecked(true)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setChecked(true)
    if (mode === 'json') return whole && props.onSave(whole)
    if (reads.every(({ read }) => 'value' in read)) props.onSave(values())
  }
  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-4">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.edit}</Dialog.Title>
        {info.fields.length > 0 && (
          <div role="group" aria-label={words.edit} className="flex gap-1">
            {(['form', 'json'] as const).map((one) => (
              <Button
                key={one}
                size="sm"
                variant={mode === one ? 'secondary' : 'ghost'}
                aria-pressed={mode === one}
                onClick={() => change(one)}
              >
                {words[one]}
              </Button>
            ))}
          </div>
        )}
      </div>
      <Dialog.Description className="font-mono text-xs break-all text-kumo-subtle">
        {record.partition}/{record.id}
      </Dialog.Description>
      {failure && !isFailureOfField && <FailureNote title={words.failed} error={props.error} takeFocus />}
      {mode === 'form' ? (
        <RecordForm
          fields={info.fields}
          texts={texts}
          errors={errors}
          onChange={(name, value) => setTexts({ ...texts, [name]: value })}
        />
      ) : (
        <Json
          label={words.jsonLabel}
          hint=""
          rows={12}
          value={json}
          error={isChecked && whole === null ? words.notObject : undefined}
          onChange={setJson}
        />
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="secondary-destructive" onClick={props.onDelete}>
          {words.delete}
        </Button>
        <Button variant="secondary" className="ml-auto" onClick={props.onClose}>
          {text.common.cancel}
        </Button>
        <Button type="submit" variant="primary" loading={props.busy}>
          {words.save}
        </Button>
      </div>
    </form>
  )
}
