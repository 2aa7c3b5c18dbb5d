type LogFields = Record<string, unknown>
export interface Log {
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
}

/** Writes one JSON line per event to stderr. The service adds the lines to its own log. */
export const worldLog: Log = {
  info: (message, fields) => writeLine('info', message, fields),
  warn: (message, fields) => writeLine('warn', message, fields),
}

export const silentLog: Log = { info: () => {}, warn: () => {} }

function writeLine(level: string, message: string, fields: LogFields = {}): void {
  process.stderr.write(`${JSON.stringify({ level, message, ...fields })}\n`)
}
