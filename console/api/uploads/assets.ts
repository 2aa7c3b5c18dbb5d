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

export const finishUpload = (projectId: string, key: string, signal: AbortSignal) =>
  call(api.finalizeAsset({ path: { projectId }, body: { key }, signal }))

export const setAssetAccess = (projectId: string, path: string, access: AssetAccess) =>
  call(api.setAssetAccess({ path: { projectId, path }, body: { access } }))

export const deleteAsset = (projectId: string, path: string) =>
  call(api.deleteAsset({ path: { projectId, path } }))
