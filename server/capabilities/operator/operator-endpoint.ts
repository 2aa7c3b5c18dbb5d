import type { CapabilityKey } from '@slipway/runtime/capabilities.ts'
import { endpoint } from '../../endpoint.ts'
import type {
  BytesEndpoint,
  DeclaredEndpoint,
  EndpointAccess,
  JsonEndpoint,
  Route,
} from '../../http/endpoint.ts'
import type { Ports } from '../../platform.ts'
import { APP_READ_ERRORS, requireServing, type ServingProject } from './serving.ts'

type ProjectRoute = Route & `${string} /projects/:projectId/${string}`
type CallerAccess = Exclude<EndpointAccess, 'public'>

/** A declaration without `needs`, whose handler also gets the project. */
type WithServingProject<Spec extends { handle: (input: never) => unknown }> = Omit<
  Spec,
  'needs' | 'handle'
> & {
  handle: (input: Parameters<Spec['handle']>[0] & { project: ServingProject }) => ReturnType<Spec['handle']>
}

type AnyOperatorEndpoint = WithServingProject<
  JsonEndpoint<Ports, 'accounts', 'GET /projects/:projectId', CallerAccess, unknown, unknown, unknown>
>

/**
 * Declares an endpoint that reads or changes the live app through its admin worker. The handler gets the project, for which the
 * capability `key` is enabled and deployed (`requireServing`). `fails` lists only the error codes besides `APP_READ_ERRORS`.
 */
export function operatorEndpoint<const R extends ProjectRoute, Out, Q = unknown, B = unknown>(
  key: CapabilityKey,
  spec: WithServingProject<JsonEndpoint<Ports, 'accounts', R, CallerAccess, Q, B, Out>>,
): DeclaredEndpoint
export function operatorEndpoint<const R extends ProjectRoute, Q = unknown, B = unknown>(
  key: CapabilityKey,
  spec: WithServingProject<BytesEndpoint<Ports, 'accounts', R, CallerAccess, Q, B>>,
): DeclaredEndpoint
export function operatorEndpoint(key: CapabilityKey, spec: object): DeclaredEndpoint {
  const { handle, fails = [], ...declared } = spec as AnyOperatorEndpoint
  return endpoint({
    ...declared,
    needs: ['accounts'],
    fails: [...APP_READ_ERRORS, ...fails],
    handle: async (input) =>
      handle({ ...input, project: await requireServing(input.ctx, input.params.projectId, key) }),
  })
}
