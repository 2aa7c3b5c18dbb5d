import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type {
  EmailStatus,
  ListAppMailsResponses,
  ReplaceMailboxesData,
} from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export type Mailbox = NonNullable<ReplaceMailboxesData['body']>['mailboxes'][number]
export type DnsRecord = EmailStatus['sending']['dns'][number]

/** The state of sending and receiving mail, read from the cloud account at each request. */
export const emailQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'email'),
    queryFn: ({ signal }) => call(api.getEmailStatus({ path: { projectId }, signal })),
    staleTime: 0,
  })

export type ListedMail = ListAppMailsResponses[200]['data'][number]

export const MAILS_MAX = 100

/** The mail of the live app, newest first. */
export const mailsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'email', 'mails'),
    queryFn: ({ signal }) =>
      call(api.listAppMails({ path: { projectId }, query: { limit: MAILS_MAX }, signal })),
    staleTime: 0,
  })

export const onboardEmail = (projectId: string, body: { zoneId: string; localPart: string }) =>
  call(api.onboardEmail({ path: { projectId }, body }))

export const verifyEmail = (projectId: string) => call(api.verifyEmail({ path: { projectId } }))

export const replaceMailboxes = (projectId: string, mailboxes: Mailbox[]) =>
  call(api.replaceMailboxes({ path: { projectId }, body: { mailboxes } }))
