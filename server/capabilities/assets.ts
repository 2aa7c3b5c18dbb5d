import * as z from 'zod'
import { planned } from './capability.ts'

const Access = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('public') }),
  z.object({ kind: z.literal('members') }),
  z.object({ kind: z.literal('product'), productId: z.string().min(1).max(100) }),
])

/** Files the operator puts into the app. */
export const assets = planned({
  key: 'assets',
  title: 'Assets',
  cost: 'R2 storage and operations',
  settings: z.object({
    defaultAccess: Access.default({ kind: 'public' }).meta({
      title: 'Who may see a new asset',
      description: 'Everyone, signed-in people, or those who bought a product.',
    }),
    cacheSeconds: z.int().min(0).max(31_536_000).default(3600).meta({
      title: 'Seconds a browser keeps it',
      description: 'For assets that everyone may see; others are never kept.',
    }),
  }),
  dependsOn: ({ defaultAccess: { kind } }) =>
    kind === 'public' ? [] : kind === 'members' ? ['auth'] : ['auth', 'pay'],
})
