/** Derives the fields of a ticket by fixed rules, so that the same sentence always gives the same fields. */
export function captureFields(sentence: string) {
  return {
    title: ticketTitle(sentence),
    type: ticketType(sentence),
    priority: priorityOf(sentence),
    labels: [] as string[],
  }
}

/** Returns the first sentence, cut at a word boundary to fit one line of a list. */
function ticketTitle(sentence: string): string {
  const first = (sentence.trim().split(/\n|(?<=[.!?])\s/)[0] ?? '').replace(/[.!]+$/, '')
  if (first.length <= 80) return first
  return `${first.slice(0, 79).replace(/\s+\S*$/, '')}…`
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
