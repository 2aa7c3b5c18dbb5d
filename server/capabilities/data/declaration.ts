import * as z from 'zod'
import {
  capability,
  liveBinding,
  adminWorker,
  sharedObject,
} from '../../capability-declaration/capability.ts'

export const data = capability({
  key: 'data',
  title: 'Data and live updates',
  about: 'The app keeps records, searches them, and shows changes to everyone at once.',
  cost: 'By use. Each read, change and open page is a request, and records take storage; a small app stays within what a paid Workers plan includes',
  erasure: 'in part.ts',
  settings: z.object({
    logDays: z
      .int()
      .min(1)
      .max(30)
      .default(7)
      .meta({
        title: 'Offline catch-up, days',
        examples: [3],
        description: 'How long a page that was offline can catch up instead of loading everything again.',
      }),
    maxRecordKb: z.int().min(1).max(128).default(128).meta({
      title: 'Largest record, kB',
      description: 'A bigger record is refused.',
    }),
  }),
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  // Almost every app keeps records.
  isGuideAlwaysShown: true,
  variables: ({ logDays, maxRecordKb }) => ({
    DATA_LOG_DAYS: String(logDays),
    DATA_MAX_RECORD_KB: String(maxRecordKb),
  }),
  // `manifest` does not declare `collections`, because they belong to the base schema of `app.json`, which every app has.
  impliedBy: ['collections'],
})
