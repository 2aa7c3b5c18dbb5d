import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Removes a deleted item from a list on screen at once and then refetches the list. Without the removal a
 * failed refetch would leave the item there, with its delete button.
 */
export async function removeFromList(client: QueryClient, queryKey: QueryKey, id: string): Promise<void> {
  await client.cancelQueries({ queryKey })
  client.setQueryData<{ id: string }[]>(queryKey, (items) => items?.filter((item) => item.id !== id))
  void client.invalidateQueries({ queryKey })
}
