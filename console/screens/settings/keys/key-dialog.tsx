import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { createKey } from '../../../api/organization/api-keys.ts'
import { KEY_SCOPES } from '../../../api/types.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { ShowOnceDialog, ShowOnceContent } from '../../../ui/dialogs/show-once-dialog.tsx'
import { ShowOnceSecret } from '../../../ui/dialogs/show-once-secret.tsx'
import { focusRefusedField } from '../../../ui/browser/focus-field.ts'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { DEFAULT_SCOPES, ScopePicker } from './scope-picker.tsx'

const EXPIRY_DAYS = ['never', '30', '90', '365'] as const

/** Creates an API key and shows it once. */
export function KeyDialog({ onClose }: { onClose: () => void }) {
  const draft = useKeyDraft()
  const cancel = () => {
    draft.clear()
    onClose()
  }
  return (
    <ShowOnceDialog<string>
      hasDraft={draft.isRestored}
      onClose={cancel}
      form={(onMade, onBusy) => <KeyForm draft={draft} onMade={onMade} onBusy={onBusy} onClose={cancel} />}
      once={(secret) => <KeyOnce secret={secret} onClose={onClose} />}
    />
  )
}

const useKeyDraft = () =>
  useDraftFields('api-key', '', { name: '', scopes: DEFAULT_SCOPES.join(' '), expiry: '365' })

function KeyForm({
  draft,
  onMade,
  onBusy,
  onClose,
}: {
  draft: ReturnType<typeof useKeyDraft>
  onMade: (secret: string) => void
  onBusy: (isBusy: boolean) => void
  onClose: () => void
}) {
  const client = useQueryClient()
  const granted = draft.textOf('scopes').split(' ')
  const scopes = KEY_SCOPES.filter((scope) => granted.includes(scope))
  const expiry = EXPIRY_DAYS.find((days) => days === draft.textOf('expiry')) ?? '365'
  const [problem, setProblem] = useState<string>()
  const create = useMutation({
    onMutate: () => onBusy(true),
    mutationFn: (name: string) =>
      createKey({ name, scopes, ...(expiry !== 'never' && { expiresInDays: Number(expiry) }) }),
    onSuccess: (created) => {
      draft.clear()
      onMade(created.key)
      // Reset the mutation, because its response holds the key, which must not stay in the cache.
      create.reset()
      void client.invalidateQueries({ queryKey: queryKeys.apiKeys })
    },
    onSettled: () => onBusy(false),
    gcTime: 0,
  })
  const failure = create.isError ? describeFailure(create.error) : null
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    setProblem(scopes.length === 0 ? settingsText.keys.noScope : undefined)
    create.reset()
    if (scopes.length === 0) return
    const form = event.currentTarget
    create.mutate(draft.textOf('name').trim(), { onError: (error) => focusRefusedField(form, error) })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
        {settingsText.keys.createTitle}
      </Dialog.Title>
      {failure && failure.field !== 'name' && (
        <FailureNote title={settingsText.keys.failed} error={create.error} takeFocus />
      )}
      <FormDraftNote draft={draft} />
      <TextField
        {...draft.field('name')}
        label={settingsText.keys.name}
        maxLength={80}
        autoComplete="off"
        {...(failure?.field === 'name'
          ? { error: failure.sentence }
          : { description: settingsText.keys.nameHint })}
      />
      <ScopePicker
        scopes={scopes}
        problem={problem}
        onChange={(next) => draft.write({ scopes: next.join(' ') })}
      />
      <NativeSelect
        label={settingsText.keys.expires}
        value={expiry}
        options={EXPIRY_DAYS.map((value) => ({ value, label: settingsText.keys.expiry[value] }))}
        onChange={(next) => draft.write({ expiry: next })}
      />
      <FormFooter mustStay submit={settingsText.keys.submit} busy={create.isPending} onClose={onClose} />
    </form>
  )
}

function KeyOnce({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnceContent
      title={settingsText.keys.once}
      hint={settingsText.keys.onceHint}
      saved={settingsText.keys.saved}
      onClose={onClose}
    >
      <ShowOnceSecret label={settingsText.keys.once} value={secret} />
      <ShowOnceSecret label={settingsText.keys.asEnv} value={`SLIPWAY_API_KEY=${secret}`} />
      <ShowOnceSecret
        label={settingsText.keys.asCurl}
        value={`curl -H "Authorization: Bearer ${secret}" ${location.origin}/api/v1/projects`}
      />
    </ShowOnceContent>
  )
}
