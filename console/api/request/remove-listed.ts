import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Removes a deleted item from a list on screen and reads the list again. The item disappears before that: if
 * reading fails, the list would otherwise still offer to delete it.
 */
export async function removeListed(client: QueryClient, queryKey: QueryKey, id: string): Promise<void> {
  await client.cancelQueries({ queryKey })
  client.setQueryData<{ id: string }[]>(queryKey, (items) => items?.filter((item) => item.id !== id))
  void client.invalidateQueries({ queryKey })
}
