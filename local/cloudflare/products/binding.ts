import type { Store } from '../../world/store.ts'
import { ApiFailure } from '../rest/failure.ts'
import type { RuntimeBinding } from '../workerd/native-binding.ts'
import type { GroupPlan, PlannedWorker } from '../workerd/plan.ts'
import type { ResourceKind } from '../store/resources.ts'
import type { Binding, Namespace } from '../types.ts'

/** What the check of a binding in an upload may look at. */
export interface BindingContext {
  store: Store
  accountId: string
  scriptName: string
  /** The Durable Object namespaces of the script after its migrations. */
  ownNamespaces: Namespace[]
  hasAssets: boolean
}

/** Another script or a resource that a binding uses. It must be in the same process as the worker that has the binding. */
export type BindingTarget = { script: string } | { kind: ResourceKind; by: { name: string } | { id: string } }

/** What the local cloud knows about one kind of binding. */
export interface BindingKind {
  types: string[]
  /**
   * The API never returns the value of such a binding, and an upload that does not list the binding keeps it.
   */
  isSecret?: true
  /**
   * True when the binding is simulated by a class of the worker `_shims` (`runtime/shims`), which the local
   * cloud adds.
   */
  usesShims?: true
  /** Throws an `ApiFailure` when the binding cannot work. */
  check?(binding: Binding, context: BindingContext): void
  /** Returns the scripts and resources that the binding uses. */
  joins?(binding: Binding): BindingTarget[]
  /**
   * Returns the binding for the runtime; null when the binding's target was deleted. As in the cloud, the worker then still runs, and uses
   * of the binding fail.
   */
  env(binding: Binding, worker: PlannedWorker, plan: GroupPlan): RuntimeBinding | null
  /** Returns the binding as the API shows it; absent when the API shows the binding as uploaded. */
  shown?(binding: Binding): object
}

/** Returns the provider's error for an invalid upload. */
export function refuseUpload(message: string, code = 10021): ApiFailure {
  return new ApiFailure(400, code, message)
}

/** Returns a field of a binding; null when it is missing, empty or not a text. */
export function textField(binding: Binding, field: string): string | null {
  const value = binding[field]
  return typeof value === 'string' && value !== '' ? value : null
}
