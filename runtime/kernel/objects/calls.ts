import type { Result } from '../errors.ts'
import type { Manifest } from '../manifest.ts'

/** Maps each call's name to its input (`ask`) and its result (`answer`). */
export type Calls<C> = { [Kind in keyof C]: { ask: unknown; answer: unknown } }

export type ResultOf<C extends Calls<C>, Kind extends keyof C> = Result<C[Kind]['answer']>

/** An RPC method for all calls in `C`. Its first argument is the name of the call. */
export type Method<C extends Calls<C>> = <Kind extends keyof C>(
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<C[Kind]['answer']>

/** Like `Method`, but returns an `ApiError` as a value. */
export type ResultMethod<C extends Calls<C>> = <Kind extends keyof C>(
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<ResultOf<C, Kind>>

/** `unprepared` means that the caller must send its manifest and call again. */
export type PreparedResult<T> = Result<T> | { ok: false; unprepared: true }

/** Like `ResultMethod`, but the first argument is the hash of the caller's release. */
export type ReleaseMethod<C extends Calls<C>> = <Kind extends keyof C>(
  hash: string,
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<PreparedResult<C[Kind]['answer']>>

export type HandlersOf<C extends Calls<C>> = { [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] }

/** Like `HandlersOf`, but handlers may return a promise. */
export type AsyncHandlersOf<C extends Calls<C>> = {
  [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] | Promise<C[Kind]['answer']>
}

/**
 * The `LIVE` binding of an app's worker, without the methods of the capabilities. Older releases call it, so add methods and never change
 * one.
 */
export interface LiveBinding {
  prepare(hash: string, manifest: Manifest): Promise<void>
  /** Opens a WebSocket. */
  fetch(request: Request): Promise<Response>
}

/**
 * The RPC methods that the live worker has for each capability, in addition to those of `LiveBinding`. Each
 * capability adds its own in `<key>/types.ts`.
 */
export interface LiveBindings {
  data: unknown
}
