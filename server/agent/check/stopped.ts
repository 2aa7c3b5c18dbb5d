let stopped = false

/** Remembers that something in this process had to be given up: it is then replaced after its answer. */
export function markStopped(): void {
  stopped = true
}

export function wasStopped(): boolean {
  return stopped
}
