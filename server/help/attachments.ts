import { sniffMediaType } from '../attachments/media-type.ts'
import { transact, type Trx } from '../db/database.ts'
import { lockOrganization } from '../db/locks.ts'
import { rowsOfOrganization } from '../db/purge.ts'
import type { CallerContext } from '../endpoint.ts'
import { readBytes } from '../http/body.ts'
import type { BytesResponse } from '../http/endpoint.ts'
import { conflict, invalid, notFound } from '../http/errors.ts'
import { newId } from '../lib/ids.ts'
import type { Core } from '../platform.ts'
import type { ScheduledTask } from '../scheduled-task.ts'
import { DAY_MS } from '@slipway/runtime/kernel/durations.ts'

/** The maximum size of a picture (docs/limits.md#help). */
export const PICTURE_BYTES_MAX = 5 * 1024 * 1024
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif'] as const
export const PICTURES_MAX = 3

/** The maximum number of a person's uploads that no message uses yet. A further upload replaces the oldest one. */
const UNUSED_UPLOADS_MAX = 6
const UNUSED_UPLOAD_MS = DAY_MS
/** The maximum number of pictures per organization. Pictures are limited because the database stores them. */
const ORGANIZATION_PICTURES_MAX = 500

export interface UploadedAttachment {
  id: string
  name: string
  contentType: string
  size: number
}

/** Detects the type of a picture from its first bytes. Returns undefined when it is none of `PICTURE_TYPES`. */
export const pictureType = (bytes: Uint8Array) => PICTURE_TYPES.find((type) => type === sniffMediaType(bytes))

/**
 * Stores an uploaded picture, which a message can use afterwards. Throws when its bytes are not of the type that the
 * Content-Type header declares.
 */
export async function storePicture(
  ctx: CallerContext<'db' | 'clock'>,
  request: Request,
  name: string,
): Promise<UploadedAttachment> {
  const bytes = await readBytes(request, PICTURE_BYTES_MAX)
  if (bytes === null) throw invalid('body', `must be at most ${PICTURE_BYTES_MAX} bytes`)
  const contentType = pictureType(bytes)
  const declared = (request.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (contentType === undefined || contentType !== declared)
    throw invalid('body', `must be a picture of the type ${declared ?? 'in Content-Type'}`)
  const { organizationId, userId } = ctx.caller
  const id = newId('hla')
  await transact(ctx.db, async (trx) => {
    await lockOrganization(trx, organizationId)
    const { n } = await trx
      .selectFrom('help_attachments')
      .select((eb) => eb.fn.countAll<number>().as('n'))
      .where('org_id', '=', organizationId)
      .executeTakeFirstOrThrow()
    if (n >= ORGANIZATION_PICTURES_MAX)
      throw conflict(
        `Your organization has sent ${ORGANIZATION_PICTURES_MAX} pictures, which is the limit. Describe it in words.`,
      )
    await dropOldestWaiting(trx, organizationId, userId)
    await trx
      .insertInto('help_attachments')
      .values({
        id,
        org_id: organizationId,
        created_by: userId,
        message_id: null,
        position: null,
        name,
        content_type: contentType,
        size_bytes: bytes.byteLength,
        data: Buffer.from(bytes),
        created_at: ctx.clock.now(),
      })
      .execute()
  })
  return { id, name, contentType, size: bytes.byteLength }
}

async function dropOldestWaiting(trx: Trx, orgId: string, userId: string | null): Promise<void> {
  const waiting = await trx
    .selectFrom('help_attachments')
    .select('id')
    .where('org_id', '=', orgId)
    .where('created_by', '=', userId)
    .where('message_id', 'is', null)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(UNUSED_UPLOADS_MAX - 1)
    .execute()
  const ids = waiting.map(({ id }) => id)
  if (ids.length > 0)
    await trx.deleteFrom('help_attachments').where('org_id', '=', orgId).where('id', 'in', ids).execute()
}

/** Attaches uploads of the caller to a message. Throws a 400 for any other id and for an upload that another message uses. */
export async function attachPictures(
  ctx: CallerContext,
  trx: Trx,
  message: { id: string; orgId: string },
  ids: readonly string[],
): Promise<void> {
  for (const [position, id] of ids.entries()) {
    const taken = await trx
      .updateTable('help_attachments')
      .set({ message_id: message.id, org_id: message.orgId, position })
      .where('org_id', '=', ctx.caller.organizationId)
      .where('created_by', '=', ctx.caller.userId)
      .where('id', '=', id)
      .where('message_id', 'is', null)
      .returning('id')
      .executeTakeFirst()
    if (taken === undefined)
      throw invalid(`attachments.${position}`, 'is no upload of yours that waits for a message')
  }
}

/**
 * Returns the bytes of a picture in a message of this organization, or of any organization when `orgId` is
 * null. Throws a 404 for an upload that no message uses.
 */
export async function readPicture({ db }: Core, orgId: string | null, id: string): Promise<BytesResponse> {
  const row = await db
    .selectFrom('help_attachments')
    .select(['content_type', 'data'])
    .$if(orgId !== null, (own) => own.where('org_id', '=', orgId ?? ''))
    .where('id', '=', id)
    .where('message_id', 'is not', null)
    .executeTakeFirst()
  if (row === undefined) throw notFound('attachment')
  return {
    body: new Uint8Array(row.data),
    contentType: row.content_type,
    headers: { 'content-security-policy': "sandbox; default-src 'none'" },
  }
}

/** Deletes uploads that no message has used within a day. */
export const purgePictures: ScheduledTask = {
  name: 'purge-help-uploads',
  every: 'hour',
  run: async ({ db, clock }: Core) => {
    await db
      .deleteFrom('help_attachments')
      .where('message_id', 'is', null)
      .where('created_at', '<=', new Date(clock.now().getTime() - UNUSED_UPLOAD_MS))
      .execute()
  },
}

export const PICTURES_OF_ORGANIZATION = rowsOfOrganization('help_attachments')

/** Deletes a person's uploads that no message uses, in all organizations. */
export async function deleteWaiting(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom('help_attachments')
    .where('created_by', '=', userId)
    .where('message_id', 'is', null)
    .execute()
}
