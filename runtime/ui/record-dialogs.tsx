import type { StoredRecord } from '../data/frames.ts'
import { manifest } from '../manifest.gen.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { Dialog } from './dialog.tsx'
import { LooseRecordForm } from './record-form.tsx'
import { showToast } from './toast.tsx'
import { nameOf } from './words.ts'

interface EditDialogProps {
  collection: string
  partition: string | undefined
  record: StoredRecord | null
  onClose: () => void
  onSave: (row: StoredRecord, input: Record<string, unknown>) => unknown
}

/** The form of one record in a dialog. */
export function EditDialog({ collection, partition, record, onClose, onSave }: EditDialogProps) {
  const spec = manifest.collections[collection]
  const name = record === null || spec === undefined ? '' : nameOf(record, spec)
  return (
    <Dialog title={`Edit ${name}`} open={record !== null} onClose={onClose}>
      {record !== null && (
        <LooseRecordForm
          collection={collection}
          partition={partition}
          record={record}
          onSubmit={(input) => onSave(record, input)}
          onSaved={() => {
            showToast('Changes saved')
            onClose()
          }}
          onCancel={onClose}
        />
      )}
    </Dialog>
  )
}

interface DeleteDialogProps {
  name: string
  open: boolean
  onClose: () => void
  onConfirm: () => unknown
}

/** Says what will be lost before it is deleted. */
export function DeleteDialog({ name, open, onClose, onConfirm }: DeleteDialogProps) {
  const remove = async () => {
    await onConfirm()
    showToast(`${name} was deleted`)
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      open={open}
      onClose={onClose}
      onConfirm={remove}
      confirmLabel={`Delete ${name}`}
      cancelLabel="Keep it"
    >
      It disappears for everyone who uses this app, and it cannot be brought back.
    </ConfirmDialog>
  )
}
