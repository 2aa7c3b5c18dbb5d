import * as z from 'zod'
import { type AppTier, FLOW_CLASS, type NamedProject, workflowName } from '../../resource-names.ts'
import { capability, liveBinding, sharedObject } from '../../capability-declaration/capability.ts'
import { DeclaredName } from '../../capability-declaration/manifest-fields.ts'

const FlowDeclaration = z.strictObject({ name: DeclaredName, handler: DeclaredName })

export type DeclaredFlow = z.output<typeof FlowDeclaration>

export const FlowSettings = z.object({
  retentionDays: z
    .int()
    .min(1)
    .max(30)
    .default(7)
    .meta({
      title: 'Days a finished flow is kept',
      description: 'A free account keeps 3 at most.',
      examples: [3],
    }),
  concurrency: z.int().min(1).max(1000).nullable().default(null).meta({
    title: 'Flows at the same time',
    description: 'Empty: as many as the account allows.',
  }),
  maxSteps: z
    .int()
    .min(1)
    .max(1024)
    .default(256)
    .meta({ title: 'Steps of a flow at most', description: 'One more ends it.', examples: [100] }),
})

export const flow = capability({
  key: 'flow',
  title: 'Durable flows',
  about: 'Work of many steps that continues after any interruption.',
  cost: 'By use. Each step of a flow, the time it works, and what flows store while they run',
  erasure: { notNeeded: 'What a flow carries is not looked into, as with jobs.' },
  settings: FlowSettings,
  resources: (project: NamedProject) => [
    ...(['production', 'preview'] as const).map((tier) => ({
      kind: 'workflow' as const,
      name: workflowName(project, tier),
    })),
    // The live worker, which contains the project's Durable Objects, runs the workflows while the app has no
    // deployed worker.
    sharedObject(project),
  ],
  bindings: (project: NamedProject, tier: AppTier) => [
    liveBinding(project, tier),
    {
      type: 'workflow',
      name: 'FLOW',
      workflow_name: workflowName(project, tier),
      class_name: FLOW_CLASS,
    },
  ],
  manifest: {
    flows: FlowDeclaration.array()
      .max(50)
      .refine((flows) => new Set(flows.map(({ name }) => name)).size === flows.length, 'names a flow twice')
      .optional(),
  },
})
