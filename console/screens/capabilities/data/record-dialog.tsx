import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '../../../api/request/failures.ts'
import { changedBy, invalidateAll } from '../../../api/query-keys.ts'
import { deleteRecord, replaceRecord } from '../../../api/project/capabilities.ts'
import { dataText } from './text.en.ts'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { RecordEditor } from './record-editor.tsx'
import { ownFields } from './record-fields.ts'
import type { CollectionSchema, DataRecord } from './record-grid.tsx'
import { useRecordDraft } from './use-record-draft.ts'

interface RecordDialogProps {
  projectId: string
  info: CollectionSchema
  record: DataRecord
  onClose: () => void
}

export function RecordDialog({ projectId, info, onClose, ...props }: RecordDialogProps) {
  const client = useQueryClient()
  // The list may refetch a newer revision. Keep the edited one, which the form shows, until the service refuses to overwrite the newer
  // revision. Then the form shows the newer revision, and which of its values the edits would replace.
  const [edited, setEdited] = useState<DataRecord | null>(props.record)
  const record = edited ?? props.record
  const draft = useRecordDraft(
    `${projectId}.${info.name}.${record.partition}/${record.id}`,
    info.fields,
    ownFields(record),
  )
  const [isDeleting, setDeleting] = useState(false)
  const place = { projectId, collection: info.name, partition: record.partition, id: record.id }
  const reread = () => invalidateAll(client, changedBy.recordChange(projectId, info.name))
  const save = useMutation({
    // With this revision the service refuses to overwrite a newer change.
    mutationFn: (values: Record<string, unknown>) => replaceRecord(place, { ...values, rev: record.rev }),
    onError: (error) => {
      if (describeFailure(error).code === 'conflict') setEdited(null)
      // The dialog gets the newer revision from the list.
      void reread()
    },
    onSuccess: async () => {
      draft.place.store('')
      await reread()
    },
  })
  const cancel = () => {
    draft.clear()
    onClose()
  }
  const remove = useMutation({
    mutationFn: () => deleteRecord(place),
    onSuccess: async () => {
      draft.place.store('')
      await reread()
    },
  })
  return (
    <FormDialog
      size="lg"
      className="max-h-[92dvh] w-full overflow-y-auto p-6"
      hasDraft={draft.isRestored}
      onClose={cancel}
    >
      <RecordEditor
        projectId={projectId}
        fields={info.fields}
        title={dataText.edit}
        note={`${record.partition}/${record.id}`}
        partition={record.partition}
        own={ownFields(record)}
        draft={draft}
        busy={save.isPending}
        error={save.error}
        onSave={(values) => !save.isPending && save.mutate(values, { onSuccess: onClose })}
        onDelete={() => setDeleting(true)}
        onClose={cancel}
      />
      {isDeleting && (
        <Confirm
          title={dataText.deleteTitle}
          consequence={dataText.deleteConsequence}
          submit={dataText.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: onClose })}
          onClose={() => setDeleting(false)}
        />
      )}
    </FormDialog>
  )
}
