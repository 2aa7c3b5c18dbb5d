import { truncate } from '../lib/subject.ts'

const NAME_CHARS_MAX = 40
const WORDS_MAX = 5

/** The end of a word. Does not match after "to" in "to-do" or after "so" in "Soße", where `\b` matches. */
const WORD_END = String.raw`(?![-'’]?[\p{L}\p{M}\p{N}])`

/**
 * Openings such as "hi" or "please build" are removed until none is left, because people use several openings before they name the subject.
 */
const OPENING_PHRASES = [
  /^(hi|hello|hey|ok|okay|so|well|please|pls)\b[,!. ]*/i,
  /^(i|we)('d| would)? (want|need|like|wish|love|am looking for|are looking for)( to have| to| for)?\b/i,
  /^(can|could|would|will) (you|u)( please)?\b/i,
  /^(build|make|create|write|design|develop|generate|give|get|do|add|set up|start)( me| us)?\b/i,
  /^(keep track of|keep|track|log|record|manage|organi[sz]e|plan|list|collect|store|save|note|handle|show)\b/i,
  /^(a|an|the|my|our|some|all|all the|of)\b/i,
  /^(simple|small|little|nice|new|quick|basic|easy)\b/i,
  /^(web ?)?(app|application|website|web ?page|page|site|tool|program|software|system)( (for|to|that|which|where|with|of|about))?\b/i,
  /^(for|to(?! do lists?\b)|that|which|where)\b/i,
  /^(each (person|one|user|member)|every ?(person|one|body|user|member)|people|users|members) (can |may )?(only )?(sees?|has|have|gets?|keeps?) (only )?(their|his|her) own\b/i,
  /^only (members|staff|admins|signed[ -]in people|people who are signed in) (can|may) (add|enter|write|post|edit|change|see|read)( (and|or) (edit|change|delete|remove))?\b/i,
].map(({ source }) => new RegExp(`${source}${WORD_END}`, 'iu'))

/** Matches where the subject ends and its details begin. */
const NAME_END = new RegExp(
  String.raw`[;!?()\n–—]|\.(?![\p{L}\p{N}])|[:,](?!(?<=\d.)\d)| - | (so that|so|because|and|with|that|which|who|where|when|including|containing|having)\b${WORD_END}`,
  'iu',
)

/**
 * Returns a name for a project that is described by a sentence: `Track the plants in my office: name, room` gives
 * `Plants in my office`. Returns null when the sentence names no subject.
 */
export function nameFromSentence(sentence: string): string | null {
  const thing = withoutOpenings(sentence.replaceAll(/\s+/g, ' ').trim())
  const words = (thing.split(NAME_END, 1)[0] ?? '').trim().split(' ').slice(0, WORDS_MAX)
  while (words.length > 1 && /^(a|an|the|my|our|of|for|to|in|on|at|i|we)$/i.test(words.at(-1) ?? ''))
    words.pop()
  const name = shortenWords(words)
  return /\p{L}/u.test(name) ? name.charAt(0).toUpperCase() + name.slice(1) : null
}

function withoutOpenings(sentence: string): string {
  for (let rest = sentence; ;) {
    const opening = OPENING_PHRASES.map((pattern) => pattern.exec(rest)?.[0].length ?? 0).find(
      (length) => length > 0,
    )
    if (opening === undefined) return rest
    rest = rest.slice(opening).trimStart()
  }
}

function shortenWords(words: string[]): string {
  const kept = words.slice()
  while (kept.length > 1 && kept.join(' ').length > NAME_CHARS_MAX) kept.pop()
  return truncate(kept.join(' '), NAME_CHARS_MAX)
}
