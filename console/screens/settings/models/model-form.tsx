import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { createModelConnection, updateModelConnection } from '../../../api/organization/connections.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import type { ModelConnection } from '@slipway/sdk/client/types.gen.ts'
import { MODEL_PROVIDERS, type ModelConnectionInput, type ModelProvider } from '../../../api/types.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { settingsText } from '../../../text/settings.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { NativeSelect } from '../../../ui/controls/native-select.tsx'
import { focusRefusedField } from '../../../ui/browser/focus-field.ts'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'

const modelFormText = settingsText.models.form

const DRAFT_LABELS = {
  label: modelFormText.label,
  defaultModel: modelFormText.model,
  baseUrl: modelFormText.baseUrl,
}

/** What was typed into the form of a connection, except its key, which is a secret. */
export const useModelDraft = (model: ModelConnection | null) =>
  useDraftFields('model', model?.id ?? '', {
    provider: model?.provider ?? 'anthropic',
    label: model?.label ?? '',
    defaultModel: model?.defaultModel ?? '',
    baseUrl: model?.baseUrl ?? '',
  })

/** All fields of a connection, to create or change it. Only this form holds the key, and the service never returns it. */
export function ModelForm({
  model,
  draft,
  children,
  onClose,
  onSaved,
}: {
  model: ModelConnection | null
  draft: ReturnType<typeof useModelDraft>
  /** A link to another way to connect, such as by a pasted key. */
  children?: ReactNode
  onClose: () => void
  onSaved: () => void
}) {
  const client = useQueryClient()
  const provider = MODEL_PROVIDERS.find((one) => one === draft.textOf('provider')) ?? 'anthropic'
  const baseUrl = draft.textOf('baseUrl')
  // The service uses a stored key only for the server for which it was entered. Another server needs the key again.
  const isElsewhere =
    model?.hasKey === true &&
    baseUrl.trim() !== '' &&
    originOf(baseUrl.trim()) !== originOf(model.baseUrl ?? '')
  const save = useMutation({
    mutationFn: ({ provider, ...input }: ModelConnectionInput) =>
      model ? updateModelConnection(model.id, input) : createModelConnection({ provider, ...input }),
    onSuccess: async () => {
      draft.place.store('')
      await client.invalidateQueries({ queryKey: queryKeys.models.all })
    },
  })
  const failure = save.isError ? describeFailure(save.error) : null
  const problemOf = (field: string) => (failure?.field === field ? { error: failure.sentence } : {})
  const isScaffold = provider === 'scaffold'
  // Workers AI needs no separate key, because it is called with the token of the connected Cloudflare account.
  const needsKey = !isScaffold && provider !== 'workers-ai'
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const form = event.currentTarget
    save.mutate(readInput(new FormData(form), provider), {
      onSuccess: onSaved,
      onError: (error) => focusRefusedField(form, error),
    })
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-4" noValidate>
      {failure && !KNOWN_FIELDS.has(failure.field ?? '') && (
        <FailureNote title={modelFormText.failed} error={save.error} takeFocus />
      )}
      <FormDraftNote draft={draft} labels={DRAFT_LABELS} />
      <NativeSelect
        label={modelFormText.provider}
        value={provider}
        disabled={model !== null}
        options={MODEL_PROVIDERS.map((value) => ({ value, label: settingsText.models.providers[value] }))}
        onChange={(next) => draft.write({ provider: next })}
      />
      <TextField
        {...draft.field('label')}
        label={modelFormText.label}
        maxLength={80}
        required
        {...(failure?.field === 'label' ? problemOf('label') : { description: modelFormText.labelHint })}
      />
      {!isScaffold && (
        <TextField
          {...draft.field('defaultModel')}
          label={modelFormText.model}
          autoCapitalize="none"
          spellCheck={false}
          {...(failure?.field === 'defaultModel'
            ? problemOf('defaultModel')
            : { description: modelFormText.modelHint })}
        />
      )}
      {needsKey && (
        <>
          <TextField
            name="key"
            type="password"
            label={modelFormText.key}
            autoComplete="off"
            required={isElsewhere}
            {...(failure?.field === 'key'
              ? problemOf('key')
              : {
                  description: isElsewhere
                    ? modelFormText.keyAgain
                    : model?.hasKey
                      ? modelFormText.keyReplace
                      : modelFormText.keyHint,
                })}
          />
          <TextField
            {...draft.field('baseUrl')}
            type="url"
            label={modelFormText.baseUrl}
            {...(failure?.field === 'baseUrl'
              ? problemOf('baseUrl')
              : { description: modelFormText.baseUrlHint })}
          />
        </>
      )}
      {!model?.isDefault && (
        <label className="flex min-h-9 cursor-pointer items-center gap-2.5">
          <input type="checkbox" name="isDefault" defaultChecked={model === null} className="size-4" />
          {modelFormText.isDefault}
        </label>
      )}
      {children}
      <FormFooter
        submit={model ? modelFormText.save : modelFormText.submit}
        busy={save.isPending}
        onClose={onClose}
      />
    </form>
  )
}

const KNOWN_FIELDS = new Set(['label', 'defaultModel', 'key', 'baseUrl'])

const originOf = (url: string): string | undefined => URL.parse(url)?.origin

/** Reads the form without its empty fields. An empty field keeps the stored value, or uses the provider's default. */
function readInput(data: FormData, provider: ModelProvider): ModelConnectionInput {
  const read = (name: string) => String(data.get(name) ?? '').trim()
  const model = read('defaultModel')
  return {
    provider,
    label: read('label'),
    ...(data.has('isDefault') && { isDefault: true as const }),
    ...(model !== '' && { defaultModel: model, models: [model] }),
    ...(read('key') !== '' && { key: read('key') }),
    ...(read('baseUrl') !== '' && { baseUrl: read('baseUrl') }),
  }
}
