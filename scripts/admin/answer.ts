/** The output of a command: `lines` for people, `data` for programs. */
export interface Answer {
  lines: string[]
  data: unknown
}

export type Given = { args: string[]; options: Record<string, string | boolean | undefined> }

/** A wrong command line; the message says what is missing. */
export class UsageError extends Error {}
