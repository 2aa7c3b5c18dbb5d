import * as z from 'zod'

export const DeclaredName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be the name of a file in server/jobs/')

export const Retries = z.int().min(0).max(20).optional()
