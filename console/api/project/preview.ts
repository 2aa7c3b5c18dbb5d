import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { StorePreviewErrorsData } from '@slipway/sdk/client/types.gen.ts'
import { call } from '../request/client.ts'

export type PreviewError = StorePreviewErrorsData['body']['errors'][number]

/** Tells the ticket's next build what the preview reported; an empty list takes it back. */
export const storePreviewErrors = (projectId: string, ticketId: string, errors: PreviewError[]) =>
  call(api.storePreviewErrors({ path: { projectId }, body: { ticketId, errors } }))

/** Puts the last build on the preview host again, without building. */
export const republishPreview = (projectId: string) => call(api.retryDeployment({ path: { projectId } }))
