import { PlusIcon } from '@phosphor-icons/react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { addPasskey, canUsePasskeys, passkeysQuery } from '../../api/account/passkeys.ts'
import { notify } from '../../shell/toasts/toasts.ts'
import { accountText } from '../../text/account.en.ts'
import { LoadFailure } from '../../ui/page/failure.tsx'
import { ReasonButton } from '../../ui/controls/reason-button.tsx'
import { deviceName } from './device-name.ts'
import { PasskeyRow } from './passkey-row.tsx'
import { Box, Section } from './section.tsx'

const PasskeyDialog = lazy(() =>
  import('./passkey-dialog.tsx').then((module) => ({ default: module.PasskeyDialog })),
)
const passkeysText = accountText.passkeys

export function Passkeys() {
  const client = useQueryClient()
  const passkeys = useQuery(passkeysQuery())
  const [isAdding, setAdding] = useState(false)
  const add = useMutation({
    mutationFn: addPasskey,
    onSuccess: () => {
      notify(passkeysText.added)
      return client.invalidateQueries({ queryKey: passkeysQuery().queryKey })
    },
  })
  const { data } = passkeys
  return (
    <Section title={passkeysText.title} lead={passkeysText.lead}>
      <Box>
        <LoadFailure query={passkeys} />
        {data?.length === 0 && (
          <div className="mb-4">
            <p className="font-medium">{passkeysText.none}</p>
            <p className="mt-0.5 text-[13px] text-kumo-subtle">{passkeysText.noneHint}</p>
          </div>
        )}
        {data && data.length > 0 && (
          <ul className="mb-4 divide-y divide-kumo-hairline">
            {data.map((passkey) => (
              <PasskeyRow key={passkey.id} passkey={passkey} />
            ))}
          </ul>
        )}
        <ReasonButton
          icon={<PlusIcon />}
          reason={
            canUsePasskeys() ? null : isSecureContext ? passkeysText.unsupported : passkeysText.insecure
          }
          onClick={() => setAdding(true)}
        >
          {passkeysText.add}
        </ReasonButton>
      </Box>
      {isAdding && (
        <Suspense fallback={null}>
          <PasskeyDialog
            title={passkeysText.addTitle}
            hint={passkeysText.addHint}
            initial={deviceName(navigator.userAgent)}
            submit={passkeysText.addSubmit}
            failed={passkeysText.failed}
            busy={add.isPending}
            error={add.error}
            // `reset` in `onClose` cancels this `onSuccess`. Otherwise a dialog closed during the request would close the next one.
            onSubmit={(name) => add.mutate(name, { onSuccess: () => setAdding(false) })}
            onClose={() => {
              setAdding(false)
              add.reset()
            }}
          />
        </Suspense>
      )}
    </Section>
  )
}
