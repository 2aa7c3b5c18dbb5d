import * as z from 'zod'
import { capability, uploadWorker } from '../../capability-declaration/capability.ts'

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

export const assets = capability({
  key: 'assets',
  title: 'Assets',
  about: 'The app serves files you upload here.',
  cost: 'By use. The storage of files, and each time one is read',
  erasure: { notNeeded: 'Assets are files of the operator.' },
  settings: z.object({
    defaultAccess: AssetAccess.default({ kind: 'public' }).meta({
      title: 'Who may see a new asset',
      description: 'Everyone, signed-in people, or those who bought a product.',
    }),
    cacheSeconds: z
      .int()
      .min(0)
      .max(31_536_000)
      .default(3600)
      .meta({
        title: 'Seconds a browser keeps it',
        examples: [60],
        description: 'For assets that everyone may see; others are never kept.',
      }),
  }),
  dependsOn: ({ defaultAccess: { kind } }) =>
    kind === 'public' ? [] : kind === 'members' ? ['auth'] : ['auth', 'pay'],
  resources: (project) => [{ kind: 'bucket', name: uploadWorker(project).name }, uploadWorker(project)],
  bindings: (project) => [
    { type: 'service', name: 'ASSET_SERVER', service: uploadWorker(project).name, entrypoint: 'Serve' },
  ],
  uploadVariables: ({ cacheSeconds }) => ({ CACHE_SECONDS: String(cacheSeconds) }),
})
