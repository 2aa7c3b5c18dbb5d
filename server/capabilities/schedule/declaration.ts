import { EVERY_FORMS, isPattern, patternOf } from '@slipway/runtime/schedule/repeat.ts'
import * as z from 'zod'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'
import { DeclaredName, Retries } from '../../capability-declaration/manifest-fields.ts'

const isTimezone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

export const schedule = capability({
  key: 'schedule',
  title: 'Schedules',
  about: 'The app does things at set times.',
  cost: 'Little. A request each time a job runs, and the time it works',
  erasure: 'in part.ts',
  settings: z.object({
    timezone: z
      .string()
      .refine(isTimezone, 'must be a time zone like Europe/Berlin')
      .default('UTC')
      .meta({
        title: 'Time zone',
        examples: ['Europe/Berlin'],
        description: 'For schedules without a time zone.',
      }),
    isPaused: z.boolean().default(false).meta({
      title: 'Paused',
      description: 'Nothing runs until it is switched back.',
    }),
    maxAttempts: z.int().min(1).max(10).default(5).meta({
      title: 'Attempts',
      description: 'For a failed run of a schedule that sets no number.',
    }),
    runInPreview: z.boolean().default(false).meta({
      title: 'Also in the preview',
      description: 'Off: in the preview nothing runs by itself.',
    }),
  }),
  resources: (project) => [sharedObject(project), adminWorker(project)],
  bindings: (project, tier) => [liveBinding(project, tier)],
  // An app that is deployed by hand has neither the service nor an admin worker to register the schedules. With this variable the first
  // request to the live worker registers them.
  variablesByHand: { APP_STANDALONE: 'on' },
  callsApp: ({ runInPreview }, tier) => tier === 'production' || runInPreview,
  variables: ({ timezone, isPaused, maxAttempts, runInPreview }) => ({
    SCHEDULE_TIMEZONE: timezone,
    SCHEDULE_PAUSED: isPaused ? 'on' : 'off',
    SCHEDULE_ATTEMPTS: String(maxAttempts),
    SCHEDULE_IN_PREVIEW: runInPreview ? 'on' : 'off',
  }),
  manifest: {
    schedules: z
      .array(
        z
          .strictObject({
            name: DeclaredName,
            every: z
              .string()
              .refine((every) => patternOf(every) !== null, `must be like ${EVERY_FORMS}`)
              .optional(),
            cron: z.string().refine(isPattern, 'must be a cron pattern of five parts').optional(),
            timezone: z.string().refine(isTimezone, 'must be a time zone like Europe/Berlin').optional(),
            handler: DeclaredName,
            retries: Retries,
          })
          .refine(
            ({ every, cron }) => (every === undefined) !== (cron === undefined),
            'needs "every" or "cron"',
          ),
      )
      .max(50)
      .refine((all) => new Set(all.map(({ name }) => name)).size === all.length, 'names a schedule twice')
      .optional(),
  },
})
