import type { TreePageKey } from '../../../api/project/tickets.ts'
import type { TreePage, TreeTicket } from '../../../api/types.ts'

export const ROOT_KEY = 'root'

export interface TreeOptions {
  active: boolean
  expanded: ReadonlySet<string>
  /** The number of loaded pages of children, by the id of the parent ticket. Tickets with one page have no entry. */
  pages: ReadonlyMap<string, number>
}

export type TicketTreeRow =
  | { kind: 'ticket'; key: string; level: number; ticket: TreeTicket; isExpanded: boolean }
  /** The row below the children of a ticket while they are loading, or when they have more pages. */
  | { kind: 'loading' | 'more'; key: string; level: number; parent: string }

export interface TreeView {
  rows: TicketTreeRow[]
  /** The pages that the expanded part of the tree needs. Includes loaded and missing pages. */
  pageKeys: TreePageKey[]
}

/** Returns the loaded rows of the tree from top to bottom, and the pages that these rows need. */
export function viewTree(
  options: TreeOptions,
  read: (pageKey: TreePageKey) => TreePage | undefined,
): TreeView {
  const rows: TicketTreeRow[] = []
  const pageKeys: TreePageKey[] = []
  // Each level is fetched by a separate request, so while tickets are moved, two tickets may each be listed as a child of the other.
  // Without this set the walk would then not end.
  const shown = new Set<string>()
  const walk = (parent: string, level: number) => {
    const wanted = options.pages.get(parent) ?? 1
    let cursor = ''
    for (let page = 0; page < wanted; page++) {
      const pageKey = { parent, active: options.active, cursor }
      pageKeys.push(pageKey)
      const found = read(pageKey)
      if (!found) {
        rows.push({ kind: 'loading', key: `loading-${parent}`, level, parent })
        return
      }
      for (const ticket of found.items) {
        if (shown.has(ticket.id)) continue
        shown.add(ticket.id)
        const isExpanded = options.expanded.has(ticket.id) && hasShownChildren(ticket, options.active)
        rows.push({ kind: 'ticket', key: ticket.id, level, ticket, isExpanded })
        if (isExpanded) walk(ticket.id, level + 1)
      }
      if (found.nextCursor === null) return
      cursor = found.nextCursor
    }
    rows.push({ kind: 'more', key: `more-${parent}`, level, parent })
  }
  walk(ROOT_KEY, 1)
  return { rows, pageKeys }
}

/** Whether a ticket has children to show. With `active` only open children count. */
export const hasShownChildren = (ticket: TreeTicket, active: boolean): boolean =>
  (active ? ticket.openChildCount : ticket.childCount) > 0

/**
 * Returns what the left or right arrow key does on a row: fold or open it, or move to its parent or first
 * child.
 */
export function treeKeyAction(
  rows: TicketTreeRow[],
  id: string,
  key: 'ArrowLeft' | 'ArrowRight',
  active: boolean,
): { toggle: string } | { focus: string } | null {
  const at = rows.findIndex((row) => row.key === id)
  const row = rows[at]
  if (row?.kind !== 'ticket') return null
  if (key === 'ArrowRight') {
    if (!hasShownChildren(row.ticket, active)) return null
    if (!row.isExpanded) return { toggle: id }
    const below = rows[at + 1]
    return below?.kind === 'ticket' && below.level > row.level ? { focus: below.key } : null
  }
  if (row.isExpanded) return { toggle: id }
  const above = rows.slice(0, at).findLast((other) => other.kind === 'ticket' && other.level < row.level)
  return above ? { focus: above.key } : null
}
