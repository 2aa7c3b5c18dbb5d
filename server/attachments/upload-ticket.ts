import * as z from 'zod'

/** The response of `upload-init`, for attachments and assets alike. */
export const UploadTicket = z
  .object({
    key: z.string().describe('Names the upload in `finalize`; of an attachment, also the file in messages.'),
    token: z.string().describe('For one upload of exactly what was announced; valid for 15 minutes.'),
    uploadUrl: z.string().describe('PUT the bytes here.'),
    expiresAt: z.iso.datetime(),
  })
  .meta({ id: 'UploadTicket' })
