/** What loading again needs of its surroundings. */
interface LoadWorld {
  /** Resolves once the service can be reached. */
  whenBack: () => Promise<void>
  wait: (ms: number) => Promise<void>
}

const PAUSES_MS = [500, 1000, 2000, 5000, 15_000, 60_000]

/**
 * Loads a part of the console, and again until it is there. A service that is stopping may still answer that it is
 * healthy, so an answer alone is no reason to give up; a console that is no longer served is asked for ever more rarely.
 */
export async function loadAgain<Part>(load: () => Promise<Part>, world: LoadWorld): Promise<Part> {
  for (let failed = 0; ; failed++) {
    try {
      return await load()
    } catch {
      await world.whenBack()
      await world.wait(PAUSES_MS[Math.min(failed, PAUSES_MS.length - 1)] ?? 0)
    }
  }
}
