import { KeyIcon } from '@phosphor-icons/react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { deletePasskey, type Passkey, passkeysQuery, renamePasskey } from '../../api/account/passkeys.ts'
import { removeFromList } from '../../api/request/remove-from-list.ts'
import { accountText } from '../../text/account.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { RelativeTime } from '../../ui/format/time.tsx'

const Confirm = lazy(() =>
  import('../../ui/dialogs/confirm.tsx').then((module) => ({ default: module.Confirm })),
)
const PasskeyDialog = lazy(() =>
  import('./passkey-dialog.tsx').then((module) => ({ default: module.PasskeyDialog })),
)
const passkeysText = accountText.passkeys

export function PasskeyRow({ passkey }: { passkey: Passkey }) {
  const client = useQueryClient()
  const [asking, setAsking] = useState<'name' | 'removal' | null>(null)
  const refetch = () => client.invalidateQueries({ queryKey: passkeysQuery().queryKey })
  const rename = useMutation({
    mutationFn: (name: string) => renamePasskey(passkey.id, name),
    onSuccess: refetch,
  })
  const remove = useMutation({
    mutationFn: () => deletePasskey(passkey.id),
    onSuccess: () => removeFromList(client, passkeysQuery().queryKey, passkey.id),
  })
  const name = passkey.name ?? passkeysText.unnamed
  return (
    <li className="flex flex-wrap items-center gap-x-3 gap-y-2 py-3 first:pt-0 last:pb-0">
      <KeyIcon className="size-5 shrink-0 text-kumo-subtle" aria-hidden="true" />
      <div className="min-w-0 flex-1 basis-44">
        <p className="truncate font-medium">{name}</p>
        <p className="text-[13px] text-kumo-subtle">
          {passkey.createdAt && (
            <>
              {passkeysText.created} <RelativeTime at={passkey.createdAt} /> ·{' '}
            </>
          )}
          {passkey.backedUp ? passkeysText.backedUp : passkeysText.bound}
        </p>
      </div>
      <div className="flex gap-1 max-sm:pl-6">
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${passkeysText.rename}: ${name}`}
          onClick={() => setAsking('name')}
        >
          {passkeysText.rename}
        </Button>
        <Button
          size="sm"
          variant="ghost"
          aria-label={`${passkeysText.remove}: ${name}`}
          onClick={() => setAsking('removal')}
        >
          {passkeysText.remove}
        </Button>
      </div>
      <Suspense fallback={null}>
        {asking === 'name' && (
          <PasskeyDialog
            title={passkeysText.renameTitle}
            initial={name}
            submit={passkeysText.renameSubmit}
            failed={passkeysText.renameFailed}
            busy={rename.isPending}
            error={rename.error}
            // `reset` in `onClose` cancels this `onSuccess`, so that a late response does not close a dialog that was opened since.
            onSubmit={(next) => rename.mutate(next, { onSuccess: () => setAsking(null) })}
            onClose={() => {
              setAsking(null)
              rename.reset()
            }}
          />
        )}
        {asking === 'removal' && (
          <Confirm
            title={passkeysText.removeTitle(name)}
            consequence={passkeysText.removeConsequence}
            submit={passkeysText.removeSubmit}
            busy={remove.isPending}
            error={remove.error}
            onConfirm={() => remove.mutate()}
            onClose={() => setAsking(null)}
          />
        )}
      </Suspense>
    </li>
  )
}
