import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { findPeople } from '../../../api/project/app-people.ts'
import { createRecord } from '../../../api/project/capabilities.ts'
import { changedBy, invalidateAll, queryKeys } from '../../../api/query-keys.ts'
import { notify } from '../../../shell/toasts/toasts.ts'
import { dataText } from './text.en.ts'
import { FormDialog } from '../../../ui/dialogs/form-dialog.tsx'
import { type PickedRecord, Picker } from './picker.tsx'
import { RecordEditor } from './record-editor.tsx'
import type { FieldSchema } from './record-fields.ts'
import type { CollectionSchema } from './record-grid.tsx'
import { useRecordDraft } from './use-record-draft.ts'

export function NewRecord(props: { projectId: string; info: CollectionSchema; onClose: () => void }) {
  const { projectId, info, onClose } = props
  const client = useQueryClient()
  const [person, setPerson] = useState<PickedRecord | null>(null)
  const [isAsked, setAsked] = useState(false)
  const own = initialValues(info.fields)
  const draft = useRecordDraft(`${projectId}.${info.name}`, info.fields, own)
  const isPersonal = info.partition === 'user'
  const partition = isPersonal ? (person?.id ?? null) : 'app'
  const add = useMutation({
    mutationFn: (to: { partition: string; values: Record<string, unknown> }) =>
      createRecord({ projectId, collection: info.name, partition: to.partition }, to.values),
    onSuccess: async () => {
      draft.place.store('')
      await invalidateAll(client, changedBy.recordChange(projectId, info.name))
      notify(dataText.added)
    },
  })
  const cancel = () => {
    draft.clear()
    onClose()
  }
  const save = (values: Record<string, unknown>) => {
    setAsked(true)
    if (partition !== null && !add.isPending) add.mutate({ partition, values }, { onSuccess: onClose })
  }
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
        title={dataText.addTitle(info.title)}
        note=""
        partition={partition ?? ''}
        own={own}
        draft={draft}
        before={
          isPersonal && (
            <Picker
              label={dataText.addFor}
              hint={dataText.addForHint}
              error={isAsked && person === null ? dataText.addForNobody : undefined}
              value={person}
              find={(q) => ({
                queryKey: [...queryKeys.appUsers(projectId), 'pick', q],
                queryFn: () => findPeople(projectId, q),
              })}
              onChange={setPerson}
            />
          )
        }
        busy={add.isPending}
        error={add.error}
        onSave={save}
        onClose={cancel}
      />
    </FormDialog>
  )
}

/** Returns the initial values of a new record: the defaults, and false for a required boolean. */
const initialValues = (fields: FieldSchema[]): Record<string, unknown> =>
  Object.fromEntries(
    fields.flatMap(({ name, type, required, default: given }) => {
      if (given !== undefined && given !== null) return [[name, given]]
      return type === 'boolean' && required ? [[name, false]] : []
    }),
  )
