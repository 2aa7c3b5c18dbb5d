import { ApiError, fromFailure } from '../kernel/errors.ts'
import { requireLive } from '../kernel/env.ts'
import { manifest, manifestHash } from '../manifest.gen.ts'
import type {
  Actor,
  DataAnswer,
  DataCall,
  MutateResult,
  RawPage,
  RawQuery,
  StoredRecord,
  WriteOp,
} from './frames.ts'

type Answered = Extract<DataAnswer, { ok: true }>['value']

/** Calls the partition's object; at first contact sends it this release's manifest. */
async function call(actor: Actor, request: DataCall): Promise<Answered> {
  const live = requireLive('data')
  const ask = async () => JSON.parse(await live.data(manifestHash, actor, request)) as DataAnswer
  let answer = await ask()
  if (!answer.ok && 'unprepared' in answer) {
    await live.prepare(manifestHash, manifest)
    answer = await ask()
  }
  if (answer.ok) return answer.value
  throw 'error' in answer
    ? fromFailure(answer.error)
    : new ApiError('unavailable', 'The data is not ready yet.')
}

export const getRecord = async (actor: Actor, collection: string, id: string) =>
  (await call(actor, { kind: 'get', collection, id })) as StoredRecord

export const listRecords = async (actor: Actor, collection: string, query: RawQuery) =>
  (await call(actor, { kind: 'list', collection, query })) as RawPage

export const searchRecords = async (actor: Actor, collection: string, q: string) =>
  (await call(actor, { kind: 'search', collection, q })) as StoredRecord[]

export const mutateRecords = async (actor: Actor, mutationId: string, ops: WriteOp[]) =>
  (await call(actor, { kind: 'mutate', mutationId, ops })) as MutateResult

export const writeRecords = async (actor: Actor, ops: WriteOp[]) =>
  (await call(actor, { kind: 'write', ops })) as MutateResult

/** Passes a WebSocket upgrade on to the object. */
export async function openSocket(request: Request): Promise<Response> {
  const live = requireLive('data')
  const headers = new Headers(request.headers)
  headers.set('slipway-manifest', manifestHash)
  const connect = () => live.fetch(new Request(request.url, { headers }))
  const response = await connect()
  if (response.status !== 409) return response
  await live.prepare(manifestHash, manifest)
  return connect()
}
