export interface LineCounts {
  added: number
  removed: number
}

/** Counts a change as if every line was replaced: for new and deleted files, and for files that take too long to compare. */
export const countAllLines = (before: string, after: string): LineCounts => ({
  added: countLines(after),
  removed: countLines(before),
})

function countLines(text: string): number {
  if (text === '') return 0
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0)
}
