/** Derives the fields of a ticket by fixed rules, so that the same sentence always gives the same fields. */
export function captureFields(sentence: string) {
  return {
    title: ticketTitle(sentence),
    type: ticketType(sentence),
    priority: priorityOf(sentence),
    labels: [] as string[],
  }
}

const TITLE_LETTERS_MAX = 80
const BULLET = /^(?:[-*•]|\d{1,3}[.)])\s+/

/** Returns the first sentence that has a letter or a digit, cut at a word boundary to fit one line of a list. */
function ticketTitle(text: string): string {
  const sentences = text
    .trim()
    .replace(BULLET, '')
    .split(/\n|(?<=[.!?])\s/)
  const first = sentences
    .find((sentence) => /[\p{L}\p{N}]/u.test(sentence))
    ?.trim()
    .replace(/[.!]+$/, '')
  // Count code points and not UTF-16 units, so that no emoji is cut in two.
  const letters = Array.from(first ?? text.trim())
  if (letters.length <= TITLE_LETTERS_MAX) return letters.join('')
  return `${letters
    .slice(0, TITLE_LETTERS_MAX - 1)
    .join('')
    .replace(/\s+\S*$/, '')}…`
}

function ticketType(sentence: string): string {
  if (/\b(?:bug|broken|crash(?:es)?|error|fails?|wrong|fix)\b/i.test(sentence)) return 'bug'
  if (/\b(?:clean up|refactor|rename|upgrade|remove)\b/i.test(sentence)) return 'chore'
  if (/\b(?:add|build|create|track|manage|app|list|keep|store|collect)\b/i.test(sentence)) return 'feature'
  return 'task'
}

function priorityOf(sentence: string): string {
  if (/\b(?:urgent|asap|immediately|right now)\b/i.test(sentence)) return 'urgent'
  if (/\b(?:important|high priority|blocker)\b/i.test(sentence)) return 'high'
  return 'none'
}
