import type { Erasure } from './erasure.ts'
import type { RunnerDeps } from './runs.ts'
import type { Result } from '../errors.ts'
import type { Objects } from './objects.ts'

/**
 * The kinds of Durable Objects that have alarms. An object counts as the directory when it is not a partition and
 * does not store the schedules.
 */
export type WakingObject = 'partition' | 'directory' | 'schedule'

/**
 * What a Durable Object provides to the capabilities whose code runs in it. A capability that provides something to other capabilities adds
 * a member in its `object-types.ts`.
 */
export interface PartContext extends RunnerDeps {
  env: { OBJECTS: Objects }
  /** `app`, or the id of a person or team. Empty when the object is not a partition. */
  partition: string
  isApp: boolean
  isTeam: boolean
  /** True in the Durable Object of a single live room, which stores no records. */
  isRoom: boolean
  /** True in the Durable Object of a person who has an account. */
  isPerson: boolean
  /** False when the person or team of this partition does not exist. Always true for the app. */
  isKept: boolean
  /**
   * Returns false for a person or team that the directory does not list. Only for code that runs in the
   * directory.
   */
  isKnown(partition: string): boolean
  /** Closes the sockets of a person; without `userId`, all sockets. */
  endSockets(userId?: string): void
  /** Deletes everything that the Durable Object stores. */
  empty(): Promise<void>
  /** Returns a function that logs errors of work in the background, which no caller would see. */
  reporter(route: string): (error: unknown) => void
  /** Returns the value that `make` creates. Calls `make` once in the lifetime of this object. */
  once<T>(make: (parts: PartContext) => T): T
  /** Loads code that listing and writing records do not need. Loading this code on first use lets the object start faster. */
  load(): Promise<LazyParts>
}

/**
 * Factory functions of code that is loaded on first use. Each capability declares the type of its function in its `object-types.ts`;
 * `runtime/workers/live/lazy-parts.ts`, which is generated from these declarations, exports the functions.
 */
export interface LazyParts {}

export interface OperatorContext {
  objects: Objects
  env: unknown
}

/** How a capability copies its data in a Durable Object to the same object in another cloud account. */
interface PartMove<Dump> {
  /**
   * Returns null when there is nothing to copy. The argument is null, because `dump` is called like an RPC handler, which has one argument.
   */
  dump(ask: null): Dump | null
  /** Stores what `dump` returned. Idempotent. Not called when the copied data lacks this dump. */
  restore(dump: NonNullable<Dump>): void
}

type MadeMethods<Context, Methods> = [keyof Methods] extends [never]
  ? Readonly<Record<string, never>>
  : { [Name in keyof Methods]: (context: Context) => Methods[Name] }
type NamedMethods<Context> = Readonly<Record<string, (context: Context) => (...asked: never[]) => unknown>>

export interface PartHooks {
  /** How a person is erased. The declaration says whether the capability needs it. */
  erasure?: Erasure
  /** The alarm handlers by kind of object and name of the alarm. */
  wake?: Partial<Record<WakingObject, Readonly<Record<string, (parts: PartContext) => unknown>>>>
  /** Called when the object has stored the manifest of a release or applied its migrations, and after rows were copied to it. */
  prepared?(parts: PartContext): void
  /** Called after the app's worker was deployed: immediately runs the work that waited for the worker. */
  resume?(parts: PartContext): void
  /**
   * Called by the alarm that sends pending changes to the directory. Throws when the directory cannot be
   * reached.
   */
  flush?(parts: PartContext): Promise<void>
}

/** Getters for the members that a capability adds to `PartContext`, for use by other capabilities. */
type MadeMembers<Members extends keyof PartContext> = {
  readonly [Name in Members]: (parts: PartContext) => PartContext[Name]
}

/**
 * What a capability adds to the Durable Objects and to the admin worker, declared in `runtime/<key>/part.ts`.
 * Names of methods, of alarms and of the fields in `Head` never change: other releases call the methods and
 * read the fields, and alarms are stored by name.
 */
export interface Part<
  Methods = object,
  Head = object,
  Reads = object,
  Members extends keyof PartContext = never,
> extends PartHooks {
  members?: MadeMembers<Members>
  /**
   * RPC methods of the Durable Object, which the live worker and the admin worker may call. App code cannot
   * call them.
   */
  methods?: MadeMethods<PartContext, Methods>
  /** RPC methods that only the admin worker may call. They return an `ApiError` as a value. */
  reads?: MadeMethods<OperatorContext, Reads>
  /** The data that is copied with a partition to another cloud account, by its field in `PartitionHead`. */
  moves?: [keyof Head] extends [never]
    ? Readonly<Record<string, never>>
    : { [Key in keyof Head]-?: (parts: PartContext) => PartMove<Head[Key]> | null }
}

/** A part whose type parameters are erased, so that parts can be put into one list. */
export interface SomePart extends PartHooks {
  members?: Readonly<Record<string, (parts: PartContext) => unknown>>
  methods?: NamedMethods<PartContext>
  reads?: NamedMethods<OperatorContext>
  moves?: Readonly<Record<string, (parts: PartContext) => PartMove<unknown> | null>>
}

export type MembersOf<P> =
  P extends Part<infer _Methods, infer _Head, infer _Reads, infer Members> ? Members : never

export type ReadsOf<P> =
  P extends Part<infer _Methods, infer _Head, infer Reads, infer _Members>
    ? {
        [Name in keyof Reads]: Reads[Name] extends (...asked: infer Asked) => Promise<infer T>
          ? (...asked: Asked) => Promise<Result<T>>
          : never
      }
    : never

/** Adds the methods to a class, because only prototype methods can be called over RPC. */
export function addMethods<Context, Instance extends object>(
  prototype: Instance,
  methods: NamedMethods<Context> | undefined,
  contextOf: (instance: Instance) => Context,
  run: (call: () => unknown) => unknown = (call) => call(),
): void {
  for (const [name, method] of Object.entries(methods ?? {}))
    Reflect.set(prototype, name, function (this: Instance, ...asked: never[]): unknown {
      return run(() => method(contextOf(this))(...asked))
    })
}
