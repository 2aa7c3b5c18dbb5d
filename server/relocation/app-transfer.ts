import * as z from 'zod'
import { CAPABILITY_KEYS } from '@slipway/runtime/capabilities.ts'
import { capabilityOf } from '../capability-catalog/catalog.ts'
import { callOperator, type OperatedProject } from '../capabilities/operator/call.ts'
import type { OperatorRequest } from '../cloudflare/app-client.ts'
import { ApiError } from '../http/errors.ts'
import type { PlatformPorts } from '../platform.ts'

/** The live app in one account, as the source or the target of a copy. */
export interface AppInAccount {
  platform: PlatformPorts<'accounts'>
  project: OperatedProject & { accountId: string }
  signal: AbortSignal
}

const Contents = z.object({
  /** The release that defines what the app stores, passed on unchanged; null before the first release. */
  release: z.unknown(),
  partitions: z.array(z.object({ name: z.string(), head: z.unknown() })),
})
export type Contents = z.output<typeof Contents>

const RowCursor = z.object({ collection: z.string(), id: z.string() })
export type RowCursor = z.output<typeof RowCursor>
const RowPage = z.object({ rows: z.array(z.unknown()), next: RowCursor.nullable() })

/**
 * An object of a bucket. Fields beside these, such as its metadata, are passed on unchanged. `etag` identifies the object's version; files
 * never change and have no `etag`.
 */
const BucketObject = z.looseObject({ key: z.string(), size: z.int(), etag: z.string().optional() })
export type BucketObject = z.output<typeof BucketObject>
const FilePage = z.object({ items: z.array(BucketObject), nextCursor: z.string().nullable() })
const ObjectPage = z.object({ items: z.array(BucketObject), next: z.string().nullable() })

/** The capabilities that have a bucket, each with the key prefixes that are not copied from the bucket (`copiedElsewhere`). */
export const ownBuckets = () =>
  CAPABILITY_KEYS.flatMap((key) => {
    const { bucket } = capabilityOf(key)
    return bucket === null ? [] : [{ key, ...bucket }]
  })

/** A mail of the app. All fields but its number are passed on unchanged. */
const Mail = z.looseObject({ n: z.int() })
type Mail = z.output<typeof Mail>
const MailPage = z.object({ mails: z.array(Mail) })

const Taken = z.object({ taken: z.int() })

// Every call is idempotent: rows, files and objects are stored by their ids, and everything else is overwritten.
const callTransfer = <T>(
  app: AppInAccount,
  request: Pick<OperatorRequest, 'method' | 'path' | 'body'>,
  result: z.ZodType<T>,
) =>
  callOperator(app.platform, app.project, {
    tier: 'production',
    ...request,
    repeatable: true,
    signal: app.signal,
    result,
  })

/** Makes the app refuse changes to records and files, or accept changes again. Resolves once this has taken effect. */
export const holdApp = (app: AppInAccount, held: boolean) =>
  callTransfer(
    app,
    { method: 'POST', path: '/transfer/hold', body: { held } },
    z.object({ held: z.boolean() }),
  )

export const readContents = (app: AppInAccount): Promise<Contents> =>
  callTransfer(app, { method: 'GET', path: '/transfer/contents' }, Contents)

/** Deletes the app's records, its list of files and the objects of its buckets, so that a copy can begin again. */
export async function deleteAppData(app: AppInAccount): Promise<void> {
  await callTransfer(app, { method: 'POST', path: '/transfer/wipe', body: {} }, z.null())
  const some = z.object({ isEmpty: z.boolean() })
  for (const { key } of ownBuckets()) {
    const emptySome = () => callTransfer(app, { method: 'DELETE', path: `/${key}/objects` }, some)
    while ((await ifBound(emptySome()))?.isEmpty === false);
  }
}

/** Resolves to the result of the call, or to null when the app does not have the bucket of the call. */
async function ifBound<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_enabled') return null
    throw error
  }
}

/**
 * Stores the release and the applied migrations of a partition in the app. Call it before `sendRows`, because the app
 * needs both to store rows.
 */
export const sendHead = (
  app: AppInAccount,
  { name, head }: Contents['partitions'][number],
  release: unknown,
) =>
  callTransfer(
    app,
    { method: 'POST', path: `/transfer/partitions/${encodeURIComponent(name)}`, body: { head, release } },
    z.null(),
  )

/** Activates the release. From then on, reads and search use this release. */
export const sendRelease = (app: AppInAccount, release: unknown) =>
  callTransfer(
    app,
    { method: 'POST', path: '/release/activate', body: release },
    z.object({ hash: z.string() }),
  )

export function readRowPage(app: AppInAccount, partition: string, after: RowCursor | null) {
  const query = after === null ? '' : `?${new URLSearchParams(after).toString()}`
  return callTransfer(
    app,
    { method: 'GET', path: `/transfer/rows/${encodeURIComponent(partition)}${query}` },
    RowPage,
  )
}

export const sendRows = (app: AppInAccount, partition: string, rows: unknown[]) =>
  callTransfer(
    app,
    { method: 'POST', path: `/transfer/rows/${encodeURIComponent(partition)}`, body: { rows } },
    Taken,
  )

export function readFilePage(app: AppInAccount, cursor: string | null) {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor }).toString()}`
  return callTransfer(app, { method: 'GET', path: `/transfer/files${query}` }, FilePage)
}

export const sendFiles = (app: AppInAccount, files: BucketObject[]) =>
  callTransfer(app, { method: 'POST', path: '/transfer/files', body: { files } }, Taken)

/** Returns the next objects of a capability's bucket, ordered by key; null when the app does not have this bucket. */
export function readObjectPage(app: AppInAccount, bucket: string, after: string | null) {
  const query = after === null ? '' : `?${new URLSearchParams({ after }).toString()}`
  const path = `/transfer/buckets/${bucket}/objects${query}`
  return ifBound(callTransfer(app, { method: 'GET', path }, ObjectPage))
}

/** Returns the next unsent mails with numbers above `after`; empty when there are none. */
export const readMailsAfter = async (app: AppInAccount, after: number): Promise<Mail[]> =>
  (await callTransfer(app, { method: 'GET', path: `/transfer/mails?after=${after}` }, MailPage)).mails

export const sendMails = (app: AppInAccount, mails: Mail[]) =>
  callTransfer(app, { method: 'POST', path: '/transfer/mails', body: { mails } }, z.null())
