/** What a commit says: its first line, and the rest for people. */
export interface VersionMessage {
  subject: string
  body: string
}

const TRAILER = /^Slipway-[A-Za-z]+: \S/

/** Reads a commit message; the lines at its end that are for programs are left out. */
export function readMessage(message: string): VersionMessage {
  const [subject = '', ...rest] = message.trim().split('\n')
  const lines = rest
  while (lines.length > 0 && isForPrograms(lines.at(-1) ?? '')) lines.pop()
  const body = lines.join('\n').trim()
  // The summary stands whole in the body when it did not fit the first line.
  const [whole = '', ...others] = body.split('\n')
  const start = subject.endsWith('…') ? subject.slice(0, -1) : subject
  const isRepeated = subject !== '' && whole.startsWith(start)
  return isRepeated ? { subject: whole, body: others.join('\n').trim() } : { subject, body }
}

const isForPrograms = (line: string) => line.trim() === '' || TRAILER.test(line)
