import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { StorePreviewErrorsData } from '@slipway/sdk/client/types.gen.ts'
import { call } from '../request/client.ts'

export type PreviewError = StorePreviewErrorsData['body']['errors'][number]

/** Stores errors of the preview, which the ticket's next build will read. An empty list removes the stored errors. */
export const storePreviewErrors = (projectId: string, ticketId: string, errors: PreviewError[]) =>
  call(api.storePreviewErrors({ path: { projectId }, body: { ticketId, errors } }))

/** Publishes the last build on the preview host again, without building. */
export const republishPreview = (projectId: string) => call(api.retryDeployment({ path: { projectId } }))
