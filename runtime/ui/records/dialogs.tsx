import { Fragment, type ReactNode, useState } from 'react'
import type { StoredRecord } from '../../data/frames.ts'
import type { CollectionSpec } from '../../kernel/manifest.ts'
import { manifest } from '../../manifest.gen.ts'
import { ConfirmDialog } from '../confirm-dialog.tsx'
import { Dialog } from '../dialog.tsx'
import { Icon, type IconName } from '../icons.tsx'
import { LooseRecordForm } from './form.tsx'
import { showToast } from '../toast.tsx'
import { recordName } from '../words.ts'

interface RecordHandlers {
  collection: string
  spec: CollectionSpec
  partition: string | undefined
  /** The newest rows, so that a dialog that stays open does not write back what another person has changed. */
  rows: readonly StoredRecord[]
  onEdit: ((row: StoredRecord, input: Record<string, unknown>) => unknown) | undefined
  onDelete: ((row: StoredRecord) => unknown) | undefined
}

/** Returns the buttons that edit and delete a record, one for each handler that is given, and the dialogs that they open. */
export function useRecordDialogs({ collection, spec, partition, rows, onEdit, onDelete }: RecordHandlers) {
  /** A new object each time the dialog is opened, so that a late response closes only the dialog that waited for it. */
  const [edited, setEdited] = useState<{ row: StoredRecord } | null>(null)
  const [doomed, setDoomed] = useState<StoredRecord | null>(null)
  const editedRow = edited === null ? null : (rows.find(({ id }) => id === edited.row.id) ?? edited.row)
  const hasButtons = onEdit !== undefined || onDelete !== undefined
  const renderButtons = (row: StoredRecord): ReactNode => (
    <>
      {onEdit !== undefined && (
        <IconButton icon="edit" label={`Edit ${recordName(row, spec)}`} onClick={() => setEdited({ row })} />
      )}
      {onDelete !== undefined && (
        <IconButton icon="trash" label={`Delete ${recordName(row, spec)}`} onClick={() => setDoomed(row)} />
      )}
    </>
  )
  // The key keeps the dialogs, in which a person may be typing, open when a note that the list is empty replaces the list.
  const windows = (
    <Fragment key="windows">
      {onEdit !== undefined && (
        <EditDialog
          collection={collection}
          partition={partition}
          record={editedRow}
          onClose={() => setEdited((now) => (now === edited ? null : now))}
          onSave={onEdit}
        />
      )}
      {onDelete !== undefined && (
        <DeleteDialog
          name={doomed === null ? '' : recordName(doomed, spec)}
          open={doomed !== null}
          onClose={() => setDoomed(null)}
          onConfirm={() => doomed !== null && onDelete(doomed)}
        />
      )}
    </Fragment>
  )
  return { hasButtons, buttons: renderButtons, windows }
}

function IconButton({ icon, label, onClick }: { icon: IconName; label: string; onClick: () => void }) {
  return (
    <button type="button" className="icon-button" aria-label={label} title={label} onClick={onClick}>
      <Icon name={icon} size={18} />
    </button>
  )
}

interface EditDialogProps {
  collection: string
  partition: string | undefined
  record: StoredRecord | null
  onClose: () => void
  onSave: (row: StoredRecord, input: Record<string, unknown>) => unknown
}

function EditDialog({ collection, partition, record, onClose, onSave }: EditDialogProps) {
  const spec = manifest.collections[collection]
  const name = record === null || spec === undefined ? '' : recordName(record, spec)
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

function DeleteDialog({ name, open, onClose, onConfirm }: DeleteDialogProps) {
  const deleteRecord = async () => {
    await onConfirm()
    showToast(`${name} was deleted`)
  }
  return (
    <ConfirmDialog
      title={`Delete ${name}?`}
      open={open}
      onClose={onClose}
      onConfirm={deleteRecord}
      confirmLabel={`Delete ${name}`}
      cancelLabel="Keep it"
    >
      It disappears for everyone who uses this app, and it cannot be brought back.
    </ConfirmDialog>
  )
}
