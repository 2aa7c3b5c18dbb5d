import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { changedBy, invalidateAll } from '../../../api/query-keys.ts'
import { deleteRecord, replaceRecord } from '../../../api/project/capabilities.ts'
import { dataText } from './text.en.ts'
import { Confirm } from '../../../ui/dialogs/confirm.tsx'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { RecordEditor } from './record-editor.tsx'
import { ownFields } from './record-fields.ts'
import type { CollectionSchema, DataRecord } from './record-grid.tsx'

interface RecordDialogProps {
  projectId: string
  info: CollectionSchema
  record: DataRecord
  onClose: () => void
}

export function RecordDialog({ projectId, info, onClose, ...props }: RecordDialogProps) {
  const client = useQueryClient()
  // The list may refetch a newer revision, which the form does not show. Keep the revision that is edited.
  const [record] = useState(props.record)
  const [isDeleting, setDeleting] = useState(false)
  const place = { projectId, collection: info.name, partition: record.partition, id: record.id }
  const reread = () => invalidateAll(client, changedBy.recordChange(projectId, info.name))
  const save = useMutation({
    // With this revision the service refuses to overwrite a newer change.
    mutationFn: (values: Record<string, unknown>) => replaceRecord(place, { ...values, rev: record.rev }),
    // After a conflict the person opens the record again to edit the newer revision, so refetch the list, from which the dialog gets it.
    onError: () => void reread(),
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
  return (
    <FormDialog size="lg" className="max-h-[92dvh] w-full overflow-y-auto p-6" onClose={onClose}>
      <RecordEditor
        projectId={projectId}
        fields={info.fields}
        title={dataText.edit}
        note={`${record.partition}/${record.id}`}
        partition={record.partition}
        own={ownFields(record)}
        busy={save.isPending}
        error={save.error}
        onSave={(values) => !save.isPending && save.mutate(values)}
        onDelete={() => setDeleting(true)}
        onClose={onClose}
      />
      {isDeleting && (
        <Confirm
          title={dataText.deleteTitle}
          consequence={dataText.deleteConsequence}
          submit={dataText.delete}
          busy={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate()}
          onClose={() => setDeleting(false)}
        />
      )}
    </FormDialog>
  )
}
