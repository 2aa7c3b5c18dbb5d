import * as z from 'zod'
import { enabledCapabilities } from '../switch/enabled.ts'
import type { Db } from '../../db/database.ts'
import { invalid } from '../../http/errors.ts'

/** Who may see an asset in the deployed app. */
export const AssetAccess = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('public') }),
    z.object({ kind: z.literal('members') }),
    z.object({ kind: z.literal('product'), productId: z.string().regex(/^[\w-]{1,100}$/, 'is not an id') }),
  ])
  .meta({ id: 'AssetAccess' })
export type AssetAccess = z.output<typeof AssetAccess>

/** Who an asset would be for: without sign-in there are no members, without a shop nobody buys. */
const NEEDS = { public: null, members: 'auth', product: 'pay' } as const

/** Refuses an access that nobody could have in this project, naming the capability it needs. */
export async function requirePossible(db: Db, projectId: string, access: AssetAccess): Promise<void> {
  const needed = NEEDS[access.kind]
  if (needed === null || (await enabledCapabilities(db, projectId)).has(needed)) return
  throw invalid('access', `"${access.kind}" needs the capability ${needed}, which is off in this project`)
}
