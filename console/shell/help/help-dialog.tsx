import { Dialog } from '@cloudflare/kumo/components/dialog'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { askForHelp, type HelpContext, type HelpPicture, readContext } from '../../api/organization/help.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { FormDraftNote } from '../form-draft-note.tsx'
import { useDraftFields } from '../use-draft-fields.ts'
import { text } from '../../text/en.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'
import { TextField } from '../../ui/controls/text-field.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PicturePicker, usePictureUpload } from './picture-picker.tsx'

/** Sends a question to the operator. Shows which facts about the current page are sent, and lets the person leave them out. */
export function HelpDialog(props: { onSent: (threadId: string) => void; onClose: () => void }) {
  const client = useQueryClient()
  const draft = useDraftFields('help', '', { subject: '', body: '' })
  // Read the context once: an API request that fails while the person writes is not the reason for the
  // question.
  const [context] = useState(readContext)
  const [isIncluded, setIncluded] = useState(true)
  const [pictures, setPictures] = useState<HelpPicture[]>([])
  const [missing, setMissing] = useState<{ subject?: string; body?: string }>({})
  const isUploading = usePictureUpload()
  const ask = useMutation({
    mutationFn: askForHelp,
    onSuccess: ({ id }) => {
      draft.clear()
      void client.invalidateQueries({ queryKey: queryKeys.help.all })
      props.onSent(id)
    },
  })
  const discard = () => {
    draft.clear()
    props.onClose()
  }
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const subject = draft.textOf('subject').trim()
    const body = draft.textOf('body').trim()
    setMissing({
      ...(subject === '' && { subject: words.subjectMissing }),
      ...(body === '' && { body: words.bodyMissing }),
    })
    if (subject === '' || body === '')
      return focusField(event.currentTarget, subject === '' ? 'subject' : 'body')
    if (ask.isPending || isUploading) return
    ask.mutate({
      subject,
      body,
      attachments: pictures.map(({ id }) => id),
      context: isIncluded ? context : null,
    })
  }
  return (
    <FormDialog
      size="base"
      className="max-h-[calc(100dvh-8rem)] w-full overflow-y-auto p-6"
      hasDraft={draft.isRestored}
      onClose={discard}
    >
      <Dialog.Title className="text-[18px] font-semibold text-kumo-strong">{words.askTitle}</Dialog.Title>
      <Dialog.Description className="mt-1 mb-4 text-kumo-subtle">{words.askLead}</Dialog.Description>
      <form noValidate onSubmit={submit} className="space-y-4">
        <FormDraftNote draft={draft} />
        <TextField
          {...draft.field('subject')}
          label={words.subject}
          maxLength={200}
          autoComplete="off"
          {...(missing.subject !== undefined && { error: missing.subject })}
        />
        <TextArea
          {...draft.field('body')}
          label={words.body}
          description={words.bodyHint}
          maxLength={20_000}
          rows={5}
          {...(missing.body !== undefined && { error: missing.body })}
        />
        <PicturePicker pictures={pictures} onChange={setPictures} />
        <div className="space-y-1.5">
          <label className="flex w-fit items-center gap-2 text-kumo-default">
            <input
              type="checkbox"
              checked={isIncluded}
              onChange={({ currentTarget }) => setIncluded(currentTarget.checked)}
            />
            {words.include}
          </label>
          {isIncluded && <SentContext context={context} />}
        </div>
        {ask.isError && <FailureNote title={words.failed} error={ask.error} takeFocus />}
        <div className="flex justify-end gap-2">
          <Button type="button" variant="secondary" onClick={discard}>
            {text.common.cancel}
          </Button>
          <Button type="submit" variant="primary" loading={ask.isPending || isUploading}>
            {words.send}
          </Button>
        </div>
      </form>
    </FormDialog>
  )
}

function SentContext({ context }: { context: HelpContext }) {
  const { failures, ...plain } = context
  const facts = Object.entries(plain).filter((fact): fact is [keyof typeof plain, string] => fact[1] !== null)
  return (
    <details className="text-[13px]">
      <summary className="w-fit cursor-pointer text-kumo-subtle">{words.shown}</summary>
      <dl className="mt-1.5 grid grid-cols-[auto_minmax(0,1fr)] gap-x-3 gap-y-0.5">
        {facts.map(([name, value]) => (
          <ContextFact key={name} name={words.facts[name]} value={value} />
        ))}
        <ContextFact
          name={words.facts.failures}
          value={
            failures
              .map(({ method, route, status, code }) => `${method} ${route}: ${status} ${code}`)
              .join('\n') || words.noFailures
          }
        />
      </dl>
    </details>
  )
}

function ContextFact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-kumo-subtle">{name}</dt>
      <dd className="break-words whitespace-pre-line">{value}</dd>
    </>
  )
}
