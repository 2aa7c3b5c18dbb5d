import * as z from 'zod'
import { endpoint, group } from '../endpoint.ts'
import { finalizeUpload, initUpload, readAttachment } from './attachments.ts'
import { MEDIA_TYPES } from './media-type.ts'
import { ATTACHMENT_BYTES_MAX } from './stored-object.ts'
import { UploadTicket } from './upload-token.ts'

const Attachment = z.object({ key: z.string(), mediaType: z.enum(MEDIA_TYPES) }).meta({ id: 'Attachment' })

export const attachmentRoutes = group('Attachments', {
  initAttachmentUpload: endpoint({
    route: 'POST /projects/:projectId/attachments/upload-init',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Begin to attach a file: returns where to send its bytes, with a token',
    description:
      "The bytes go straight to the project's upload worker in the connected cloud account: `PUT <uploadUrl>` with `Authorization: Bearer <token>` and the `Content-Type` given here. The first call of a project creates the worker and its bucket.",
    body: z.object({
      sha256: z.string().regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lowercase hexadecimal characters'),
      contentType: z.enum(MEDIA_TYPES),
      size: z.int().min(1).max(ATTACHMENT_BYTES_MAX),
    }),
    returns: UploadTicket,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => initUpload(ctx, params.projectId, body),
  }),
  finalizeAttachment: endpoint({
    route: 'POST /projects/:projectId/attachments/finalize',
    scope: 'projects:write',
    needs: ['accounts'],
    summary: 'Make an uploaded file an attachment',
    description:
      'Hash, size (at most 8 MiB) and type are checked against the bytes; a file that does not match them is deleted. Pass the key in `attachments` of capture, a ticket, build, steer or a plan message.',
    body: z.object({ key: z.string().max(200), mediaType: z.enum(MEDIA_TYPES).optional() }),
    returns: Attachment,
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params, body }) => finalizeUpload(ctx, params.projectId, body),
  }),
  getAttachment: endpoint({
    kind: 'bytes',
    route: 'GET /projects/:projectId/attachments/:file',
    scope: 'projects:read',
    needs: ['accounts'],
    summary: 'Read the bytes of an attachment; `file` is its key without `_prompt/`',
    contentType: '*/*',
    fails: ['conflict', 'upstream_error'],
    handle: ({ ctx, params }) => readAttachment(ctx, params.projectId, params.file),
  }),
})
