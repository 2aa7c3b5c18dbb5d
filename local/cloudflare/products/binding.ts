import type { WorkerOptions } from 'miniflare'
import type { Store } from '../../world/store.ts'
import { ApiFailure } from '../rest/failure.ts'
import type { GroupPlan, PlannedWorker } from '../runtime/plan.ts'
import type { ResourceKind } from './storage/resources.ts'
import type { Binding, Namespace } from '../types.ts'

/** Miniflare's form of one binding. Only its types are used here: loading it costs half a second. */
export type RuntimeBinding = NonNullable<WorkerOptions['config']['env']>[string]

/** What an uploaded binding is checked against. */
export interface BindingContext {
  store: Store
  accountId: string
  scriptName: string
  /** Namespaces of the script itself, once its migrations are applied. */
  ownNamespaces: Namespace[]
  hasAssets: boolean
}

/** What a binding reaches outside its worker: both have to be in one instance. */
export type Reached = { script: string } | { kind: ResourceKind; by: { name: string } | { id: string } }

/** One kind of binding: everything this cloud knows of it. */
export interface BindingKind {
  types: string[]
  /** Never answered, and kept when an upload does not name it. */
  isSecret?: true
  /** Served by a class of the shims worker. */
  usesShims?: true
  /** Throws when it cannot work. */
  check?(binding: Binding, context: BindingContext): void
  /** Absent: it reaches nothing. */
  joins?(binding: Binding): Reached[]
  /** Null: its target was deleted meanwhile. As in the cloud the worker runs, and the use of the binding fails. */
  env(binding: Binding, worker: PlannedWorker, plan: GroupPlan): RuntimeBinding | null
  /** As it is answered; absent: as it was uploaded. */
  shown?(binding: Binding): object
}

/** The provider's refusal of an upload. */
export function refuseUpload(message: string, code = 10021): ApiFailure {
  return new ApiFailure(400, code, message)
}

/** A text field of a binding, or null. */
export function textField(binding: Binding, field: string): string | null {
  const value = binding[field]
  return typeof value === 'string' && value !== '' ? value : null
}
