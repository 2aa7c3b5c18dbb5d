/** A commit message without trailers: its first line and the rest. */
export interface VersionMessage {
  subject: string
  body: string
}

const TRAILER_PATTERN = /^Slipway-[A-Za-z]+: \S/

/** Parses a commit message. Leaves out the git trailers at its end. */
export function readMessage(message: string): VersionMessage {
  const [subject = '', ...rest] = message.trim().split('\n')
  const lines = rest
  while (lines.length > 0 && isForPrograms(lines.at(-1) ?? '')) lines.pop()
  const body = lines.join('\n').trim()
  // The body of a commit may repeat the subject as its first sentence: leave the repetition out. A subject that was truncated in the middle
  // of a word or sentence does not match, and the body stays whole.
  const isRepeated = body === subject || (body.startsWith(subject) && /^\s/.test(body.slice(subject.length)))
  return { subject, body: isRepeated ? body.slice(subject.length).trim() : body }
}

const isForPrograms = (line: string) => line.trim() === '' || TRAILER_PATTERN.test(line)
