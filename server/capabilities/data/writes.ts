import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import type { CallerContext, Context } from '../../endpoint.ts'
import { recordCallerChange } from '../../activity/log.ts'
import { ApiError, notFound } from '../../http/errors.ts'
import type { PlatformPorts } from '../../platform.ts'
import { OperatorRecord, requireCollectionName } from './reads.ts'
import { callOperator, type LoggedProject } from '../operator/call.ts'

interface RecordAddress {
  collection: string
  partition: string
  id: string
}

/** A record of an import. The caller chooses its id, so that an interrupted import can be repeated without duplicates. */
export const NewRecord = z.object({
  id: z.string().regex(/^[A-Za-z0-9_-]{8,36}$/, 'must be 8 to 36 letters, digits, - or _'),
  fields: z.record(z.string(), z.unknown()),
})

/** The outcome for each record of an import. `problem` is null when the record was created or, in a trial, is valid. */
export const ImportResult = z.object({
  id: z.string(),
  problem: z.object({ field: z.string().nullable(), message: z.string() }).nullable(),
})

const Added = z.union([
  z.object({ id: z.string(), record: OperatorRecord.omit({ partition: true }) }),
  z.object({
    id: z.string(),
    error: z.object({ code: z.string(), message: z.string(), field: z.string().optional() }),
  }),
])

type WriteTarget = Pick<RecordAddress, 'collection' | 'partition'>

export async function createRecord(
  ctx: Context<'accounts'>,
  project: LoggedProject,
  target: WriteTarget,
  fields: Record<string, unknown>,
) {
  // The id is chosen here, so that repeating a call whose response was lost creates no second record.
  const id = randomUUID().replaceAll('-', '')
  const [added] = await addRecords(ctx, project, target, { records: [{ id, fields }], isTrial: false })
  if (added === undefined) throw new Error('the app answers for every record')
  if ('error' in added) throw writeError(added.error)
  await recordWrite(ctx, project, 'record.create', { ...target, id })
  return { ...added.record, partition: target.partition }
}

/** Creates records independently of each other. A trial returns the same outcomes and stores nothing. */
export async function importRecords(
  ctx: Context<'accounts'>,
  project: LoggedProject,
  target: WriteTarget,
  batch: { records: z.infer<typeof NewRecord>[]; isTrial: boolean },
): Promise<z.infer<typeof ImportResult>[]> {
  const added = await addRecords(ctx, project, target, batch)
  const results = added.map((one) => {
    const problem = 'error' in one ? { field: one.error.field ?? null, message: one.error.message } : null
    return { id: one.id, problem }
  })
  const isStored = !batch.isTrial && results.some(({ problem }) => problem === null)
  if (isStored) await recordWrite(ctx, project, 'record.import', target)
  return results
}

async function addRecords(
  ctx: PlatformPorts<'accounts'>,
  project: LoggedProject,
  { collection, partition }: WriteTarget,
  body: { records: z.infer<typeof NewRecord>[]; isTrial: boolean },
) {
  if (!PARTITION_NAME.test(partition)) throw notFound('partition')
  const path = `/data/records/${requireCollectionName(collection)}/${partition}`
  const request = { tier: 'production', method: 'POST', path, body, repeatable: true } as const
  return await callOperator(ctx, project, { ...request, result: z.array(Added) })
}

/** Converts an import's refusal of a record to the error of a request for a single record. */
const writeError = ({ code, message }: { code: string; message: string }) =>
  code === 'conflict' ? new ApiError('conflict', message) : new ApiError('invalid_request', message)

/** Replaces the fields of a record. Returns the stored record. */
export async function replaceRecord(
  ctx: Context<'accounts'>,
  project: LoggedProject,
  place: RecordAddress,
  record: Record<string, unknown>,
) {
  const path = recordPath(place)
  const result = await callOperator(ctx, project, {
    tier: 'production',
    method: 'PUT',
    path,
    body: record,
    result: OperatorRecord,
  })
  await recordWrite(ctx, project, 'record.replace', place)
  return result
}

export async function removeRecord(ctx: Context<'accounts'>, project: LoggedProject, place: RecordAddress) {
  const path = recordPath(place)
  const result = await callOperator(ctx, project, {
    tier: 'production',
    method: 'DELETE',
    path,
    result: z.object({ id: z.string() }),
  })
  await recordWrite(ctx, project, 'record.delete', place)
  return result
}

const PARTITION_NAME = /^[A-Za-z0-9_-]{1,64}$/

/** Throws `not_found` for strings that cannot name a partition or a record. */
function recordPath({ collection, partition, id }: RecordAddress): string {
  if (!PARTITION_NAME.test(partition) || !PARTITION_NAME.test(id)) throw notFound('record')
  return `/data/records/${requireCollectionName(collection)}/${partition}/${id}`
}

/** Records a change in the activity log, without the record's content. */
async function recordWrite(
  ctx: CallerContext<'db' | 'clock'>,
  project: LoggedProject,
  action: string,
  { collection, partition, id }: WriteTarget & { id?: string },
): Promise<void> {
  await recordCallerChange(ctx, ctx.db, {
    provider: 'cloudflare',
    action,
    target: [collection, partition, ...(id === undefined ? [] : [id])].join('/'),
    projectId: project.id,
    projectName: project.name,
  })
}
