import { requireLive } from '../kernel/env.ts'
import { valueIn } from '../kernel/errors.ts'
import { manifest } from '../manifest.gen.ts'
import type { TeamBinding, TeamCalls } from './types.ts'

/** Calls the live worker. Throws the `ApiError` that the objects return. */
export async function callTeam<Kind extends keyof TeamCalls>(
  kind: Kind,
  ask: Omit<TeamCalls[Kind]['ask'], 'roles'>,
): Promise<TeamCalls[Kind]['answer']> {
  const live: unknown = requireLive('team')
  const roles = manifest.roles ?? []
  return valueIn(
    await (live as TeamBinding).team(kind, {
      ...ask,
      roles,
    } as unknown as TeamCalls[Kind]['ask']),
  )
}
