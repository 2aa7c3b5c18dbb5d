import * as z from 'zod'
import { UploadTicket } from '../../attachments/upload-token.ts'
import { endpoint, group } from '../../endpoint.ts'
import { loadProject } from '../../projects/projects.ts'
import { AssetAccess } from './declaration.ts'
import { Asset, ASSET_BYTES_MAX, ContentType, listAssets } from './asset.ts'
import { AssetPath, plainForm } from './asset-path.ts'
import { readAsset } from './read.ts'
import { removeAsset } from './remove.ts'
import { setAssetAccess } from './stamp.ts'
import { finalizeAsset, initAssetUpload } from './upload.ts'

export const assetsRoutes = group('Assets', {
  listAssets: endpoint({
    route: 'GET /projects/:projectId/assets',
    scope: 'projects:read',
    summary: "List the project's assets, newest first",
    returns: z.array(Asset),
    handle: async ({ ctx, params }) => listAssets(ctx.db, await loadProject(ctx, params.projectId)),
  }),
  initAssetUpload: endpoint({
    route: 'POST /projects/:projectId/assets/upload-init',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Begin to upload an asset: returns where to send its bytes, with a token',
    description:
      "The bytes go straight to the project's upload worker in the connected cloud account: `PUT <uploadUrl>` with `Authorization: Bearer <token>` and the `Content-Type` given here. They are served once `finalize` was called with the `key`.",
    body: z.object({
      path: AssetPath.describe('Where the app will serve it: `/_app/assets/<path>`. Slashes make folders.'),
      contentType: ContentType,
      size: z.int().min(1).max(ASSET_BYTES_MAX),
    }),
    returns: UploadTicket,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => initAssetUpload(ctx, params.projectId, body),
  }),
  finalizeAsset: endpoint({
    route: 'POST /projects/:projectId/assets/finalize',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Make an uploaded file an asset',
    description:
      'Size and type are recorded as the bucket has them. An existing path gets the new content and keeps its access.',
    body: z.object({
      key: z.string().max(200),
      name: z
        .string()
        .trim()
        .min(1)
        .max(255)
        .optional()
        .describe("Shown name; default the path's last part."),
    }),
    returns: Asset,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => finalizeAsset(ctx, params.projectId, body),
  }),
  getAsset: endpoint({
    kind: 'bytes',
    route: 'GET /projects/:projectId/assets/:path',
    rest: true,
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the bytes of an asset, sandboxed; `path` may contain slashes, `Range` is supported',
    contentType: '*/*',
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params, request }) => readAsset(ctx, params.projectId, params.path, request),
  }),
  setAssetAccess: endpoint({
    route: 'PATCH /projects/:projectId/assets/:path',
    rest: true,
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Change who may see an asset',
    description:
      'The metadata of the object in the account is changed in place. `members` needs the capability `auth`, `product` needs `pay`.',
    body: z.object({ access: AssetAccess }),
    returns: Asset,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) =>
      setAssetAccess(ctx, params.projectId, plainForm(params.path), body.access),
  }),
  deleteAsset: endpoint({
    route: 'DELETE /projects/:projectId/assets/:path',
    rest: true,
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Remove an asset',
    returns: z.object({ path: z.string() }),
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params }) => removeAsset(ctx, params.projectId, params.path),
  }),
})
