import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { RunRenderData } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../../../api/query-keys.ts'
import { call, sendRender } from '../../../api/request/client.ts'
import { blobOf } from '../../../api/request/blob-of.ts'

export type RenderedPage = RunRenderData['body']

/** Renders a web page as a PDF, a screenshot or Markdown. The call counts as one of the pages that the app may render in a month. */
export async function runRender(projectId: string, page: RenderedPage): Promise<Blob> {
  const { data } = await api.runRender({
    path: { projectId },
    body: page,
    parseAs: 'blob',
    fetch: sendRender,
  })
  return blobOf(data)
}

export const renderSpendQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.live(projectId, 'render'),
    queryFn: ({ signal }) => call(api.getRenderSpend({ path: { projectId }, signal })),
  })
