import { Hono } from 'hono'
import type { ApiEnv } from './context.ts'
import { answer } from './envelope.ts'

/** Products this cloud has none of: their lists are empty. wrangler asks for them when it deletes a worker. */
export function emptyLists(): Hono<ApiEnv> {
  return new Hono<ApiEnv>().get('/containers/applications', (c) => answer(c, []))
}
