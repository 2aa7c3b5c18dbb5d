import type { Result } from '../kernel/errors.ts'
import type { MessageDump } from '../kernel/objects/messages.ts'
import type { HookObjectCalls } from './types.ts'
import type { JobInfo, JobOutcome } from '../kernel/objects/jobs.ts'
import type { HookEvent } from './types.ts'

export interface Methods {
  hook<Kind extends keyof HookObjectCalls>(
    kind: Kind,
    ask: HookObjectCalls[Kind]['ask'],
  ): Promise<Result<HookObjectCalls[Kind]['answer']> | null>
}

export interface Head {
  hooks?: MessageDump | null
}

declare module '../kernel/objects/runs.ts' {
  interface HandlersBinding {
    hook(job: string, event: HookEvent, info: JobInfo): Promise<JobOutcome>
  }
}
