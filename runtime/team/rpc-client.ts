import { requireLive } from '../kernel/worker/env.ts'
import { unwrapResult } from '../kernel/errors.ts'
import { manifest } from '../manifest.gen.ts'
import type { TeamCalls } from './types.ts'

/** Calls the live worker, which has the app's Durable Objects, by RPC. Throws a returned `ApiError`. */
export async function callTeam<Kind extends keyof TeamCalls>(
  kind: Kind,
  ask: TeamCalls[Kind]['ask'],
): Promise<TeamCalls[Kind]['answer']> {
  return unwrapResult(await requireLive('team').team(kind, { ...ask, roles: manifest.roles ?? [] }))
}
