import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** One build run: its status, tokens, checks and result. The frames of its stream are in `runFramesQuery`. */
export const runQuery = (projectId: string, runId: string) =>
  queryOptions({
    queryKey: queryKeys.runs.one(projectId, runId),
    queryFn: ({ signal }) => call(api.getRun({ path: { projectId, runId }, signal })),
  })

/** Cancels the ticket's running build. Throws `conflict` when none is running, or when the build is already being published. */
export const cancelBuild = (projectId: string, ticketId: string) =>
  call(api.cancelBuild({ path: { projectId, ticketId } }))

/** Sends a message to the running build. The response says which model call will read it. */
export const steerBuild = (projectId: string, ticketId: string, text: string) =>
  call(api.steerBuild({ path: { projectId, ticketId }, body: { text } }))

/** The URL that the stream reader of the SDK requests. The request starts the build of a ticket and returns the build's stream. */
export const buildStreamUrl = (projectId: string, ticketId: string) =>
  new URL(`/api/v1/projects/${projectId}/tickets/${ticketId}/build/stream`, location.origin).href
