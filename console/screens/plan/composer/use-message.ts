import { SlipwayError } from '@slipway/sdk/errors.ts'
import type { PlanRequest } from '@slipway/sdk/plan-stream.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { planText } from '../../../text/plan.en.ts'
import { useDraftText } from '../../../shell/use-draft-text.ts'
import { unreadableIn } from '../attachments/attachment-check.ts'
import { sendTurn } from '../turn/turn-follower.ts'
import { useTurn } from '../turn/use-turn.ts'
import { type Attachments, useAttachments } from '../attachments/use-attachments.ts'

/** The service's limit for the length of a message. The composer reports a longer text instead of truncating it. */
const MESSAGE_CHARS_MAX = 32_000

/**
 * The message that is being written, with its text, files and actions. A refused message keeps its text and
 * files.
 */
export function useMessage(projectId: string) {
  const draft = useDraftText('plan', projectId)
  const { text, write } = draft
  const latest = useRef(text)
  latest.current = text
  const attachments = useAttachments(projectId)
  const sending = useMutation({
    mutationFn: (order: PlanRequest) => sendTurn(projectId, order),
    onSuccess: (_, order) => {
      if (order.text === undefined) return
      // Keep text that was typed while the message was being sent.
      if (latest.current.trim() === order.text) write('')
      attachments.remove(order.attachments ?? [])
    },
  })
  const turn = useTurn(projectId)
  const awaited = useRef<string>(undefined)
  // A field that was unmounted and mounted again during a request starts with the text of the draft. `onSuccess` belongs to the unmounted
  // field, so empty the mounted field here.
  useEffect(() => {
    if (turn !== null && turn.phase !== 'sending' && latest.current.trim() === awaited.current) write('')
    awaited.current = turn?.phase === 'sending' ? turn.said?.text : undefined
  }, [turn])
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
  const isRetry = order?.retry === true
  const reason = whyNotSendable(text, attachments.uploads)
  return {
    text,
    write,
    draft,
    attachments,
    unreadable,
    error,
    isRetry,
    isSending: sending.isPending,
    /** Why the message cannot be sent, or null when it can. */
    reason,
    send: () => sendFiles(keys),
    retry,
    /** Repeats the refused request after its cause was fixed. Null while the message cannot be sent. */
    again: isRetry ? retry : reason === null ? () => sendFiles(keys) : null,
    sendWithout: () => {
      attachments.remove(unreadable)
      sendFiles(keys.filter((key) => !unreadable.includes(key)))
    },
  }
}

function whyNotSendable(text: string, uploads: Attachments['uploads']): string | null {
  const { length } = text.trim()
  const { why } = planText.box
  if (length === 0) return why.empty
  if (length > MESSAGE_CHARS_MAX) return why.tooLong(length)
  if (uploads.some(({ state }) => state === 'failed')) return why.failedUpload
  return uploads.length > 0 ? why.uploading : null
}

export type Message = ReturnType<typeof useMessage>
