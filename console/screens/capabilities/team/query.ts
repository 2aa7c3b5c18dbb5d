import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

/** The most teams that the service returns in one page. */
const TEAMS_MAX = 1000

/** The teams of the live app, newest first. */
export const appTeamsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'team'),
    queryFn: ({ signal }) =>
      call(api.listTeams({ path: { projectId }, query: { limit: TEAMS_MAX }, signal })),
  })
