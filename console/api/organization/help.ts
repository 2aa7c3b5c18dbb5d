import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { HelpConversation } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { truncateText } from '../../lib/truncate-text.ts'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'
import { type FailedCall, recentFailures } from '../request/failure-ring.ts'

export type HelpPicture = HelpConversation['messages'][number]['attachments'][number]

/** The service's limits for the pictures of a message (`server/help/attachments.ts`). */
export const PICTURE_LIMITS = {
  types: ['image/png', 'image/jpeg', 'image/webp', 'image/gif'],
  max: 3,
  bytesMax: 5 * 1024 * 1024,
} as const

/** The organization's help conversations with the operator, the most recently active first. */
export const helpQuery = () =>
  queryOptions({ queryKey: queryKeys.help.list, queryFn: ({ signal }) => call(api.listHelp({ signal })) })

export const conversationQuery = (threadId: string) =>
  queryOptions({
    queryKey: queryKeys.help.one(threadId),
    queryFn: ({ signal }) => call(api.readHelp({ path: { threadId }, signal })),
  })

export interface HelpContext {
  route: string
  ticket: string | null
  build: string | null
  viewport: string
  timeZone: string
  locale: string
  failures: readonly FailedCall[]
}

/** Facts about the open page, for a help request. The facts contain no text that a person wrote. */
export function readContext(): HelpContext {
  const { pathname, search } = location
  return {
    route: pathname,
    ticket: new URLSearchParams(search).get('ticket'),
    build: /\/runs\/([^/]+)/.exec(pathname)?.[1] ?? null,
    viewport: `${innerWidth}x${innerHeight}`,
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    locale: navigator.language,
    failures: recentFailures(),
  }
}

export const projectOf = (route: string): string | null => /^\/projects\/(prj_\w+)/.exec(route)?.[1] ?? null

export interface Question {
  subject: string
  body: string
  attachments: string[]
  /** The facts about the open page. Null when the person chose not to send them. */
  context: HelpContext | null
}

/** Opens a help conversation. Names the project of the open page, unless the person withholds the facts about the page. */
export function askForHelp({ subject, body, attachments, context }: Question) {
  const projectId = context === null ? null : projectOf(context.route)
  return call(
    api.openHelp({
      body: {
        subject,
        body,
        attachments,
        ...(projectId !== null && { projectId }),
        ...(context !== null && { console: { ...context } }),
      },
    }),
  )
}

export const replyToHelp = (threadId: string, message: { body: string; attachments: string[] }) =>
  call(api.replyToHelp({ path: { threadId }, body: message }))

export const uploadPicture = (file: File) =>
  call(
    api.uploadHelpAttachment({
      query: { name: truncateText(file.name.trim(), 200) || 'screenshot' },
      body: file,
      headers: { 'Content-Type': file.type },
    }),
  )

export const pictureUrl = (id: string) => `/api/v1/help/attachments/${encodeURIComponent(id)}`
