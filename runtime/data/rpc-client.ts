import type { LiveBinding } from '../kernel/objects/calls.ts'
import { requireLive } from '../kernel/worker/env.ts'
import { callPrepared } from '../kernel/objects/call-prepared.ts'
import { sendPrepared } from '../kernel/objects/send-prepared.ts'
import { callerOf } from '../kernel/access/session.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'
import { fieldsOf } from '../kernel/fields.ts'
import type { Caller } from '../kernel/access/actor.ts'
import type { DataResult, DataBinding, DataCall, DataCalls, RawQuery, WriteOp } from './frames.ts'
import { findCollection } from './rules.ts'

/**
 * Calls a partition. If the partition does not have the manifest of this release yet, sends it and calls
 * again.
 */
async function callPartition<Call extends DataCall>(
  caller: Caller,
  request: Call,
): Promise<DataResult<Call>> {
  const live = requireLive('data')
  const records: unknown = live
  const ask = async () => JSON.parse(await (records as DataBinding).data(manifestHash, caller, request))
  return await callPrepared(live, ask, 'The data is not ready yet.')
}

/**
 * Returns the partition of a call. When the call names no partition, the collection decides: personal collections use the caller's
 * partition.
 */
function partitionField(collection: unknown, partition: string | undefined): { partition?: string } {
  if (partition !== undefined) return { partition }
  return findCollection(manifest, collection)?.partition === 'user' ? { partition: 'own' } : {}
}

/** Returns the partition of a write. The first operation decides, because all operations of one call change one partition. */
const partitionFieldOfOps = (ops: unknown, partition: string | undefined) =>
  partitionField(Array.isArray(ops) ? fieldsOf(ops[0])['collection'] : undefined, partition)

export const getRecord = async (caller: Caller, collection: string, id: string, partition?: string) =>
  callPartition(caller, {
    kind: 'get',
    collection,
    id,
    ...partitionField(collection, partition),
  })

export const listRecords = async (caller: Caller, collection: string, query: RawQuery, partition?: string) =>
  callPartition(caller, {
    kind: 'list',
    collection,
    query,
    ...partitionField(collection, partition),
  })

export const countRecords = async (
  caller: Caller,
  collection: string,
  where: Record<string, unknown>,
  partition?: string,
) =>
  callPartition(caller, {
    kind: 'count',
    collection,
    where,
    ...partitionField(collection, partition),
  })

export const searchRecords = async (caller: Caller, collection: string, q: string, partition?: string) =>
  callPartition(caller, {
    kind: 'search',
    collection,
    q,
    ...partitionField(collection, partition),
  })

export const similarRecords = async (caller: Caller, ask: DataCalls['similar']['ask'], partition?: string) =>
  callPartition(caller, {
    kind: 'similar',
    ...ask,
    ...partitionField(ask.collection, partition),
  })

/** Sends a write as a page sent it. The partition validates `mutationId` and `ops`. */
export const mutateRecords = async (
  caller: Caller,
  mutationId: unknown,
  ops: unknown,
  partition: string | undefined,
) =>
  callPartition(caller, {
    kind: 'mutate',
    mutationId,
    ops,
    ...partitionFieldOfOps(ops, partition),
  })

export const writeRecords = async (caller: Caller, ops: WriteOp[], partition?: string) =>
  callPartition(caller, {
    kind: 'write',
    ops,
    ...partitionFieldOfOps(ops, partition),
  })

export const openDataSocket = (request: Request): Promise<Response> =>
  forwardWithManifest(requireLive('data'), request)

/** Forwards a request with the sender's session. On status 409, sends this release's manifest and repeats the request. */
export async function forwardWithManifest(live: LiveBinding, request: Request): Promise<Response> {
  const headers = new Headers(request.headers)
  headers.set('slipway-manifest', manifestHash)
  const caller = callerOf(request)
  if (typeof caller === 'string') headers.delete('slipway-caller')
  else headers.set('slipway-caller', caller.session)
  return sendPrepared(
    () => live.fetch(new Request(request.url, { headers })),
    ({ status }) => status === 409,
    () => live.prepare(manifestHash, manifest),
  )
}
