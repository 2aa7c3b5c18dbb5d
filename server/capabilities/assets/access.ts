import * as z from 'zod'

/** Who may see an asset in the deployed app. */
export const AssetAccess = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('public') }),
    z.object({ kind: z.literal('members') }),
    z.object({ kind: z.literal('product'), productId: z.string().regex(/^[\w-]{1,100}$/, 'is not an id') }),
  ])
  .meta({ id: 'AssetAccess' })
export type AssetAccess = z.output<typeof AssetAccess>
