import * as z from 'zod'

export const AssetAccess = z
  .discriminatedUnion('kind', [
    z.object({ kind: z.literal('public') }).meta({ title: 'Everyone' }),
    z.object({ kind: z.literal('members') }).meta({ title: 'People who are signed in' }),
    z
      .object({
        kind: z.literal('product'),
        productId: z
          .string()
          .regex(/^[\w-]{1,100}$/, 'is not an id')
          .meta({ title: 'Product', description: 'The id of a product, from the list of products.' }),
      })
      .meta({ title: 'Those who bought a product' }),
  ])
  .meta({ id: 'AssetAccess' })
export type AssetAccess = z.output<typeof AssetAccess>
