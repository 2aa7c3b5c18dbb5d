import * as api from '@slipway/sdk/client/sdk.gen.ts'
import type { AssetAccess } from '@slipway/sdk/client/types.gen.ts'
import { queryOptions } from '@tanstack/react-query'
import { queryKeys } from '../query-keys.ts'
import { call } from '../request/client.ts'

/** Every asset of the project, newest first. */
export const assetsQuery = (projectId: string) =>
  queryOptions({
    queryKey: queryKeys.assets(projectId),
    queryFn: ({ signal }) => call(api.listAssets({ path: { projectId }, signal })),
  })

/** Returns a URL and a token for one upload. The size is in bytes. */
export const beginUpload = (
  projectId: string,
  file: { path: string; contentType: string; size: number },
  signal: AbortSignal,
) => call(api.initAssetUpload({ path: { projectId }, body: file, signal }))

/** Makes an uploaded file an asset. An existing asset of the same path is replaced and keeps its access. */
export const finishUpload = (projectId: string, key: string, signal: AbortSignal) =>
  call(api.finalizeAsset({ path: { projectId }, body: { key }, signal }))

/** Changes who may see an asset. Throws when the access needs a capability that is off, such as `pay` for buyers. */
export const setAssetAccess = (projectId: string, path: string, access: AssetAccess) =>
  call(api.setAssetAccess({ path: { projectId, path }, body: { access } }))

/** Deletes an asset. Its address returns 404 at once, in the live app too. */
export const deleteAsset = (projectId: string, path: string) =>
  call(api.deleteAsset({ path: { projectId, path } }))
