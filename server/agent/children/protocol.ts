/** The jobs of a kind of child process, each with its input and its result. */
export type ChildJobs = Record<string, { given: unknown; returns: unknown }>

export type JobInput<J extends ChildJobs, K extends keyof J> = J[K]['given']
export type JobOutput<J extends ChildJobs, K extends keyof J> = J[K]['returns']

/** Values are sent to the other process by structured clone, so trees stay Maps and bundles stay bytes. */
export interface JobMessage {
  id: number
  kind: string
  given: unknown
}

/** The child sends the message with id 0 once, when it has loaded its code and can run jobs. */
export type ResultMessage = {
  id: number
  /** Some work was abandoned and may still run, so the child must not be used again. */
  retire: boolean
} & ({ ok: true; value: unknown } | { ok: false; message: string })
