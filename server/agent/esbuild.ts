/** How often `end` was called, because esbuild's process had died. */
let stoppedProcesses = 0

/**
 * Runs `work`, which calls esbuild. When esbuild's process has died, for example for lack of memory, calls `end` and runs `work`
 * again. `end` must stop esbuild, which would otherwise keep using the dead process.
 */
export async function withNewProcessOnDeath<T>(work: () => Promise<T>, end: () => Promise<void>): Promise<T> {
  const before = stoppedProcesses
  try {
    return await work()
  } catch (error) {
    if (!hasDied(error)) throw error
    // Concurrent calls fail together. Only the first failed call may end the process.
    if (stoppedProcesses === before) {
      stoppedProcesses++
      await end()
    }
    return await work()
  }
}

const hasDied = (error: unknown): boolean =>
  error instanceof Error && /^The service (?:was stopped|is no longer running)/.test(error.message)
