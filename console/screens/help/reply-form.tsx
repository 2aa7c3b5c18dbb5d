import type { HelpConversation } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { conversationQuery, helpQuery, type HelpPicture, replyToHelp } from '../../api/organization/help.ts'
import { DraftNote } from '../../shell/draft-note.tsx'
import { useDraftText } from '../../shell/use-draft-text.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PicturePicker, usePictureUpload } from '../../shell/help/picture-picker.tsx'

/** Sends another message. The message reopens an answered or closed conversation. */
export function ReplyForm({ thread }: { thread: Pick<HelpConversation, 'id' | 'state'> }) {
  const client = useQueryClient()
  return (
    <MessageForm
      key={thread.id}
      draft={thread.id}
      label={words.reply}
      hint={thread.state === 'open' ? null : words.reopens}
      send={(message) => replyToHelp(thread.id, message)}
      onSent={(next) => {
        client.setQueryData(conversationQuery(thread.id).queryKey, next)
        return client.invalidateQueries({ queryKey: helpQuery().queryKey })
      }}
    />
  )
}

/**
 * A form for a message with screenshots. The text and the screenshots stay when the service refuses the
 * message. The text also survives a reload.
 */
export function MessageForm<Sent>(props: {
  /** The id of the draft: the id of the conversation. */
  draft: string
  label: string
  hint: string | null
  send: (message: { body: string; attachments: string[] }) => Promise<Sent>
  onSent: (sent: Sent) => Promise<void>
}) {
  const draft = useDraftText('help-reply', props.draft)
  const { text: written, write } = draft
  const [pictures, setPictures] = useState<HelpPicture[]>([])
  const [isMissing, setMissing] = useState(false)
  const isUploading = usePictureUpload()
  const reply = useMutation({
    mutationFn: props.send,
    onSuccess: (next, sent) => {
      // Keep text and pictures that were added while the message was being sent. They belong to the next
      // message.
      if (written.trim() === sent.body) write('')
      setPictures((now) => now.filter(({ id }) => !sent.attachments.includes(id)))
      return props.onSent(next)
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = written.trim()
    setMissing(body === '')
    if (body === '') focusField(event.currentTarget, 'body')
    else if (!reply.isPending && !isUploading)
      reply.mutate({ body, attachments: pictures.map(({ id }) => id) })
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4 border-t border-kumo-line pt-5">
      <DraftNote draft={draft} />
      <TextArea
        name="body"
        label={props.label}
        maxLength={20_000}
        rows={4}
        value={written}
        onChange={(event) => write(event.target.value)}
        {...(props.hint !== null && { description: props.hint })}
        {...(isMissing && { error: words.bodyMissing })}
      />
      <PicturePicker pictures={pictures} onChange={setPictures} />
      {reply.isError && <FailureNote title={words.failed} error={reply.error} takeFocus />}
      <Button type="submit" variant="primary" loading={reply.isPending || isUploading}>
        {words.replySend}
      </Button>
    </form>
  )
}
