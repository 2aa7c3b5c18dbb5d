import type { Logger } from 'pino'

const EXCEPTIONS_MAX = 20
const WINDOW_MS = 60_000

/**
 * Keeps the process running after an exception that no caller can catch, such as an exception in a library's socket handler. One broken
 * connection must not end all requests and builds. After more than twenty such exceptions within a minute the process itself is considered
 * broken and exits with code 1. `npm start` or the operator's supervisor then restarts it, and every build and job continues from the
 * stored state.
 */
export function handleUncaughtExceptions(log: Logger): void {
  let recent: number[] = []
  const logAndContinue = (error: unknown, origin: string) => {
    const now = performance.now()
    recent = [...recent.filter((at) => now - at < WINDOW_MS), now]
    log.error({ err: error, origin }, 'an exception reached no handler')
    if (recent.length <= EXCEPTIONS_MAX) return
    log.fatal(`more than ${EXCEPTIONS_MAX} such exceptions within a minute: the service ends`)
    process.exit(1)
  }
  process.on('uncaughtException', logAndContinue)
  process.on('unhandledRejection', (reason) => logAndContinue(reason, 'unhandledRejection'))
}
