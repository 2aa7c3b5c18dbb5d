/** An edit that was made: the new text and the lines it covers now (counted from 1). */
export interface Edited {
  ok: true
  text: string
  fromLine: number
  toLine: number
  replaced: number
}

export interface EditRefusal {
  ok: false
  code: 'no_match' | 'many_matches' | 'invalid_arguments'
  message: string
}

export interface EditRequest {
  old: string
  new: string
  all?: boolean | undefined
}

interface Span {
  start: number
  end: number
  replacement: string
}

/**
 * Replaces `old` by `new`. Three levels, each of which must match exactly once: the exact text, whole lines without
 * their trailing blanks, whole lines without their common indentation. There is no similarity matching: it can
 * replace the wrong block without anybody noticing.
 */
export function applyEdit(text: string, request: EditRequest): Edited | EditRefusal {
  if (request.old === '')
    return refuse('invalid_arguments', 'old must not be empty; use write_file for a new file')
  if (request.old === request.new) return refuse('invalid_arguments', 'old and new are the same')
  const replacement = toUnixLines(request.new)
  const exact = findExact(text, request.old, replacement)
  if (request.all === true) {
    if (exact.length === 0) return refuse('no_match', 'old does not occur in the file exactly as given')
    return splice(text, exact)
  }
  for (const spans of [
    exact,
    findLines(text, request.old, replacement),
    findIndented(text, request.old, replacement),
  ]) {
    if (spans.length === 1) return splice(text, spans)
    if (spans.length > 1) {
      const lines = spans.map((span) => lineAt(text, span.start)).join(', ')
      return refuse(
        'many_matches',
        `old occurs ${spans.length} times, at lines ${lines}; add lines around it`,
      )
    }
  }
  return refuse('no_match', 'old does not occur in the file')
}

/** Text as files are stored: LF line ends and, unless empty, a final newline. */
export function storedText(text: string): string {
  const unix = toUnixLines(text).toWellFormed()
  return unix === '' || unix.endsWith('\n') ? unix : `${unix}\n`
}

const refuse = (code: EditRefusal['code'], message: string): EditRefusal => ({ ok: false, code, message })

const toUnixLines = (text: string) => text.replace(/\r\n?/g, '\n')

function findExact(text: string, old: string, replacement: string): Span[] {
  const spans: Span[] = []
  for (let at = text.indexOf(old); at !== -1; at = text.indexOf(old, at + old.length)) {
    spans.push({ start: at, end: at + old.length, replacement })
  }
  return spans
}

function findLines(text: string, old: string, replacement: string): Span[] {
  const wanted = linesOf(old).map((line) => line.trimEnd())
  return windows(text, wanted.length)
    .filter((window) => window.lines.every((line, i) => line.trimEnd() === wanted[i]))
    .map((window) => ({
      start: window.start,
      end: window.end,
      replacement: withoutFinalNewline(replacement, old),
    }))
}

function findIndented(text: string, old: string, replacement: string): Span[] {
  const oldIndent = commonIndent(linesOf(old))
  const wanted = dedent(linesOf(old), oldIndent)
  return windows(text, wanted.length)
    .map((window) => ({ window, indent: commonIndent(window.lines) }))
    .filter(({ window, indent }) => dedent(window.lines, indent).every((line, i) => line === wanted[i]))
    .map(({ window, indent }) => ({
      start: window.start,
      end: window.end,
      replacement: withoutFinalNewline(reindent(replacement, oldIndent, indent), old),
    }))
}

/** The lines of a block; a final newline does not make one more. */
function linesOf(block: string): string[] {
  return toUnixLines(block).replace(/\n$/, '').split('\n')
}

/** A window ends before its line break, so a final newline that `old` had must not be doubled. */
function withoutFinalNewline(replacement: string, old: string): string {
  return /[\r\n]$/.test(old) ? replacement.replace(/\n$/, '') : replacement
}

/** Every run of `count` whole lines, as offsets without the last line break. */
function windows(text: string, count: number): { start: number; end: number; lines: string[] }[] {
  const lines = text.split('\n')
  const starts: number[] = []
  let at = 0
  for (const line of lines) {
    starts.push(at)
    at += line.length + 1
  }
  const found: { start: number; end: number; lines: string[] }[] = []
  for (let i = 0; i + count <= lines.length; i++) {
    const last = i + count - 1
    found.push({
      start: starts[i] ?? 0,
      end: (starts[last] ?? 0) + (lines[last] ?? '').length,
      lines: lines.slice(i, i + count),
    })
  }
  return found
}

function commonIndent(lines: string[]): string {
  const indents = lines.filter((line) => line.trim() !== '').map((line) => /^[ \t]*/.exec(line)?.[0] ?? '')
  const [first, ...others] = indents
  if (first === undefined) return ''
  return others.reduce((common, indent) => {
    let length = 0
    while (length < common.length && common[length] === indent[length]) length++
    return common.slice(0, length)
  }, first)
}

const dedent = (lines: string[], indent: string) =>
  lines.map((line) => (line.trim() === '' ? '' : line.slice(indent.length).trimEnd()))

/** Shifts a block from one indentation to another; lines that were less indented than the block keep up with it. */
function reindent(block: string, from: string, to: string): string {
  return block
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return ''
      return line.startsWith(from) ? to + line.slice(from.length) : to + line.trimStart()
    })
    .join('\n')
}

function splice(text: string, spans: Span[]): Edited {
  let result = ''
  let at = 0
  for (const span of spans) {
    result += text.slice(at, span.start) + span.replacement
    at = span.end
  }
  const lastEnd = result.length
  result += text.slice(at)
  const first = spans[0]?.start ?? 0
  return {
    ok: true,
    text: result,
    fromLine: lineAt(result, first),
    toLine: lineAt(result, lastEnd),
    replaced: spans.length,
  }
}

function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
  return line
}
