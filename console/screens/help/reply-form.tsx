import type { HelpConversation } from '@slipway/sdk/client/types.gen.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { conversationQuery, helpQuery, type HelpPicture, replyToHelp } from '../../api/organization/help.ts'
import { helpText as words } from '../../text/help.en.ts'
import { Button } from '../../ui/controls/button.tsx'
import { TextArea } from '../../ui/controls/text-area.tsx'
import { FailureNote } from '../../ui/page/failure.tsx'
import { PicturePicker } from './picture-picker.tsx'

/** Writes another message, which reopens a conversation that was answered or closed. */
export function ReplyForm({ thread }: { thread: HelpConversation }) {
  const client = useQueryClient()
  const [pictures, setPictures] = useState<HelpPicture[]>([])
  const [isMissing, setMissing] = useState(false)
  const reply = useMutation({
    mutationFn: (body: string) => replyToHelp(thread.id, { body, attachments: pictures.map(({ id }) => id) }),
    onSuccess: (next) => {
      client.setQueryData(conversationQuery(thread.id).queryKey, next)
      return client.invalidateQueries({ queryKey: helpQuery().queryKey })
    },
  })
  const submit = (event: React.FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    const body = String(new FormData(event.currentTarget).get('body')).trim()
    setMissing(body === '')
    if (body !== '' && !reply.isPending) reply.mutate(body)
  }
  return (
    <form noValidate onSubmit={submit} className="space-y-4 border-t border-kumo-line pt-5">
      <TextArea
        name="body"
        label={words.reply}
        maxLength={20_000}
        rows={4}
        {...(thread.state !== 'open' && { description: words.reopens })}
        {...(isMissing && { error: words.bodyMissing })}
      />
      <PicturePicker pictures={pictures} onChange={setPictures} />
      {reply.isError && <FailureNote title={words.failed} error={reply.error} takeFocus />}
      <Button type="submit" variant="primary" loading={reply.isPending}>
        {words.replySend}
      </Button>
    </form>
  )
}
