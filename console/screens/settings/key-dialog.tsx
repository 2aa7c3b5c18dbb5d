import { Button } from '@cloudflare/kumo/components/button'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '../../api/failures.ts'
import { createKey } from '../../api/keys.ts'
import type { Scope } from '../../api/types.ts'
import { text } from '../../text/en.ts'
import { settingsText } from '../../text/settings.en.ts'
import { FailureNote } from '../../ui/failure.tsx'
import { NativeSelect } from '../../ui/native-select.tsx'
import { SecretOnce } from '../../ui/secret-once.tsx'
import { TextField } from '../../ui/text-field.tsx'
import { EVERYDAY_SCOPES, ScopePicker } from './scope-picker.tsx'

const EXPIRY = ['never', '30', '90', '365'] as const
type Expiry = (typeof EXPIRY)[number]

/** Makes a key and shows it once; the secret lives in this dialog and goes with it. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient()
  const [scopes, setScopes] = useState<Scope[]>([...EVERYDAY_SCOPES])
  const [expiry, setExpiry] = useState<Expiry>('90')
  const [problem, setProblem] = useState<string>()
  const [secret, setSecret] = useState<string | null>(null)
  const create = useMutation({
    mutationFn: (name: string) =>
      createKey({ name, scopes, ...(expiry !== 'never' && { expiresInDays: Number(expiry) }) }),
    onSuccess: (created) => {
      setSecret(created.key)
      // The answer holds the secret, which has no business in any cache.
      create.reset()
      void client.invalidateQueries({ queryKey: ['keys'] })
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

  if (secret !== null) return <KeyOnce secret={secret} onClose={onClose} />
  return (
    <Dialog.Root open onOpenChange={(open) => !open && onClose()}>
      <Dialog size="lg" className="w-full p-6">
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
            options={EXPIRY.map((value) => ({ value, label: settingsText.keys.expiry[value] }))}
            onChange={setExpiry}
          />
          <div className="flex justify-end gap-2">
            <Button type="button" variant="secondary" onClick={onClose}>
              {text.common.cancel}
            </Button>
            <Button type="submit" variant="primary" loading={create.isPending}>
              {settingsText.keys.submit}
            </Button>
          </div>
        </form>
      </Dialog>
    </Dialog.Root>
  )
}

function KeyOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    // Nothing closes it by accident.
    <Dialog.Root open>
      <Dialog size="lg" className="flex w-full flex-col gap-4 p-6">
        <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
          {settingsText.keys.once}
        </Dialog.Title>
        <Dialog.Description className="text-kumo-subtle">{settingsText.keys.onceHint}</Dialog.Description>
        <SecretOnce label={settingsText.keys.once} value={secret} />
        <SecretOnce label={settingsText.keys.asEnv} value={`SLIPWAY_API_KEY=${secret}`} />
        <SecretOnce
          label={settingsText.keys.asCurl}
          value={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/api/v1/projects`}
        />
        <div className="flex justify-end">
          <Button variant="primary" onClick={onClose}>
            {settingsText.keys.saved}
          </Button>
        </div>
      </Dialog>
    </Dialog.Root>
  )
}
