import { type CheckError, errorAt } from '../../check-report.ts'

/** Patterns whose matches are always credentials. No pattern can match an ordinary word. */
const KNOWN_FORMS: readonly (readonly [name: string, form: RegExp])[] = [
  ['payment key', /(?<![\w-])(?:sk|rk)_live_[A-Za-z0-9]{16,}/g],
  ['model key', /(?<![\w-])sk-[A-Za-z0-9_-]{20,200}/g],
  ['GitHub token', /(?<![\w-])(?:gh[opsur]_[A-Za-z0-9]{30,}|github_pat_[A-Za-z0-9_]{22,})/g],
  ['AWS key', /(?<![\w-])AKIA[0-9A-Z]{16}(?![0-9A-Za-z])/g],
  ['Slack token', /(?<![\w-])xox[abeoprs]-[A-Za-z0-9-]{10,}/g],
  ['Slipway key', /(?<![\w-])svk_[A-Za-z0-9_-]{16,}/g],
  ['webhook secret', /(?<![\w-])whsec_[A-Za-z0-9+/=_-]{16,}/g],
  ['Google key', /(?<![\w-])AIza[0-9A-Za-z_-]{35}/g],
  ['private key', /-----BEGIN (?:[A-Z]+ )*PRIVATE KEY(?: BLOCK)?-----/g],
  ['signed token', /(?<![\w-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}/g],
]

// Every repetition is bounded or starts at a word boundary, because untrusted text must not make the match slow.
const NAMED_VALUE = /(?<![\w$-])([A-Za-z_$][\w$-]{0,80})["']?\s{0,20}[:=]\s{0,20}(["'`])([^"'`\s]{32,512})\2/g
const SECRET_NAME = /key|secret|token|passw(?:or)?d/i
const ENTROPY_BITS_MAX = 4.2
/** A CSS class such as `sk-folding-cube-animation-2` looks like a model key, but a key has more digits. */
const KEY_DIGITS_MIN = 4
const FINDINGS_PER_FILE_MAX = 20

/** Finds credentials in the files that the build agent wrote. Locked files come from the service and are not scanned. */
export function findCredentials(
  tree: ReadonlyMap<string, string>,
  isLocked: (path: string) => boolean,
): CheckError[] {
  const errors: CheckError[] = []
  for (const [file, text] of tree) {
    if (isLocked(file) && file !== 'README.md') continue
    for (const { at, code, message } of findSecrets(text)) {
      // The excerpt is empty, because reports are stored and shown, and neighboring lines may contain the rest of a key.
      errors.push({ phase: 'secrets', file, ...lineAndColumn(text, at), code, message, excerpt: '' })
    }
    if (file.startsWith('web/')) errors.push(...findServerLeaks(tree, file, text))
  }
  return errors
}

/** Finds credentials of a known format in a text such as the finished web bundle. The messages mask the credentials. */
export function findKnownSecrets(text: string): { at: number; code: string; message: string }[] {
  return KNOWN_FORMS.flatMap(([name, form]) =>
    text
      .matchAll(form)
      .filter(([match]) => name !== 'model key' || match.replace(/\D/g, '').length >= KEY_DIGITS_MIN)
      .take(FINDINGS_PER_FILE_MAX)
      .map((match) => ({
        at: match.index,
        code: 'secret',
        message: `This looks like a ${name} (${maskSecret(match[0])}). Secrets never belong in source: they are set in the capability's settings.`,
      }))
      .toArray(),
  )
}

/** Finds credentials by their format, or by the name of the variable they are assigned to. The messages mask the credentials. */
export function findSecrets(text: string) {
  const known = findKnownSecrets(text)
  const lines = new Set(known.map(({ at }) => lineAndColumn(text, at).line))
  const named = text
    .matchAll(NAMED_VALUE)
    .filter(([, name = '', , value = '']) => SECRET_NAME.test(name) && looksRandom(value))
    .take(FINDINGS_PER_FILE_MAX)
    .map((match) => ({
      at: match.index,
      code: 'secret',
      message: `"${match[1]}" is given a random-looking value (${maskSecret(match[3] ?? '')}). Secrets never belong in source.`,
    }))
    .filter(({ at }) => !lines.has(lineAndColumn(text, at).line))
  return [...known, ...named]
}

function findServerLeaks(tree: ReadonlyMap<string, string>, file: string, text: string): CheckError[] {
  const errors: CheckError[] = []
  const code = blankComments(text)
  for (const match of code.matchAll(/\bprocess\s{0,20}\.\s{0,20}env\b/g).take(FINDINGS_PER_FILE_MAX)) {
    const message = 'process.env does not exist in the browser, and a value put here would be public.'
    errors.push(
      errorAt(tree, {
        phase: 'secrets',
        file,
        ...lineAndColumn(text, match.index),
        code: 'env_in_web',
        message,
      }),
    )
  }
  for (const match of code.matchAll(/\b(?:from|import)\s{0,20}\(?\s{0,20}(['"])([^'"\n]{1,200})\1/g)) {
    if (!resolvesToServer(file, match[2] ?? '')) continue
    const message =
      'web/ may not import server/: it would be published to every visitor. Move shared code to shared/.'
    errors.push(
      errorAt(tree, {
        phase: 'secrets',
        file,
        ...lineAndColumn(text, match.index),
        code: 'server_in_web',
        message,
      }),
    )
  }
  return errors
}

function resolvesToServer(file: string, specifier: string): boolean {
  if (!specifier.startsWith('.')) return /^\/?server\//.test(specifier)
  return new URL(specifier, `file:///${file}`).pathname.startsWith('/server/')
}

/**
 * A comment, or a one-line string, which may look like a comment ('image/*', 'https://x'). The length of a string is limited, because
 * untrusted text must not make the match slow.
 */
const STRING_OR_COMMENT = /(["'`])(?:\\.|(?!\1)[^\\\n]){0,200}\1|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g

/** Replaces comments by blanks of the same length, so that positions stay correct. */
const blankComments = (text: string): string =>
  text.replace(STRING_OR_COMMENT, (match) => (match.startsWith('/') ? match.replace(/[^\n]/g, ' ') : match))

function looksRandom(value: string): boolean {
  if (value.includes('${') || value.includes('://')) return false
  return entropyBits(value) > ENTROPY_BITS_MAX && !isAlphabet(value)
}

/** A sequence such as `ABC...xyz0123456789` has the entropy of a key but is not a secret. */
function isAlphabet(value: string): boolean {
  let steps = 0
  for (let i = 1; i < value.length; i++) if (value.charCodeAt(i) === value.charCodeAt(i - 1) + 1) steps++
  return steps > value.length / 2
}

function entropyBits(text: string): number {
  const counts = new Map<string, number>()
  for (const letter of text) counts.set(letter, (counts.get(letter) ?? 0) + 1)
  let bits = 0
  for (const count of counts.values()) bits -= (count / text.length) * Math.log2(count / text.length)
  return bits
}

function maskSecret(secret: string): string {
  return `${secret.slice(0, 4)}… ${secret.length} characters`
}

function lineAndColumn(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at)
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') }
}
