import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { PlanOrder } from '@slipway/sdk/plan-stream.ts'
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { readDraft, storeDraft } from '../../../shell/drafts.ts'
import { unreadableIn } from '../attachments/attachment-check.ts'
import { sendTurn } from '../turn/turn-follower.ts'
import { useAttachments } from '../attachments/use-attachments.ts'

const DRAFT = 'plan'

/** The message that is being written: its text, its files and sending it. A refused message is kept. */
export function useMessage(projectId: string) {
  const [text, setText] = useState(() => readDraft(DRAFT, projectId))
  const latest = useRef(text)
  latest.current = text
  const attachments = useAttachments(projectId)
  const write = (next: string) => {
    setText(next)
    storeDraft(next, DRAFT, projectId)
  }
  const sending = useMutation({
    mutationFn: (order: PlanOrder) => sendTurn(projectId, order),
    onSuccess: (_, order) => {
      if (order.text === undefined) return
      // Text typed while it was sent is the next message.
      if (latest.current.trim() === order.text) write('')
      attachments.remove(order.attachments ?? [])
    },
  })
  const order = sending.variables
  const { error } = sending
  const isUnreadable =
    error instanceof SlipwayError && error.code === 'attachments_unsupported'
      ? unreadableIn(error.message)
      : () => false
  const unreadable = attachments.kept.filter(({ mediaType }) => isUnreadable(mediaType)).map(({ key }) => key)
  const sendFiles = (keys: string[]) =>
    sending.mutate({ text: text.trim(), ...(keys.length > 0 && { attachments: keys }) })
  const keys = attachments.kept.map(({ key }) => key)
  const retry = () => sending.mutate({ retry: true })
  return {
    text,
    write,
    attachments,
    unreadable,
    error,
    isRetry: order?.retry === true,
    isSending: sending.isPending,
    send: () => sendFiles(keys),
    retry,
    /** Sends the same message again, after the cause of the error was fixed. */
    again: () => (order?.retry ? retry() : sendFiles(keys)),
    sendWithout: () => {
      attachments.remove(unreadable)
      sendFiles(keys.filter((key) => !unreadable.includes(key)))
    },
  }
}

export type Message = ReturnType<typeof useMessage>
