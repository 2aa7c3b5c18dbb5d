import * as z from 'zod'
import type { Room, Stripe } from '../context.ts'
import type { FormValue } from './form.ts'
import { parseParams, Text } from './params.ts'
import type { Resource } from './keys.ts'

/** Authenticated and parsed. */
export interface Call<P> {
  stripe: Stripe
  room: Room
  params: P
  /** The object that the address names; empty on lists. */
  id: string
  request: { id: string; idempotencyKey: string | null }
}

export interface Operation {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** A restricted key needs permission for this. */
  resource: Resource
  run(call: Call<{ [name: string]: FormValue }>): object
}

interface Declared<P extends z.ZodRawShape> {
  route: `${'GET' | 'POST' | 'DELETE'} /${string}`
  resource: Resource
  params?: P
  act(call: Call<z.output<z.ZodObject<P>>>): object
}

/** Parameters that the route does not name are refused, as at the provider. `expand` is always allowed. */
export function operation<P extends z.ZodRawShape>({ route, resource, params, act }: Declared<P>): Operation {
  const [method = '', path = ''] = route.split(' ')
  const schema = z.strictObject({ ...params, expand: z.array(Text).optional() })
  return {
    method: method as Operation['method'],
    path,
    resource,
    run: (call) => act({ ...call, params: parseParams(schema, call.params) as z.output<z.ZodObject<P>> }),
  }
}
