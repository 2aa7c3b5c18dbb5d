import type { Page } from 'playwright-core'

/** What a model must be capable of: `free-form` is beyond the scaffold, which is a fixed program. */
export type Requirement = 'free-form'

/** A sequence of tickets in one project, each with what must be true of the app afterwards. */
export interface Task {
  /** Also the file name and the value of `--only`. */
  name: string
  about: string
  requires?: readonly Requirement[]
  /** Capabilities that need a secret, which only an operator gives. Switched on before the first ticket. */
  setup?: readonly { key: string; settings: Record<string, unknown>; secrets: Record<string, string> }[]
  /** What a judge looks for besides the checks, a sentence each. */
  rubric?: readonly string[]
  tickets: readonly TicketStep[]
}

export interface TicketStep {
  title: string
  body?: string
  type?: 'feature' | 'task' | 'bug' | 'chore'
  /** How the build must end. Default `built`. */
  outcome?: 'built' | 'replied'
  /** Answers to questions whose text contains the key; every other question takes its default. */
  answers?: Record<string, string>
  /** The scripted model's turns for this ticket, to test the harness without a model. */
  script?: readonly ScriptedTurn[]
  checks: readonly Check[]
}

/** One turn of the scripted model (local/model/script.ts). */
export interface ScriptedTurn {
  toolCalls: { name: string; args: object }[]
}

/** One check of the app. It is repeated after every later ticket of the task. */
export interface Check {
  name: string
  /** Throws when the check fails. `page` has just opened the app's first page. */
  run(page: Page): Promise<void>
  /** The check ends with this later ticket (1 is the first). */
  until?: number
}
