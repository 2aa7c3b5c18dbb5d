/** Texts that cost far more to read than to write. Each is made the same way every time. */

/** Numbers from 0 to 1 that look random and are the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Rules in rules: whoever prints them indents each one further than the last, which is a square of their number. */
export const nestedCss = (levels: number) => 'a{'.repeat(levels) + '}'.repeat(levels)

/** A parser that tries both readings of `(b)` twice per level, once as arrow function and once not. */
export const exponentialTypeScript = (levels: number) =>
  `export const x = ${'a ? (b) : c => '.repeat(levels)}d\n`

/** Brackets in brackets, which a parser that calls itself cannot leave again. */
export const nested = (open: string, levels: number, close: string, inside = '') =>
  open.repeat(levels) + inside + close.repeat(levels)

/** Alternatives in a row: each group doubles the paths that a pattern stands for. */
export const braceGlob = (groups: number) =>
  Array.from({ length: groups }, (_, i) => `{${String.fromCharCode(97 + (i % 26))},b1}`).join('')

/** Types of ten thousand names each, of which a compiler keeps every one. */
export function typeBomb(bytes: number): string {
  const head = `type D = ${Array.from({ length: 10 }, (_, digit) => `'${digit}'`).join(' | ')}\n`
  const line = (n: number) => `export const a${n}: \`${n}x\${D}\${D}\${D}\${D}\` = '${n}x0000'\n`
  const lines = Array.from({ length: Math.floor(bytes / line(100).length) }, (_, n) => line(n))
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

/** A text of such characters as nobody means: NUL, halves, marks that turn the line around. */
export const noise = (random: () => number, length: number) =>
  Array.from({ length }, () => ALPHABET[Math.floor(random() * ALPHABET.length)] ?? '').join('')
