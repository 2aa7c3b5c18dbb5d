import * as z from 'zod'
import type { NamedProject } from '../../resource-names.ts'
import {
  adminWorker,
  capability,
  liveBinding,
  sharedObject,
} from '../../capability-declaration/capability.ts'

const TASKS_MAX = 50

export const AiSettings = z.object({
  model: z
    .string()
    .regex(
      /^(@[a-z0-9-]+\/)?[a-z0-9-]+\/[\w.:-]{1,150}$/i,
      'must be like "@cf/meta/llama-3.1-8b-instruct" or "openai/gpt-5-mini"',
    )
    .nullable()
    .default(null)
    .meta({
      title: 'Model',
      examples: ['@cf/meta/llama-3.1-8b-instruct'],
      description:
        'A model of Workers AI, like @cf/meta/llama-3.1-8b-instruct, or, with a key, of another provider, like openai/gpt-5-mini. Empty: a model that the account has.',
    }),
  monthlyRuns: z
    .int()
    .min(1)
    .max(1_000_000)
    .default(1000)
    .meta({
      title: 'Runs a month',
      examples: [500],
      description: 'Further requests of the app are refused until the first of the next month (UTC).',
    }),
  maxTokens: z
    .int()
    .min(16)
    .max(8192)
    .default(1024)
    .meta({
      title: 'Tokens of an answer at most',
      examples: [256],
      description: 'A longer answer is cut.',
    }),
})

const Task = z.strictObject({
  task: z.string().regex(/^[a-z][A-Za-z0-9-]{0,59}$/, 'must be the name of a task like "summarize"'),
  system: z.string().min(1).max(20_000),
  access: z.enum(['nobody', 'public', 'members', 'staff']).optional(),
  schema: z
    .record(z.string(), z.json())
    .refine((schema) => schema['type'] === 'object', 'must describe an object: "type": "object"')
    .optional(),
})

export type DeclaredTask = z.output<typeof Task>

export const gatewayName = ({ slug }: NamedProject): string => `${slug}-ai`

export const ai = capability({
  key: 'ai',
  title: 'AI',
  about: 'The app asks a model: answers, summaries, classification.',
  cost: 'By use. Each answer is paid by its length and its model; the runs a month are limited',
  erasure: { notNeeded: 'Only runs are counted, and vectors are stored beside the records.' },
  scopes: ['ai.write', 'aig.write'],
  settings: AiSettings,
  resources: (project) => [
    { kind: 'ai_gateway', name: gatewayName(project) },
    sharedObject(project),
    adminWorker(project),
  ],
  bindings: (project, tier) => [liveBinding(project, tier)],
  liveBindings: [{ type: 'ai', name: 'AI' }],
  variables: ({ monthlyRuns, maxTokens }) => ({
    AI_MONTHLY_RUNS: String(monthlyRuns),
    AI_MAX_TOKENS: String(maxTokens),
  }),
  secrets: ({ model }) => ({
    providerKey: {
      schema: z.string().min(1).max(500),
      title: 'Key of a model provider',
      description: 'Only for models that the account does not run itself.',
      binding: 'AI_PROVIDER_KEY',
      isOptional: true,
      triedAt: { model },
    },
  }),
  byHand:
    'Models are reached by the binding `AI` of the worker with `-live`. Its variables `AI_MODEL`, `AI_GATEWAY` (the id of an AI ' +
    'gateway of your account), `AI_MONTHLY_RUNS` and `AI_MAX_TOKENS` are optional; a model of another provider needs a gateway and the secret `AI_PROVIDER_KEY`.',
  manifest: {
    ai: z
      .array(Task)
      .max(TASKS_MAX)
      .refine((tasks) => new Set(tasks.map(({ task }) => task)).size === tasks.length, 'names a task twice')
      .optional(),
  },
})
