/** A commit message: its first line, and the body without trailers. */
export interface VersionMessage {
  subject: string
  body: string
}

const TRAILER = /^Slipway-[A-Za-z]+: \S/

/** Parses a commit message; git trailers at its end are left out. */
export function readMessage(message: string): VersionMessage {
  const [subject = '', ...rest] = message.trim().split('\n')
  const lines = rest
  while (lines.length > 0 && isForPrograms(lines.at(-1) ?? '')) lines.pop()
  const body = lines.join('\n').trim()
  // A summary too long for the first line is in the body in full.
  const [whole = '', ...others] = body.split('\n')
  const start = subject.endsWith('…') ? subject.slice(0, -1) : subject
  const isRepeated = subject !== '' && whole.startsWith(start)
  return isRepeated ? { subject: whole, body: others.join('\n').trim() } : { subject, body }
}

const isForPrograms = (line: string) => line.trim() === '' || TRAILER.test(line)
