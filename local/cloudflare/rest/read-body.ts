import type { Context } from 'hono'
import * as z from 'zod'
import type { ApiEnv } from './context.ts'
import { ApiFailure } from './failure.ts'

/**
 * Parses and validates a JSON body. Ignores the content type, because the provider's clients send some bodies as
 * text/plain.
 */
export async function readBody<T>(c: Context<ApiEnv>, schema: z.ZodType<T>): Promise<T> {
  let value: unknown
  try {
    value = JSON.parse(await c.req.text())
  } catch {
    throw new ApiFailure(400, 10001, 'The body is not JSON.')
  }
  return parseAs(schema, value)
}

export const isForm = ({ headers }: Request): boolean =>
  /^multipart\/form-data(?:;|$)/i.test(headers.get('content-type') ?? '')

/** Reads a body of the type `multipart/form-data`. Rejects with an `ApiFailure` when it cannot be read. */
export function readForm(request: Request): Promise<FormData> {
  return request.formData().catch(() => {
    throw new ApiFailure(400, 10001, 'The multipart body cannot be read.')
  })
}

export function readQuery<T>(c: Context<ApiEnv>, schema: z.ZodType<T>): T {
  return parseAs(schema, c.req.query())
}

/** Returns the value as the schema parses it. Throws an `ApiFailure` when the value does not match the schema. */
export function parseAs<T>(schema: z.ZodType<T>, value: unknown): T {
  const read = schema.safeParse(value)
  if (!read.success) throw new ApiFailure(400, 10001, z.prettifyError(read.error))
  return read.data
}
