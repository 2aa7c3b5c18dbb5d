import type { Page } from 'playwright-core'

/** What a model must be capable of. `free-form`: the task is more than the scaffold, which is a fixed program, can build. */
export type Requirement = 'free-form'

/** A sequence of tickets in one project. Each has checks that the app must pass afterwards. */
export interface Task {
  /** The name of the task. It is also the name of its file, and the value for `--only`. */
  name: string
  about: string
  requires?: readonly Requirement[]
  /** Capabilities to switch on before the first ticket, because they need a secret, which no build can set. */
  setup?: readonly { key: string; settings: Record<string, unknown>; secrets: Record<string, string> }[]
  /** Sentences by which a judge scores the app, in addition to the checks. */
  rubric?: readonly string[]
  tickets: readonly TicketStep[]
}

export interface TicketStep {
  title: string
  body?: string
  type?: 'feature' | 'task' | 'bug' | 'chore'
  /** How the build must end; `built` by default. */
  outcome?: 'built' | 'replied'
  /**
   * Answers to the build's questions. A key is a part of the text of a question. A question without a match
   * gets its default.
   */
  answers?: Record<string, string>
  /** The steps of the scripted model for this ticket. These steps allow testing the evaluation itself without a real model. */
  script?: readonly ScriptedTurn[]
  checks: readonly Check[]
}

/** One step of the scripted model (local/model/script.ts). */
export interface ScriptedTurn {
  toolCalls: { name: string; args: object }[]
}

/** One check of the app. The check is repeated after every later ticket of the task. */
export interface Check {
  name: string
  /** Throws when the check fails. `page` shows the app's first page. */
  run(page: Page): Promise<void>
  /** The number of the first ticket for which the check no longer applies. Tickets are counted from 1. */
  until?: number
}
