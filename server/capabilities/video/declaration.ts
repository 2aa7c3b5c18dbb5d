import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

export const video = capability({
  key: 'video',
  title: 'Video',
  about: 'The app takes videos and plays them.',
  cost: 'By use. Each minute that is stored or watched; the minutes a month are limited',
  erasure: 'in part.ts',
  scopes: ['stream.write'],
  settings: z.object({
    monthly: z
      .int()
      .min(1)
      .max(100_000)
      .default(100)
      .meta({
        title: 'Minutes a month',
        description: 'For new videos. Further uploads are refused until the first of the next month (UTC).',
        examples: [200],
      }),
    maxSeconds: z.int().min(1).max(21_600).default(600).meta({
      title: 'Longest video in seconds',
      description: 'A longer one is refused.',
    }),
    signed: z.boolean().default(true).meta({
      title: 'Only with a link of the app',
      description: 'Off: anyone who knows the address of a video may watch it.',
    }),
  }),
  dependsOn: () => ['auth'],
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  // The local emulator of Cloudflare serves videos from its own host, which the Content-Security-Policy of the app must allow.
  // The hosts of Cloudflare itself are always allowed.
  localBindings: (apiOrigin) => [{ type: 'plain_text', name: 'VIDEO_HOSTS', text: apiOrigin }],
  liveBindings: [{ type: 'stream', name: 'STREAM' }],
  variables: (settings, projectId) => ({ VIDEO: JSON.stringify({ ...settings, project: projectId }) }),
  byHand:
    'Videos are kept by Stream of your account, through the binding `STREAM` of the live worker. Its variable `VIDEO` sets the limits, ' +
    'like `{"monthly":100,"maxSeconds":600,"signed":true}`.',
})
