import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { ListScheduledJobsResponses } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export type ScheduledJob = ListScheduledJobsResponses[200]['data'][number]

/** The schedules of the live app, the soonest first. */
export const scheduledJobsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'schedule'),
    queryFn: ({ signal }) => call(api.listScheduledJobs({ path: { projectId }, signal })),
  })
