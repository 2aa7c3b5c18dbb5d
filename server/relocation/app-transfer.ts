import * as z from 'zod'
import { callOperator, type OperatedProject } from '../capabilities/operator/call.ts'
import type { OperatorRequest } from '../cloudflare/app-client.ts'
import { ApiError } from '../http/errors.ts'
import type { Needs } from '../platform.ts'

/** The live app in one account, as the source or the target of a copy. */
export interface AppIn {
  platform: Needs<'accounts'>
  project: OperatedProject & { accountId: string }
  signal: AbortSignal
}

const Contents = z.object({
  /** The release that defines what the app stores, passed on unchanged; null before the first release. */
  release: z.unknown(),
  partitions: z.array(z.object({ name: z.string(), head: z.unknown() })),
})
export type Contents = z.output<typeof Contents>

const RowPlace = z.object({ collection: z.string(), id: z.string() })
export type RowPlace = z.output<typeof RowPlace>
const RowPage = z.object({ rows: z.array(z.unknown()), next: RowPlace.nullable() })

/** A file of the app: its key, its size, and other fields, which are passed on unchanged. */
const FileRef = z.looseObject({ key: z.string(), size: z.int() })
export type FileRef = z.output<typeof FileRef>
const FilePage = z.object({ items: z.array(FileRef), nextCursor: z.string().nullable() })

const Taken = z.object({ taken: z.int() })

// Every call is idempotent: rows and files are stored by their ids, and everything else is overwritten.
const callTransfer = <T>(
  app: AppIn,
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

/** Makes the app refuse changes of records and files, or accept them again. Takes effect before it resolves. */
export const holdApp = (app: AppIn, held: boolean) =>
  callTransfer(
    app,
    { method: 'POST', path: '/transfer/hold', body: { held } },
    z.object({ held: z.boolean() }),
  )

export const readContents = (app: AppIn): Promise<Contents> =>
  callTransfer(app, { method: 'GET', path: '/transfer/contents' }, Contents)

/** Deletes the app's records, its list of files and their bytes, so that a copy can begin again. */
export async function wipeApp(app: AppIn): Promise<void> {
  await callTransfer(app, { method: 'POST', path: '/transfer/wipe', body: {} }, z.null())
  const some = z.object({ isEmpty: z.boolean() })
  try {
    while (!(await callTransfer(app, { method: 'DELETE', path: '/files/objects' }, some)).isEmpty);
  } catch (error) {
    // An app without files has no bucket to empty.
    if (!(error instanceof ApiError) || error.code !== 'not_enabled') throw error
  }
}

/**
 * Stores the release and the applied migrations of a partition in the app. Call it before `sendRows`, because the app
 * needs both to store rows.
 */
export const sendHead = (app: AppIn, { name, head }: Contents['partitions'][number], release: unknown) =>
  callTransfer(
    app,
    { method: 'POST', path: `/transfer/partitions/${encodeURIComponent(name)}`, body: { head, release } },
    z.null(),
  )

/** Activates the release, which reads and search use from now on. */
export const sendRelease = (app: AppIn, release: unknown) =>
  callTransfer(
    app,
    { method: 'POST', path: '/release/activate', body: release },
    z.object({ hash: z.string() }),
  )

export function readRowPage(app: AppIn, partition: string, after: RowPlace | null) {
  const query = after === null ? '' : `?${new URLSearchParams(after).toString()}`
  return callTransfer(
    app,
    { method: 'GET', path: `/transfer/rows/${encodeURIComponent(partition)}${query}` },
    RowPage,
  )
}

export const sendRows = (app: AppIn, partition: string, rows: unknown[]) =>
  callTransfer(
    app,
    { method: 'POST', path: `/transfer/rows/${encodeURIComponent(partition)}`, body: { rows } },
    Taken,
  )

export function readFiles(app: AppIn, cursor: string | null) {
  const query = cursor === null ? '' : `?${new URLSearchParams({ cursor }).toString()}`
  return callTransfer(app, { method: 'GET', path: `/transfer/files${query}` }, FilePage)
}

export const sendFiles = (app: AppIn, files: FileRef[]) =>
  callTransfer(app, { method: 'POST', path: '/transfer/files', body: { files } }, Taken)
