import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { createKey } from '../../../api/organization/api-keys.ts'
import type { Scope } from '../../../api/types.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { OnceDialog, ShownOnce } from '../../../ui/dialogs/once-dialog.tsx'
import { SecretOnce } from '../../../ui/dialogs/secret-once.tsx'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { EVERYDAY_SCOPES, ScopePicker } from './scope-picker.tsx'

const EXPIRY_DAYS = ['never', '30', '90', '365'] as const
type KeyExpiry = (typeof EXPIRY_DAYS)[number]

/** Creates an API key and shows it once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  return (
    <OnceDialog<string>
      onClose={onClose}
      form={(onMade) => <KeyForm onMade={onMade} onClose={onClose} />}
      once={(secret) => <KeyOnce secret={secret} onClose={onClose} />}
    />
  )
}

function KeyForm({ onMade, onClose }: { onMade: (secret: string) => void; onClose: () => void }) {
  const client = useQueryClient()
  const [scopes, setScopes] = useState<Scope[]>([...EVERYDAY_SCOPES])
  const [expiry, setExpiry] = useState<KeyExpiry>('365')
  const [problem, setProblem] = useState<string>()
  const create = useMutation({
    mutationFn: (name: string) =>
      createKey({ name, scopes, ...(expiry !== 'never' && { expiresInDays: Number(expiry) }) }),
    onSuccess: (created) => {
      onMade(created.key)
      // Reset the mutation, because its response holds the key, which must not stay in the cache.
      create.reset()
      void client.invalidateQueries({ queryKey: queryKeys.apiKeys })
    },
    gcTime: 0,
  })
  const failure = create.isError ? describeFailure(create.error) : null
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(scopes.length === 0 ? settingsText.keys.noScope : undefined)
    if (scopes.length === 0) return
    create.mutate(String(new FormData(event.currentTarget).get('name') ?? '').trim())
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
        {settingsText.keys.createTitle}
      </Dialog.Title>
      {failure && failure.field !== 'name' && (
        <FailureNote title={settingsText.keys.failed} error={create.error} takeFocus />
      )}
      <TextField
        name="name"
        label={settingsText.keys.name}
        maxLength={80}
        autoComplete="off"
        {...(failure?.field === 'name'
          ? { error: failure.sentence }
          : { description: settingsText.keys.nameHint })}
      />
      <ScopePicker scopes={scopes} problem={problem} onChange={setScopes} />
      <NativeSelect
        label={settingsText.keys.expires}
        value={expiry}
        options={EXPIRY_DAYS.map((value) => ({ value, label: settingsText.keys.expiry[value] }))}
        onChange={setExpiry}
      />
      <FormFooter submit={settingsText.keys.submit} busy={create.isPending} onClose={onClose} />
    </form>
  )
}

function KeyOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShownOnce
      title={settingsText.keys.once}
      hint={settingsText.keys.onceHint}
      saved={settingsText.keys.saved}
      onClose={onClose}
    >
      <SecretOnce label={settingsText.keys.once} value={secret} />
      <SecretOnce label={settingsText.keys.asEnv} value={`SLIPWAY_API_KEY=${secret}`} />
      <SecretOnce
        label={settingsText.keys.asCurl}
        value={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/api/v1/projects`}
      />
    </ShownOnce>
  )
}
