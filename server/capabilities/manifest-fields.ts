import * as z from 'zod'

/** The name of something an app declares in `app.json`, like a job or a meter. */
export const DeclaredName = z
  .string()
  .regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be the name of a file in server/jobs/')

/** How often a failed run is repeated. */
export const Retries = z.int().min(0).max(20).optional()
