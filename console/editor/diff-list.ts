import type { FileDiff } from './shown-text.ts'

/** How many changed lines are expanded at first. Rendering thousands of lines is slow, and people do not read them all. */
const OPEN_LINES_MAX = 1_500

/** The paths of the files that are expanded at first: up to `OPEN_LINES_MAX` changed lines, and always the first file. */
export function initiallyExpanded(files: readonly FileDiff[]): Set<string> {
  let lines = 0
  const open = new Set<string>()
  for (const { path, added, removed } of files) {
    lines += added + removed
    if (lines > OPEN_LINES_MAX && open.size > 0) break
    open.add(path)
  }
  return open
}

export function sumChanges(files: readonly FileDiff[]): { added: number; removed: number } {
  const sum = { added: 0, removed: 0 }
  for (const { added, removed } of files) {
    sum.added += added
    sum.removed += removed
  }
  return sum
}

/** Returns the first change below `fromPx`; when there is none below, the first change of the page. */
export function nextChange(
  changesPx: readonly number[],
  fromPx: number,
): { px: number; place: number; count: number } | null {
  const sorted = [...changesPx].sort((a, b) => a - b)
  const below = sorted.findIndex((px) => px > fromPx + 1)
  const place = Math.max(0, below)
  const px = sorted[place]
  return px === undefined ? null : { px, place: place + 1, count: sorted.length }
}
