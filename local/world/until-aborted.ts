/** Resolves when the signal is aborted, and at once when it was aborted before, because then no `abort` event follows. */
export async function untilAborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
