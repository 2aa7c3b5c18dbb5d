import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Attention } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export type AttentionBuild = Attention['items'][number]

/** The polling interval. There is no stream of an organization's events, so every tab polls, even a hidden one. */
const ATTENTION_REFETCH_MS = 10_000

/**
 * The latest build of each ticket in progress or in review, over all projects. A build that is running or
 * queued is left out.
 */
export const attentionQuery = () =>
  queryOptions({
    queryKey: queryKeys.attention,
    queryFn: async ({ signal }) => (await call(api.getAttention({ signal }))).items,
    refetchInterval: ATTENTION_REFETCH_MS,
    refetchIntervalInBackground: true,
  })
