/** Texts that take far longer to process than to generate. All of them are reproducible. */

/** Returns a random number generator (0 to 1) with a seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Nested CSS rules. A printer indents each rule deeper than the enclosing rule, so the output grows quadratically. */
export const nestedCss = (levels: number) => 'a{'.repeat(levels) + '}'.repeat(levels)

/** A parser takes exponential time when it tries `(b)` on each level as an arrow function and as an expression. */
export const exponentialTypeScript = (levels: number) =>
  `export const x = ${'a ? (b) : c => '.repeat(levels)}d\n`

/** Nested brackets, which overflow a recursive parser's stack. */
export const nested = (open: string, levels: number, close: string, inside = '') =>
  open.repeat(levels) + inside + close.repeat(levels)

/** A glob whose number of expanded patterns doubles with each group of alternatives. */
export const braceGlob = (groups: number) =>
  Array.from({ length: groups }, (_, i) => `{${String.fromCharCode(97 + (i % 26))},b1}`).join('')

/** Union types of ten thousand members each, all of which a compiler keeps in memory. */
export function typeBomb(bytes: number): string {
  const head = `type D = ${Array.from({ length: 10 }, (_, digit) => `'${digit}'`).join(' | ')}\n`
  const lineOf = (n: number) => `export const a${n}: \`${n}x\${D}\${D}\${D}\${D}\` = '${n}x0000'\n`
  const lines = Array.from({ length: Math.floor(bytes / lineOf(100).length) }, (_, n) => lineOf(n))
  return head + lines.join('')
}

const ALPHABET = [
  ...Array.from('abcxyz019 _-./\\\'"`{}[]()<>;:,*?!\n\t'),
  '\u{0}',
  '\u{200b}',
  '\u{202e}',
  '\u{feff}',
  '\u{ff0f}',
  '\u{d800}',
  '\u{dfff}',
  '\u{1f600}',
  'é',
]

/** Random text with NUL, lone surrogates and bidirectional control characters. */
export const noise = (random: () => number, length: number) =>
  Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? '').join('')
