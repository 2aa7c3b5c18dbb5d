import type { Page } from 'playwright-core'

/** What a model must be able to do for a task: `free-form` is beyond the scaffold, which is a fixed program. */
export type Requirement = 'free-form'

/** A sequence of tickets on one project, each with what must be true of the app afterwards. */
export interface Task {
  /** Also the name of its file and of `--only`. */
  name: string
  about: string
  requires?: readonly Requirement[]
  tickets: readonly TicketStep[]
}

export interface TicketStep {
  title: string
  body?: string
  type?: 'feature' | 'task' | 'bug' | 'chore'
  /** How the build must end. Default `built`. */
  outcome?: 'built' | 'replied'
  /** Answers to questions whose text holds the key; every other question takes its default. */
  answers?: Record<string, string>
  /** What the scripted model does with this ticket: proves the harness, not a model. */
  script?: readonly ScriptedTurn[]
  checks: readonly Check[]
}

/** One turn of the scripted model (local/model/script.ts). */
export interface ScriptedTurn {
  toolCalls: { name: string; args: object }[]
}

/** One promise about the app. It is kept again after every later ticket of the task. */
export interface Check {
  name: string
  /** Throws when the promise does not hold. `page` has just opened the app's first page. */
  run(page: Page): Promise<void>
  /** The promise holds until a later ticket takes it back, named by its place (1 is the first ticket). */
  until?: number
}
