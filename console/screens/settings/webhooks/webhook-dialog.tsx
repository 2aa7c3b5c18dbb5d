import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { describeFailure } from '../../../api/request/failures.ts'
import { createWebhook } from '../../../api/organization/webhooks.ts'
import { FormDraftNote } from '../../../shell/form-draft-note.tsx'
import { useDraftFields } from '../../../shell/use-draft-fields.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { FailureNote } from '../../../ui/page/failure.tsx'
import { ShowOnceDialog, ShowOnceContent } from '../../../ui/dialogs/show-once-dialog.tsx'
import { PillChoice } from '../../../ui/controls/pill-choice.tsx'
import { ShowOnceSecret } from '../../../ui/dialogs/show-once-secret.tsx'
import { focusField, focusRefusedField } from '../../../ui/browser/focus-field.ts'
import { FormFooter } from '../../../ui/controls/form-footer.tsx'
import { TextField } from '../../../ui/controls/text-field.tsx'
import { EventPicker } from './event-picker.tsx'
import { SAMPLE_EVENTS } from './events.ts'

const webhookFormText = webhooksText.form

/** Creates a webhook and shows its secret once. */
export function WebhookDialog({ onClose }: { onClose: () => void }) {
  const draft = useWebhookDraft()
  const cancel = () => {
    draft.clear()
    onClose()
  }
  return (
    <ShowOnceDialog<string>
      hasDraft={draft.isRestored}
      onClose={cancel}
      form={(onMade, onBusy) => (
        <WebhookForm draft={draft} onMade={onMade} onBusy={onBusy} onClose={cancel} />
      )}
      once={(secret) => <MadeWebhook secret={secret} onClose={onClose} />}
    />
  )
}

const useWebhookDraft = () => useDraftFields('webhook', '', { url: '', scope: 'all', events: '' })

function WebhookForm(props: {
  draft: ReturnType<typeof useWebhookDraft>
  onMade: (secret: string) => void
  onBusy: (isBusy: boolean) => void
  onClose: () => void
}) {
  const { draft } = props
  const client = useQueryClient()
  const scope = draft.textOf('scope') === 'chosen' ? 'chosen' : 'all'
  const events = draft.textOf('events').split(' ')
  const chosen = SAMPLE_EVENTS.filter((event) => events.includes(event))
  const [problems, setProblems] = useState<{ url?: string; events?: string }>({})
  const create = useMutation({
    onMutate: () => props.onBusy(true),
    mutationFn: (url: string) => createWebhook({ url, events: scope === 'all' ? ['*'] : chosen }),
    onSuccess: ({ secret }) => {
      draft.clear()
      props.onMade(secret)
      // Reset the mutation, because its response holds the secret, which must not stay in the cache.
      create.reset()
      void client.invalidateQueries({ queryKey: queryKeys.webhooks })
    },
    onSettled: () => props.onBusy(false),
    gcTime: 0,
  })
  const failure = create.isError ? describeFailure(create.error) : null
  const urlProblem = problems.url ?? (failure?.field === 'url' ? failure.sentence : undefined)
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const url = draft.textOf('url').trim()
    const found = {
      ...(!/^https?:\/\/./i.test(url) && { url: webhookFormText.urlWrong }),
      ...(scope === 'chosen' && chosen.length === 0 && { events: webhookFormText.noneChosen }),
    }
    const form = event.currentTarget
    setProblems(found)
    create.reset()
    if ('url' in found) focusField(form, 'url')
    if (Object.keys(found).length > 0) return
    create.mutate(url, { onError: (error) => focusRefusedField(form, error) })
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
        {webhookFormText.title}
      </Dialog.Title>
      {failure && failure.field !== 'url' && (
        <FailureNote title={webhookFormText.failed} error={create.error} takeFocus />
      )}
      <FormDraftNote draft={draft} />
      <TextField
        {...draft.field('url')}
        type="url"
        inputMode="url"
        label={webhookFormText.url}
        placeholder="https://example.com/slipway"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
        {...(urlProblem ? { error: urlProblem } : { description: webhookFormText.urlHint })}
      />
      <PillChoice
        label={webhookFormText.scope}
        value={scope}
        options={(['all', 'chosen'] as const).map((value) => ({
          value,
          label: webhookFormText.scopes[value],
        }))}
        onChange={(next) => draft.write({ scope: next })}
      />
      {scope === 'all' ? (
        <p className="-mt-2 text-[13px] text-kumo-subtle">{webhookFormText.allHint}</p>
      ) : (
        <EventPicker
          chosen={chosen}
          problem={problems.events}
          onChange={(next) => draft.write({ events: next.join(' ') })}
        />
      )}
      <FormFooter mustStay submit={webhookFormText.submit} busy={create.isPending} onClose={props.onClose} />
    </form>
  )
}

function MadeWebhook({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <ShowOnceContent
      title={webhooksText.once.title}
      hint={webhooksText.once.hint}
      saved={webhooksText.once.saved}
      onClose={onClose}
    >
      <ShowOnceSecret label={webhooksText.once.secret} value={secret} />
      <ShowOnceSecret label={webhooksText.once.env} value={`SLIPWAY_WEBHOOK_SECRET=${secret}`} />
    </ShowOnceContent>
  )
}
