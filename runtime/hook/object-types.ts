import type { Result } from '../kernel/errors.ts'
import type { MessageDump } from '../kernel/messages.ts'
import type { HookObjectCalls } from './types.ts'

export interface Methods {
  hook<Kind extends keyof HookObjectCalls>(
    kind: Kind,
    ask: HookObjectCalls[Kind]['ask'],
  ): Promise<Result<HookObjectCalls[Kind]['answer']> | null>
}

export interface Head {
  hooks?: MessageDump | null
}
