interface LoadWorld {
  /** Resolves once the service can be reached. */
  whenBack: () => Promise<void>
  wait: (ms: number) => Promise<void>
}

const RETRY_PAUSES_MS = [500, 1000, 2000, 5000, 15_000, 60_000]

/**
 * Loads a module, and retries until that succeeds. A service that is shutting down may still report that it is healthy, so a health check
 * does not end the retries. The intervals grow, because in an outdated console the module may never load.
 */
export async function loadWithRetry<Part>(load: () => Promise<Part>, world: LoadWorld): Promise<Part> {
  for (let failed = 0; ; failed++) {
    try {
      return await load()
    } catch {
      await world.whenBack()
      await world.wait(RETRY_PAUSES_MS[Math.min(failed, RETRY_PAUSES_MS.length - 1)] ?? 0)
    }
  }
}
