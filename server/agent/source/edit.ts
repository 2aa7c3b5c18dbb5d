export interface AppliedEdit {
  ok: true
  text: string
  fromLine: number
  toLine: number
  /** The line at which each replacement begins, counted from 1. */
  places: number[]
}

export interface EditRefusal {
  ok: false
  code: 'no_match' | 'many_matches' | 'invalid_arguments' | 'too_large'
  message: string
}

export interface EditRequest {
  old: string
  new: string
  all?: boolean | undefined
}

interface TextSpan {
  start: number
  end: number
  replacement: string
}

/** The maximum number of lines of `old`. To replace more lines, the model should write the whole file. */
const REPLACED_LINES_MAX = 1_000
const PLACES_SHOWN = 10

/**
 * Replaces `old` by `new`; the result may have at most `bytesMax` bytes. Tries three comparisons until one of them matches: the exact
 * text, whole lines without trailing blanks, whole lines without common indentation. Refuses several matches. With `all`, replaces
 * every exact match instead. Similar text never matches, because the wrong block could be replaced unnoticed. Takes linear time.
 */
export function applyEdit(
  text: string,
  request: EditRequest,
  bytesMax = Infinity,
): AppliedEdit | EditRefusal {
  if (request.old === '')
    return editRefusal('invalid_arguments', 'old must not be empty; use write_file for a new file')
  if (request.old === request.new) return editRefusal('invalid_arguments', 'old and new are the same')
  const wanted = linesOf(request.old)
  if (wanted.length > REPLACED_LINES_MAX) {
    const message = `old has ${wanted.length} lines and may have ${REPLACED_LINES_MAX}; edit a smaller part, or use write_file`
    return editRefusal('invalid_arguments', message)
  }
  const replacement = toUnixLines(request.new)
  const exact = findExact(text, request.old, replacement)
  if (request.all === true) {
    if (exact.length === 0) return editRefusal('no_match', 'old does not occur in the file exactly as given')
    return replaceSpans(text, exact, bytesMax)
  }
  for (const find of [
    () => exact,
    () => findLines(text, wanted, withoutFinalNewline(replacement, request.old)),
    () => findIndented(text, wanted, withoutFinalNewline(replacement, request.old)),
  ]) {
    const spans = find()
    if (spans.length === 1) return replaceSpans(text, spans, bytesMax)
    if (spans.length > 1) {
      const places = describeLineNumbers(text, spans)
      return editRefusal('many_matches', `old occurs ${spans.length} times, ${places}; add lines around it`)
    }
  }
  return editRefusal('no_match', 'old does not occur in the file')
}

/** Returns text as files are stored: LF line ends and, unless empty, a final newline. */
export function storedText(text: string): string {
  const unix = toUnixLines(text).toWellFormed()
  return unix === '' || unix.endsWith('\n') ? unix : `${unix}\n`
}

const editRefusal = (code: EditRefusal['code'], message: string): EditRefusal => ({
  ok: false,
  code,
  message,
})

const toUnixLines = (text: string) => text.replace(/\r\n?/g, '\n')

function findExact(text: string, old: string, replacement: string): TextSpan[] {
  const spans: TextSpan[] = []
  for (const start of occurrences(text, old)) {
    // Skip a match that overlaps the previous match.
    if (start < (spans.at(-1)?.end ?? 0)) continue
    spans.push({ start, end: start + old.length, replacement })
  }
  return spans
}

function findLines(text: string, wanted: string[], replacement: string): TextSpan[] {
  const lines = lineStarts(text)
  const found = occurrences(
    lines.map((line) => line.text.trimEnd()),
    wanted.map((line) => line.trimEnd()),
  )
  return found.map((first) => spanOf(lines, first, wanted.length, replacement))
}

/**
 * Finds blocks that equal `wanted` at another indentation. A line is compared by its text and by the change of indentation from
 * the previous line, which does not depend on the indentation of the whole block. Only the first line has no previous line to
 * compare with.
 */
function findIndented(text: string, wanted: string[], replacement: string): TextSpan[] {
  const lines = lineStarts(text)
  const oldIndent = commonIndent(wanted)
  const block = relateLines(wanted.map((line) => line.slice(isBlank(line) ? line.length : oldIndent.length)))
  const head = block.findIndex((line) => line.body !== '')
  const first = block[head]
  if (first === undefined) return []
  const file = relateLines(lines.map((line) => line.text))
  const tail = block.slice(head + 1).map((line) => line.key)
  const starts = tail.length === 0 ? file.map((_, i) => i) : occurrences(keysOf(file), tail)
  return starts.flatMap((start) => {
    const at = tail.length === 0 ? start : start - 1
    const line = file[at]
    const isHead =
      line?.body === first.body && line.indent.endsWith(first.indent) && line.blanksBefore >= head
    if (!isHead) return []
    const indent = line.indent.slice(0, line.indent.length - first.indent.length)
    return [spanOf(lines, at - head, wanted.length, reindent(replacement, oldIndent, indent))]
  })
}

interface RelatedLine {
  indent: string
  /** The text without indentation and trailing blanks; empty for a blank line. */
  body: string
  /** The text, and its change of indentation from the last line that is not blank. */
  key: string
  blanksBefore: number
}

