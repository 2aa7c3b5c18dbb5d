import type { WorkerOptions } from 'miniflare'
import type { Store } from '../../world/store.ts'
import { ApiFailure } from '../rest/failure.ts'
import type { GroupPlan, PlannedWorker } from '../runtime/plan.ts'
import type { ResourceKind } from './storage/resources.ts'
import type { Binding, Namespace } from '../types.ts'

/** Miniflare's form of one binding. Imports only its types, because loading Miniflare takes half a second. */
export type RuntimeBinding = NonNullable<WorkerOptions['config']['env']>[string]

/** The context for checking an uploaded binding. */
export interface BindingContext {
  store: Store
  accountId: string
  scriptName: string
  /** Namespaces of the script after its migrations. */
  ownNamespaces: Namespace[]
  hasAssets: boolean
}

/** A script or resource that a binding uses. It has to be in the same instance as the worker. */
export type Reached = { script: string } | { kind: ResourceKind; by: { name: string } | { id: string } }

/** A kind of binding: everything the local cloud knows about it. */
export interface BindingKind {
  types: string[]
  /** Its value is never returned, and it is kept when an upload does not name it. */
  isSecret?: true
  /** Implemented by a class of the shims worker. */
  usesShims?: true
  /** Throws an `ApiFailure` when the binding cannot work. */
  check?(binding: Binding, context: BindingContext): void
  /** What the binding uses; absent when nothing. */
  joins?(binding: Binding): Reached[]
  /** Returns null when its target was deleted. As in the cloud, the worker then runs and uses of the binding fail. */
  env(binding: Binding, worker: PlannedWorker, plan: GroupPlan): RuntimeBinding | null
  /** The binding as the API returns it; absent when as uploaded. */
  shown?(binding: Binding): object
}

/** Returns the provider's error for an invalid upload. */
export function refuseUpload(message: string, code = 10021): ApiFailure {
  return new ApiFailure(400, code, message)
}

/** Returns a non-empty text field of a binding, or null. */
export function textField(binding: Binding, field: string): string | null {
  const value = binding[field]
  return typeof value === 'string' && value !== '' ? value : null
}
