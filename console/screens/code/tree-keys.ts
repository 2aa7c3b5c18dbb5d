import type { CodeTreeRow } from './tree-rows.ts'

/** The effect of a key in the tree: another active row, a toggled folder, or a chosen file. */
export type TreeMove = { active: string } | { toggle: string } | { choose: string }

/** Returns the effect of a key according to the ARIA tree view pattern. Null for any other key. */
export function treeMove(key: string, rows: readonly CodeTreeRow[], active: string | null): TreeMove | null {
  const at = rows.findIndex(({ path }) => path === active)
  const row = rows[at]
  const moveTo = (to: number): TreeMove | null => {
    const target = rows[to]
    return target ? { active: target.path } : null
  }
  switch (key) {
    case 'ArrowDown':
      return moveTo(at + 1)
    case 'ArrowUp':
      return moveTo(at === -1 ? rows.length - 1 : at - 1)
    case 'Home':
      return moveTo(0)
    case 'End':
      return moveTo(rows.length - 1)
    case 'PageDown':
      return moveTo(Math.min(rows.length - 1, at + PAGE_ROWS))
    case 'PageUp':
      return moveTo(Math.max(0, at - PAGE_ROWS))
    case 'ArrowRight':
      if (!row?.isFolder) return null
      return row.isOpen ? moveTo(at + 1) : { toggle: row.path }
    case 'ArrowLeft':
      if (!row) return null
      return row.isOpen ? { toggle: row.path } : moveTo(parentOf(rows, at))
    case 'Enter':
    case ' ':
      if (!row) return null
      return row.isFolder ? { toggle: row.path } : { choose: row.path }
    default:
      return null
  }
}

const PAGE_ROWS = 15

function parentOf(rows: readonly CodeTreeRow[], at: number): number {
  const level = rows[at]?.level ?? 1
  return rows.findLastIndex((row, index) => index < at && row.level < level)
}