function relateLines(lines: string[]): RelatedLine[] {
  let last = ''
  let blanksBefore = 0
  return lines.map((line) => {
    if (isBlank(line)) return { indent: '', body: '', key: '', blanksBefore: blanksBefore++ }
    const indent = indentOf(line)
    const body = line.slice(indent.length).trimEnd()
    const common = commonStart(last, indent)
    const key = JSON.stringify([last.slice(common), indent.slice(common), body])
    const related = { indent, body, key, blanksBefore }
    last = indent
    blanksBefore = 0
    return related
  })
}

const keysOf = (lines: RelatedLine[]) => lines.map((line) => line.key)

/**
 * Returns where `needle` begins in `haystack`, overlaps included. Knuth-Morris-Pratt compares each item at most twice on average,
 * even in repetitive input.
 */
function occurrences(haystack: ArrayLike<string>, needle: ArrayLike<string>): number[] {
  const fallback = [0]
  const advance = (matched: number, item: string | undefined) => {
    let length = matched
    while (length > 0 && needle[length] !== item) length = fallback[length - 1] ?? 0
    return needle[length] === item ? length + 1 : length
  }
  for (let i = 1; i < needle.length; i++) fallback.push(advance(fallback[i - 1] ?? 0, needle[i]))
  const found: number[] = []
  for (let i = 0, matched = 0; i < haystack.length; i++) {
    matched = advance(matched, haystack[i])
    if (matched < needle.length) continue
    found.push(i + 1 - matched)
    matched = fallback[matched - 1] ?? 0
  }
  return found
}

interface LineStart {
  text: string
  start: number
}

function lineStarts(text: string): LineStart[] {
  let start = 0
  return text.split('\n').map((line) => {
    const placed = { text: line, start }
    start += line.length + 1
    return placed
  })
}

/** Returns the span of `count` whole lines, without the last line break. */
function spanOf(lines: LineStart[], first: number, count: number, replacement: string): TextSpan {
  const last = lines[first + count - 1]
  return { start: lines[first]?.start ?? 0, end: (last?.start ?? 0) + (last?.text.length ?? 0), replacement }
}

/** Returns the lines of a block. A final newline adds no empty line. */
function linesOf(block: string): string[] {
  return toUnixLines(block).replace(/\n$/, '').split('\n')
}

/**
 * Removes the final newline of `replacement` when `old` has a final newline. A matched block ends before its line
 * break, which would otherwise be doubled.
 */
function withoutFinalNewline(replacement: string, old: string): string {
  return /[\r\n]$/.test(old) ? replacement.replace(/\n$/, '') : replacement
}

const isBlank = (line: string) => line.trim() === ''

const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ''

function commonIndent(lines: string[]): string {
  const [first, ...others] = lines.filter((line) => !isBlank(line)).map(indentOf)
  if (first === undefined) return ''
  return others.reduce((common, indent) => common.slice(0, commonStart(common, indent)), first)
}

function commonStart(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

/** Replaces the indentation `from` of each line by `to`. A line with less indentation than `from` gets exactly `to`. */
function reindent(block: string, from: string, to: string): string {
  return block
    .split('\n')
    .map((line) => {
      if (line.trim() === '') return ''
      return line.startsWith(from) ? to + line.slice(from.length) : to + line.trimStart()
    })
    .join('\n')
}

/**
 * Computes the size of the result first, because an edit with tens of thousands of matches could create a text that is
 * too large for memory.
 */
function replaceSpans(text: string, spans: TextSpan[], bytesMax: number): AppliedEdit | EditRefusal {
  const [only] = spans
  const sizes = { replaced: text.slice(only?.start, only?.end), by: only?.replacement ?? '' }
  const growth = Buffer.byteLength(sizes.by) - Buffer.byteLength(sizes.replaced)
  const bytes = Buffer.byteLength(text) + spans.length * growth
  if (bytes > bytesMax)
    return editRefusal('too_large', `the file would have ${bytes} bytes; the most is ${bytesMax}`)
  const pieces: string[] = []
  const starts: number[] = []
  let at = 0
  let length = 0
  for (const span of spans) {
    starts.push(length + span.start - at)
    pieces.push(text.slice(at, span.start), span.replacement)
    length += span.start - at + span.replacement.length
    at = span.end
  }
  const result = pieces.join('') + text.slice(at)
  const places = linesAt(result, [...starts, length])
  const [fromLine = 1, toLine = 1] = [places[0], places.pop()]
  return { ok: true, text: result, fromLine, toLine, places }
}

function describeLineNumbers(text: string, spans: TextSpan[]): string {
  const lines = linesAt(
    text,
    spans.slice(0, PLACES_SHOWN).map((span) => span.start),
  )
  const more = spans.length - lines.length
  return `at lines ${lines.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** Returns the line numbers of offsets in rising order, in one pass over the text. */
function linesAt(text: string, offsets: number[]): number[] {
  let line = 1
  let at = text.indexOf('\n')
  return offsets.map((offset) => {
    for (; at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
    return line
  })
}
