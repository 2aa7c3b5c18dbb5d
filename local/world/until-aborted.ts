/** Resolves when the signal is aborted; at once when it is already, because then no event follows. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
