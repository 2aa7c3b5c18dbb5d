import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Idea } from '@slipway/sdk/client/types.gen.ts'
import { signWebhook } from '@slipway/sdk/webhook.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

export const ingestSourcesQuery = () =>
  queryOptions({
    queryKey: queryKeys.ingest,
    queryFn: ({ signal }) => call(api.listIngestSources({ signal })),
  })

/** The answer holds the secret, this one time. */
export const createIngestSource = (projectId: string) => call(api.createIngestSource({ body: { projectId } }))

export const deleteIngestSource = (id: string) => call(api.deleteIngestSource({ path: { id } }))

/**
 * Signs an idea in the browser and posts it as a sender would. To this page's own host, which is the same service:
 * the ingest address may be another host, and pages post to their own only.
 */
export async function postTestIdea(id: string, secret: string, idea: Idea): Promise<void> {
  const payload = JSON.stringify(idea)
  await api.postIdea({
    path: { id },
    headers: { 'Service-Signature': await signWebhook({ payload, secret }) },
    body: idea,
    // Exactly the bytes that were signed.
    bodySerializer: () => payload,
  })
}
