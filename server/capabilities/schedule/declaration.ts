import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName, Retries } from '../manifest-fields.ts'

const isTimezone = (name: string) => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

/** Work at fixed times, and timers of single people. */
export const schedule = capability({
  key: 'schedule',
  title: 'Schedules',
  cost: 'Durable Object requests and duration',
  settings: z.object({
    timezone: z.string().refine(isTimezone, 'must be a time zone like Europe/Berlin').default('UTC').meta({
      title: 'Time zone',
      description: 'Of schedules that name none.',
    }),
    isPaused: z.boolean().default(false).meta({
      title: 'Paused',
      description: 'Nothing runs until it is switched back.',
    }),
    maxAttempts: z.int().min(1).max(10).default(5).meta({
      title: 'Attempts',
      description: 'Of a run that fails, where the schedule does not say.',
    }),
    runInPreview: z.boolean().default(false).meta({
      title: 'Also in the preview',
      description: 'Off: in the preview nothing runs by itself.',
    }),
  }),
  manifest: {
    schedules: z
      .array(
        z.strictObject({
          name: DeclaredName,
          every: z.string().optional(),
          cron: z.string().optional(),
          timezone: z.string().optional(),
          handler: DeclaredName,
          retries: Retries,
        }),
      )
      .max(50)
      .optional(),
  },
})
