import type { HelpConversation } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { conversationQuery, helpQuery, type HelpPicture, replyToHelp } from '../../api/organization/help.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'
import { focusField } from '../../ui/browser/focus-field.ts'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PicturePicker, usePictureUpload } from './picture-picker.tsx'

/** Writes another message, which reopens a conversation that was answered or closed. */
export function ReplyForm({ thread }: { thread: HelpConversation }) {
  const client = useQueryClient()
  const [written, setWritten] = useState('')
  const [pictures, setPictures] = useState<HelpPicture[]>([])
  const [isMissing, setMissing] = useState(false)
  const isUploading = usePictureUpload()
  const reply = useMutation({
    mutationFn: (message: { body: string; attachments: string[] }) => replyToHelp(thread.id, message),
    onSuccess: (next, sent) => {
      client.setQueryData(conversationQuery(thread.id).queryKey, next)
      // What was added while it was sent belongs to the next message.
      setWritten((now) => (now.trim() === sent.body ? '' : now))
      setPictures((now) => now.filter(({ id }) => !sent.attachments.includes(id)))
      return client.invalidateQueries({ queryKey: helpQuery().queryKey })
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
      <TextArea
        name="body"
        label={words.reply}
        maxLength={20_000}
        rows={4}
        value={written}
        onChange={(event) => setWritten(event.target.value)}
        {...(thread.state !== 'open' && { description: words.reopens })}
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
