/** What a kind of child process can do: each kind of job with what it is given and what it returns. */
export type Jobs = Record<string, { given: unknown; returns: unknown }>

export type Given<J extends Jobs, K extends keyof J> = J[K]['given']
export type Returned<J extends Jobs, K extends keyof J> = J[K]['returns']

/** To the child; values cross by structured clone, so trees stay Maps and bundles stay bytes. */
export interface JobMessage {
  id: number
  kind: string
  given: unknown
}

/** From the child; id 0 says that it has loaded and can begin. */
export type AnswerMessage = {
  id: number
  /** The child ran something that had to be stopped and is not to be used again. */
  retire: boolean
} & ({ ok: true; value: unknown } | { ok: false; message: string })
