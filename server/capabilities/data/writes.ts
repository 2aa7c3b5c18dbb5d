import * as z from 'zod'
import { actorOf } from '../../connections/cloud.ts'
import { recordActivity } from '../../events/activity.ts'
import { notFound } from '../../http/errors.ts'
import type { Context } from '../../http/context.ts'
import { OperatorRecord, requireCollectionName } from './reads.ts'
import { callOperator, type OperatedProject } from '../operator/call.ts'

interface Place {
  collection: string
  partition: string
  id: string
}
type Owned = OperatedProject & { name: string }

/** Replaces a record and returns it as it is stored. */
export async function replaceRecord(
  ctx: Context,
  project: Owned,
  place: Place,
  record: Record<string, unknown>,
) {
  const path = pathOf(place)
  const result = await callOperator(ctx, project, {
    tier: 'production',
    method: 'PUT',
    path,
    body: record,
    result: OperatorRecord,
  })
  await note(ctx, project, 'record.replace', place)
  return result
}

export async function removeRecord(ctx: Context, project: Owned, place: Place) {
  const path = pathOf(place)
  const result = await callOperator(ctx, project, {
    tier: 'production',
    method: 'DELETE',
    path,
    result: z.object({ id: z.string() }),
  })
  await note(ctx, project, 'record.delete', place)
  return result
}

const PART = /^[A-Za-z0-9_-]{1,64}$/

/** Throws `not_found` for texts that cannot name a partition or a record. */
function pathOf({ collection, partition, id }: Place): string {
  if (!PART.test(partition) || !PART.test(id)) throw notFound('record')
  return `/data/records/${requireCollectionName(collection)}/${partition}/${id}`
}

/** Records the change in the activity log, without the content of the record. */
async function note(ctx: Context, project: Owned, action: string, place: Place): Promise<void> {
  await recordActivity(ctx.db, {
    orgId: project.org_id,
    at: ctx.clock.now(),
    provider: 'cloudflare',
    actor: actorOf(ctx.caller),
    action,
    target: `${place.collection}/${place.partition}/${place.id}`,
    status: 'ok',
    projectId: project.id,
    projectName: project.name,
  })
}
