import { PlusIcon } from '@phosphor-icons/react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { meQuery } from '../../../api/account/session.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { ReasonButton } from '../../../ui/controls/reason-button.tsx'

const ModelDialog = lazy(() =>
  import('./model-dialog.tsx').then((module) => ({ default: module.ModelDialog })),
)

/** Connects a model in a dialog over the page that needs one, then calls `onConnected`. */
export function ConnectModel({
  onConnected,
  variant = 'primary',
  opensItself = false,
}: {
  onConnected: () => void
  variant?: 'primary' | 'secondary'
  /** Whether to open the dialog on mount: the person has just started an action that needs a model. */
  opensItself?: boolean
}) {
  const role = useQuery(meQuery()).data?.role
  const [isOpen, setOpen] = useState(opensItself)
  return (
    <>
      <ReasonButton
        size="sm"
        variant={variant}
        icon={<PlusIcon />}
        reason={role === 'member' ? settingsText.models.membersOnly : null}
        onClick={() => setOpen(true)}
      >
        {settingsText.models.add}
      </ReasonButton>
      {isOpen && role !== 'member' && (
        <Suspense fallback={null}>
          <ModelDialog model={null} onSaved={onConnected} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
