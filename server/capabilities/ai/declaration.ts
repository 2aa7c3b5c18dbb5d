import * as z from 'zod'
import { capability } from '../capability.ts'
import { DeclaredName } from '../manifest-fields.ts'

/** A language model for the app itself, with a monthly budget. */
export const ai = capability({
  key: 'ai',
  title: 'AI',
  about: 'The app asks a model: answers, summaries, classification.',
  cost: 'Workers AI by use, through an AI gateway',
  settings: z.object({
    model: z.string().min(1).max(200).nullable().default(null).meta({
      title: 'Model',
      description: 'A model of the connected account. Empty: the first of our list that it has.',
    }),
    monthlyRuns: z.int().min(1).max(1_000_000).default(1000).meta({
      title: 'Runs a month',
      description: 'The app is refused past it, until the first of the next month (UTC).',
    }),
    maxTokens: z.int().min(16).max(8192).default(1024).meta({
      title: 'Tokens of an answer at most',
      description: 'A longer answer is cut.',
    }),
  }),
  secrets: () => ({
    providerKey: {
      schema: z.string().min(1).max(500),
      title: 'Key of a model provider',
      description: 'Only for models that the account does not run itself.',
      binding: 'AI_PROVIDER_KEY',
    },
  }),
  manifest: {
    ai: z
      .array(
        z.strictObject({
          task: DeclaredName,
          system: z.string().max(20_000),
          access: z.enum(['nobody', 'public', 'members', 'staff']).optional(),
          schema: z.record(z.string(), z.json()).optional(),
        }),
      )
      .optional(),
  },
})
