import type { Result } from './errors.ts'

/** What a part of an app can be asked: for each kind of call, what it takes and what it returns. */
export type Calls<C> = { [Kind in keyof C]: { ask: unknown; answer: unknown } }

/** What one kind of call returns when refusals are values. */
export type ResultOf<C extends Calls<C>, Kind extends keyof C> = Result<C[Kind]['answer']>

/** A method for all kinds of call, as seen from another worker or object. */
export type Method<C extends Calls<C>> = <Kind extends keyof C>(
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<C[Kind]['answer']>

/** The same, of a method that returns refusals as values. */
export type ResultMethod<C extends Calls<C>> = <Kind extends keyof C>(
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<ResultOf<C, Kind>>

/** What a part returns that judges by a release; `unprepared` asks the caller to send its manifest first. */
export type PreparedResult<T> = Result<T> | { ok: false; unprepared: true }

/** A method for the calls of the release with this hash. */
export type ReleaseMethod<C extends Calls<C>> = <Kind extends keyof C>(
  hash: string,
  kind: Kind,
  ask: C[Kind]['ask'],
) => Promise<PreparedResult<C[Kind]['answer']>>

/** One function for each kind of call. */
export type HandlersOf<C extends Calls<C>> = { [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] }

/** The same, where a function may return a promise. */
export type AsyncHandlersOf<C extends Calls<C>> = {
  [Kind in keyof C]: (ask: C[Kind]['ask']) => C[Kind]['answer'] | Promise<C[Kind]['answer']>
}
