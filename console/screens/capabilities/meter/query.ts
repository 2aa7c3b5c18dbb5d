import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { GetMeterUsageResponses } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export type MeterLimit = GetMeterUsageResponses[200]['data']['limits'][number]

export const meterUsageQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'meter'),
    queryFn: ({ signal }) => call(api.getMeterUsage({ path: { projectId }, signal })),
  })
