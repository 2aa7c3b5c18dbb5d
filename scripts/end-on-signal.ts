import { stopStartedDatabases } from '../server/db/embedded.ts'

/**
 * Makes SIGINT and SIGTERM end this process with 130 and 143, after the databases that it has started are stopped. Calls `onSignal` first.
 * Returns a function that leaves further signals to others.
 */
export function endOnSignal(onSignal: () => void = () => {}): () => void {
  const end = (code: number) => () => {
    onSignal()
    void stopStartedDatabases().finally(() => process.exit(code))
  }
  const [onInterrupt, onTerminate] = [end(130), end(143)]
  process.once('SIGINT', onInterrupt).once('SIGTERM', onTerminate)
  return () => void process.off('SIGINT', onInterrupt).off('SIGTERM', onTerminate)
}
