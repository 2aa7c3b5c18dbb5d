import * as api from '@slipway/sdk/client/sdk.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call } from '../../../api/request/client.ts'

export const aiSpendQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'ai'),
    queryFn: ({ signal }) => call(api.getAiSpend({ path: { projectId }, signal })),
  })

/** Sends a prompt to the AI model of the live app. The call counts as one of the app's monthly model runs. */
export const runAi = (projectId: string, prompt: string) =>
  call(api.runAi({ path: { projectId }, body: { prompt } }))
