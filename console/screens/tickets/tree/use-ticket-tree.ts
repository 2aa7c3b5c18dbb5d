import { keepPreviousData, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queryKeys } from '../../../api/query-keys.ts'
import { ticketRollupsQuery, ticketTreeQuery } from '../../../api/project/tickets.ts'
import { type TicketTreeRow, type TreeOptions, viewTree } from './tree-rows.ts'

/** The maximum number of tickets whose rollups the service returns in one request. */
const ROLLUPS_MAX = 500

/** The opened levels of each project, stored outside of the component so that switching views does not fold them. */
const rememberedOptions = new Map<string, TreeOptions>()
const DEFAULT_TREE_OPTIONS: TreeOptions = { active: false, expanded: new Set(), pages: new Map() }

/**
 * The opened part of the ticket tree, loaded level by level, with the rollup of each ticket: the number of its
 * descendants by status.
 */
export function useTicketTree(projectId: string) {
  const client = useQueryClient()
  const [options, setOptions] = useState(() => rememberedOptions.get(projectId) ?? DEFAULT_TREE_OPTIONS)
  const changeOptions = (next: Partial<TreeOptions>) => {
    const all = { ...options, ...next }
    rememberedOptions.set(projectId, all)
    setOptions(all)
  }
  const { rows, pageKeys } = viewTree(options, (pageKey) =>
    client.getQueryData(ticketTreeQuery(projectId, pageKey).queryKey),
  )
  const { error } = useQueries({
    queries: pageKeys.map((pageKey) => ticketTreeQuery(projectId, pageKey)),
    // `viewTree` above reads the pages from the cache. No code reads `readAt`: it changes when a page has loaded, which renders the tree
    // again.
    combine: (levels) => ({
      // Report only levels that were never loaded. A loaded level stays on screen when reading it again fails.
      error: levels.find((level) => level.isLoadingError)?.error ?? null,
      readAt: levels.map(({ dataUpdatedAt }) => dataUpdatedAt),
    }),
  })
  const rollups = useQuery({
    ...ticketRollupsQuery(projectId, parentsOf(rows)),
    placeholderData: keepPreviousData,
  }).data
  return {
    rows,
    rollups,
    options,
    error,
    retry: () =>
      void client.refetchQueries({ queryKey: queryKeys.tickets.wholeTree(projectId), type: 'active' }),
    hideClosed: (active: boolean) => changeOptions({ active }),
    toggle: (id: string) => {
      const expanded = new Set(options.expanded)
      if (!expanded.delete(id)) expanded.add(id)
      changeOptions({ expanded })
    },
    more: (parent: string) =>
      changeOptions({ pages: new Map([...options.pages, [parent, (options.pages.get(parent) ?? 1) + 1]]) }),
  }
}

export type OpenTree = ReturnType<typeof useTicketTree>

function parentsOf(rows: TicketTreeRow[]): string[] {
  const parents = rows.flatMap((row) =>
    row.kind === 'ticket' && row.ticket.childCount > 0 ? [row.ticket.id] : [],
  )
  return parents.slice(0, ROLLUPS_MAX)
}
