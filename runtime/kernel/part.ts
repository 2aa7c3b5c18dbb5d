import type { UserListCalls } from '../auth/objects.ts'
import type { Partition } from '../data/partition.ts'
import type { Records } from '../data/records.ts'
import type { BudgetCalls } from '../directory/budget.ts'
import type { DirectoryStore } from '../directory/store.ts'
import type { HandlersOf } from './calls.ts'
import type { RunnerDeps } from './runs.ts'
import type { LogEntry } from '../data/store.ts'
import type { Result } from './errors.ts'
import type { Objects } from './objects.ts'

/** The objects that have alarms. Everything that is neither a partition nor the schedules counts as the directory. */
export type WakingObject = 'partition' | 'directory' | 'schedule'

/** The object that a part belongs to. */
export interface PartPlace extends RunnerDeps {
  env: { OBJECTS: Objects }
  /** `app`, or the id of a person or team. Empty for an object that is no partition. */
  partition: string
  isApp: boolean
  /** False for every object that is not of a person, and once the person was erased. */
  isPerson: boolean
  /** False when the person or team of this partition does not exist; the app always does. */
  isKept: boolean
  /** In the directory. */
  isKnown(partition: string): boolean
  own: Pick<Partition, 'requestFlush' | 'manifest'>
  appRecords: Records
  /** In the directory. */
  dir: Pick<DirectoryStore, 'active'>
  users: Pick<HandlersOf<UserListCalls>, 'find'>
  budget: HandlersOf<BudgetCalls>
  /** Returns a function that logs errors which no caller gets. */
  reporter(route: string): (error: unknown) => void
  /** Returns what `make` makes for this object. */
  once<T>(make: (parts: PartPlace) => T): T
}

export interface OperatorPlace {
  objects: Objects
  env: unknown
}

/** What one object dumps and another restores. */
interface Moved<Dump> {
  /** Null when there is nothing to move. */
  dump(): Dump | null
  /** Stores what `dump` returned. Idempotent. Not called when an older release has left it out. */
  restore(dump: NonNullable<Dump>): void
}

type Made<Place, Methods> = [keyof Methods] extends [never]
  ? Readonly<Record<string, never>>
  : { [Name in keyof Methods]: (place: Place) => Methods[Name] }
type Named<Place> = Readonly<Record<string, (place: Place) => (...asked: never[]) => unknown>>

interface PartHooks {
  /** By the names of alarms. */
  wake?: Partial<Record<WakingObject, Readonly<Record<string, (parts: PartPlace) => unknown>>>>
  /** Called in the same turn as a write of records. */
  changed?(parts: PartPlace, log: readonly LogEntry[]): void
  /** Called when the release changes. */
  prepared?(parts: PartPlace): void
  /** Called when the app is connected with its objects, for work that has waited for that. */
  resume?(parts: PartPlace): void
  /** Called by the alarm of the outbox. Throws when the directory cannot be reached. */
  flush?(parts: PartPlace): Promise<void>
}

/**
 * What a capability adds to the project's objects and to the operator, declared in `runtime/<key>/part.ts`. Other releases call the
 * methods and read the head by name, and alarms are stored by name, so a name never changes.
 */
export interface Part<Methods = object, Head = object, Reads = object> extends PartHooks {
  /** Methods of the object, which every part of the worker may call; app code cannot reach them. */
  methods?: Made<PartPlace, Methods>
  /** Methods of the operator, which only the admin worker may call. It returns an `ApiError` as a value. */
  reads?: Made<OperatorPlace, Reads>
  /** What a move takes along of a partition, by its key in the head. */
  moves?: [keyof Head] extends [never]
    ? Readonly<Record<string, never>>
    : { [Key in keyof Head]-?: (parts: PartPlace) => Moved<Head[Key]> | null }
}

/** A part of any types, as the object and the operator use it. */
export interface SomePart extends PartHooks {
  methods?: Named<PartPlace>
  reads?: Named<OperatorPlace>
  moves?: Readonly<Record<string, (parts: PartPlace) => Moved<unknown> | null>>
}

export type ReadsOf<P> =
  P extends Part<infer _Methods, infer _Head, infer Reads>
    ? {
        [Name in keyof Reads]: Reads[Name] extends (...asked: infer Asked) => Promise<infer T>
          ? (...asked: Asked) => Promise<Result<T>>
          : never
      }
    : never

/** Adds the methods to a class, because only methods of the prototype can be called from another worker. */
export function addMethods<Place, Instance extends object>(
  prototype: Instance,
  methods: Named<Place> | undefined,
  placeOf: (instance: Instance) => Place,
  run: (call: () => unknown) => unknown = (call) => call(),
): void {
  for (const [name, method] of Object.entries(methods ?? {}))
    Reflect.set(prototype, name, function (this: Instance, ...asked: never[]): unknown {
      return run(() => method(placeOf(this))(...asked))
    })
}
