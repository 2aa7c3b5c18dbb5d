import type { Result } from './errors.ts'

/** For each kind of call, what it takes and what it returns. */
export type Calls<C> = { [Kind in keyof C]: { ask: unknown; answer: unknown } }

export type ResultOf<C extends Calls<C>, Kind extends keyof C> = Result<C[Kind]['answer']>

/** As seen from another worker or object. */
export type Method<C extends Calls<C>> = <Kind extends keyof C>(
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<C[Kind]['answer']>

/** Returns an `ApiError` as a value. */
export type ResultMethod<C extends Calls<C>> = <Kind extends keyof C>(
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<ResultOf<C, Kind>>

/** `unprepared` asks the caller to send its manifest first. */
export type PreparedResult<T> = Result<T> | { ok: false; unprepared: true }

/** `hash` names the release of the caller. */
export type ReleaseMethod<C extends Calls<C>> = <Kind extends keyof C>(
  hash: string,
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<PreparedResult<C[Kind]['answer']>>

export type HandlersOf<C extends Calls<C>> = { [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] }

/** Like `HandlersOf`, where a function may return a promise. */
export type AsyncHandlersOf<C extends Calls<C>> = {
  [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] | Promise<C[Kind]['answer']>
}
