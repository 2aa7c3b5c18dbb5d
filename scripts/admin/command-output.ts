/** The output of a command: `lines` for people, `data` for programs (`--json`). */
export interface CommandOutput {
  lines: string[]
  data: unknown
}

export type CommandLine = { args: string[]; options: Record<string, string | boolean | undefined> }

/** Thrown for a wrong command line. The message says what is missing. */
export class UsageError extends Error {}
