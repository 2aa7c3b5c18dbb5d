import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { Idea } from '@slipway/sdk/client/types.gen.ts'
import { signWebhook } from '@slipway/sdk/webhook.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** The ingest sources of the organization, newest first, without their secrets. */
export const ingestSourcesQuery = () =>
  queryOptions({
    queryKey: queryKeys.ingest,
    queryFn: ({ signal }) => call(api.listIngestSources({ signal })),
  })

/** Creates an ingest source. The response contains the secret, which no later request returns. */
export const createIngestSource = (projectId: string) => call(api.createIngestSource({ body: { projectId } }))

/** Removes a source: its address returns 404 from then on. Accepted ideas still become tickets. */
export const deleteIngestSource = (id: string) => call(api.deleteIngestSource({ path: { id } }))

/**
 * Signs an idea in the browser and posts it as another system would. Posts to this page's own host even when the ingest address has another
 * host, because the content security policy allows requests only to the own host.
 */
export async function postTestIdea(id: string, secret: string, idea: Idea): Promise<void> {
  const payload = JSON.stringify(idea)
  await api.postIdea({
    path: { id },
    headers: { 'Service-Signature': await signWebhook({ payload, secret }) },
    body: idea,
    // Send exactly the bytes that were signed.
    bodySerializer: () => payload,
  })
}
