import { Button } from '@cloudflare/kumo/components/button'
import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { describeFailure } from '../../../api/failures.ts'
import { createWebhook } from '../../../api/webhooks.ts'
import { text } from '../../../text/en.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'
import { FailureNote } from '../../../ui/failure.tsx'
import { PillChoice } from '../../../ui/pill-choice.tsx'
import { SecretOnce } from '../../../ui/secret-once.tsx'
import { TextField } from '../../../ui/text-field.tsx'
import { EventPicker } from './event-picker.tsx'
import type { OneEvent } from './events.ts'

const form = webhooksText.form

/** Adds a webhook and shows its secret once; the secret lives in this dialog and goes with it. */
export function WebhookDialog({ onClose }: { onClose: () => void }) {
  const [secret, setSecret] = useState<string | null>(null)
  return (
    // While the secret is on screen nothing closes it by accident.
    <Dialog.Root open onOpenChange={(open) => !open && secret === null && onClose()}>
      <Dialog size="lg" className="max-h-[calc(100dvh-8rem)] w-full overflow-y-auto p-6">
        {secret === null ? (
          <Form onCreated={setSecret} onClose={onClose} />
        ) : (
          <Once secret={secret} onClose={onClose} />
        )}
      </Dialog>
    </Dialog.Root>
  )
}

function Form(props: { onCreated: (secret: string) => void; onClose: () => void }) {
  const client = useQueryClient()
  const [scope, setScope] = useState<'all' | 'chosen'>('all')
  const [chosen, setChosen] = useState<OneEvent[]>([])
  const [problems, setProblems] = useState<{ url?: string; events?: string }>({})
  const create = useMutation({
    mutationFn: (url: string) => createWebhook({ url, events: scope === 'all' ? ['*'] : chosen }),
    onSuccess: ({ secret }) => {
      props.onCreated(secret)
      // The answer holds the secret, which has no business in any cache.
      create.reset()
      void client.invalidateQueries({ queryKey: ['webhooks'] })
    },
    gcTime: 0,
  })
  const failure = create.isError ? describeFailure(create.error) : null
  const urlProblem = problems.url ?? (failure?.field === 'url' ? failure.sentence : undefined)
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const url = String(new FormData(event.currentTarget).get('url') ?? '').trim()
    const found = {
      ...(!/^https?:\/\/./.test(url) && { url: form.urlWrong }),
      ...(scope === 'chosen' && chosen.length === 0 && { events: form.noneChosen }),
    }
    setProblems(found)
    create.reset()
    if (Object.keys(found).length === 0) create.mutate(url)
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{form.title}</Dialog.Title>
      {failure && failure.field !== 'url' && (
        <FailureNote title={form.failed} error={create.error} takeFocus />
      )}
      <TextField
        name="url"
        type="url"
        inputMode="url"
        label={form.url}
        placeholder="https://example.com/slipway"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={2000}
        {...(urlProblem ? { error: urlProblem } : { description: form.urlHint })}
      />
      <PillChoice
        label={form.scope}
        value={scope}
        options={(['all', 'chosen'] as const).map((value) => ({ value, label: form.scopes[value] }))}
        onChange={setScope}
      />
      {scope === 'all' ? (
        <p className="-mt-2 text-[13px] text-kumo-subtle">{form.allHint}</p>
      ) : (
        <EventPicker chosen={chosen} problem={problems.events} onChange={setChosen} />
      )}
      <div className="flex justify-end gap-2">
        <Button type="button" variant="secondary" onClick={props.onClose}>
          {text.common.cancel}
        </Button>
        <Button type="submit" variant="primary" loading={create.isPending}>
          {form.submit}
        </Button>
      </div>
    </form>
  )
}

function Once({ secret, onClose }: { secret: string; onClose: () => void }) {
  return (
    <div className="flex flex-col gap-4">
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">
        {webhooksText.once.title}
      </Dialog.Title>
      <Dialog.Description className="text-kumo-subtle">{webhooksText.once.hint}</Dialog.Description>
      <SecretOnce label={webhooksText.once.secret} value={secret} />
      <SecretOnce label={webhooksText.once.env} value={`SLIPWAY_WEBHOOK_SECRET=${secret}`} />
      <div className="flex justify-end">
        <Button variant="primary" onClick={onClose}>
          {webhooksText.once.saved}
        </Button>
      </div>
    </div>
  )
}
