/** A commit message: its first line, and the rest of what it says, without trailers. */
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
  // The body repeats a subject of several sentences: drop that. A truncated subject leaves the whole body.
  const isRepeated = body === subject || (body.startsWith(subject) && /^\s/.test(body.slice(subject.length)))
  return { subject, body: isRepeated ? body.slice(subject.length).trim() : body }
}

const isForPrograms = (line: string) => line.trim() === '' || TRAILER.test(line)
