import type { Context } from 'hono'
import { findScript } from '../store/scripts.ts'
import type { Script } from '../types.ts'
import type { ApiEnv, Cloud } from './context.ts'
import { noSuchScript } from './failure.ts'

/** Returns the worker that the path names. */
export function findScriptOrRefuse(cloud: Cloud, c: Context<ApiEnv>, refusal = noSuchScript): Script {
  const script = findScript(cloud.store, c.get('account').id, c.req.param('script') ?? '')
  if (script === null || (c.req.method === 'GET' && isHidden(cloud, script))) throw refusal()
  return script
}

/** A name such as `late-3s` hides a new worker for three seconds, as when the provider reads from a stale replica. */
function isHidden(cloud: Cloud, script: Script): boolean {
  return cloud.now() < script.createdAt + (cloud.faults?.visibilityDelayMs(script.name) ?? 0)
}
