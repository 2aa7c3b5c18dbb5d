import * as z from 'zod'
import { AssetAccess } from './access.ts'
import { capability, uploadWorker } from '../capability.ts'

export const assets = capability({
  key: 'assets',
  title: 'Assets',
  about: 'The app serves files you upload here.',
  cost: 'By use. The storage of files, and each time one is read',
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
