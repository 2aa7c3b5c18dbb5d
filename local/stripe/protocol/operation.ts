import * as z from 'zod'
import type { StripeAccount, Stripe } from '../context.ts'
import type { FormValue } from './form.ts'
import { parseParams, Text } from './params.ts'
import type { KeyResource } from './keys.ts'

/** An authenticated call with parsed parameters. */
export interface StripeCall<P> {
  stripe: Stripe
  account: StripeAccount
  params: P
  /** The id of the object in the path; empty for lists. */
  id: string
  request: { id: string; idempotencyKey: string | null }
}

/** The part of a call that payment functions require. Renewals and hosted pages pass only this part, because they make no API call. */
export type AccountScope = Pick<StripeCall<unknown>, 'stripe' | 'account' | 'request'>

export interface Operation {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  /** The resource that a restricted key needs permission for. */
  resource: KeyResource
  run(call: StripeCall<{ [name: string]: FormValue }>): object
}

interface DeclaredOperation<P extends z.ZodRawShape> {
  route: `${'GET' | 'POST' | 'DELETE'} /${string}`
  resource: KeyResource
  params?: P
  act(call: StripeCall<z.output<z.ZodObject<P>>>): object
}

/** Declares an operation. As at the provider, parameters that are not declared are refused; `expand` is always allowed. */
export function operation<P extends z.ZodRawShape>({
  route,
  resource,
  params,
  act,
}: DeclaredOperation<P>): Operation {
  const [method = '', path = ''] = route.split(' ')
  const schema = z.strictObject({ ...params, expand: z.array(Text).optional() })
  return {
    method: method as Operation['method'],
    path,
    resource,
    run: (call) => act({ ...call, params: parseParams(schema, call.params) as z.output<z.ZodObject<P>> }),
  }
}
