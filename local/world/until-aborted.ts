/** Resolves when the signal is aborted. Resolves immediately for an aborted signal, which emits no further `abort` event. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
