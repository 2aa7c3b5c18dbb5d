import { type CheckError, errorAt } from '../report.ts'

/** Workers in production refuse PBKDF2 above this; the local runtime does not, so only a rule can tell. */
const ROUNDS_MAX = 100_000

const NUMBER = String.raw`(\d[\d_]*(?:\.\d+)?(?:[eE]\d+)?)`
const LITERAL = new RegExp(String.raw`\biterations\s*:\s*${NUMBER}\b`, 'g')
const NAMED = /\biterations\s*:\s*([A-Za-z_$][\w$]*)|\biterations\b(?=\s*[,}])/g

/** Finds PBKDF2 calls with more rounds than production accepts, given as a number or as a named constant. */
export function findSlowHashes(tree: ReadonlyMap<string, string>): CheckError[] {
  const errors: CheckError[] = []
  for (const [file, text] of tree) {
    if (!/^(?:web|server|shared|tests)\/.*\.tsx?$/.test(file) || !/PBKDF2/i.test(text)) continue
    const report = (at: number, rounds: number) => {
      if (!(rounds > ROUNDS_MAX)) return
      const before = text.slice(0, at).split('\n')
      const message = `PBKDF2 with ${rounds} rounds is refused in production; the limit is ${ROUNDS_MAX}.`
      const place = { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
      errors.push(errorAt(tree, { phase: 'lint', file, ...place, code: 'slipway(pbkdf2-rounds)', message }))
    }
    for (const match of text.matchAll(LITERAL)) report(match.index, toNumber(match[1]))
    for (const match of text.matchAll(NAMED)) {
      report(match.index, constantOf(tree, text, match[1] ?? 'iterations'))
    }
  }
  return errors
}

/** A constant's value, looked for in the same file first: it may be imported from shared/. */
function constantOf(tree: ReadonlyMap<string, string>, text: string, name: string): number {
  const definition = new RegExp(
    String.raw`\b(?:const|let|var)\s+${name.replaceAll('$', '\\$')}\b[^=\n]*=\s*${NUMBER}\b`,
  )
  const own = definition.exec(text)
  if (own) return toNumber(own[1])
  for (const [file, other] of tree) {
    if (!/^(?:server|shared)\//.test(file)) continue
    const found = definition.exec(other)
    if (found) return toNumber(found[1])
  }
  return Number.NaN
}

function toNumber(literal: string | undefined): number {
  return Number((literal ?? '').replaceAll('_', ''))
}
