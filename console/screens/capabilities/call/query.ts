import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

/** The polling interval of the list of running audio and video calls. */
const CALLS_REFETCH_MS = 10_000

export const callsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'call'),
    queryFn: ({ signal }) => call(api.listCalls({ path: { projectId }, signal })),
    // Do not poll before a read has succeeded: when the first read fails, the app cannot be reached.
    refetchInterval: ({ state }) => (state.data === undefined ? false : CALLS_REFETCH_MS),
  })
