import type { QueryClient, QueryKey } from '@tanstack/react-query'

/**
 * Removes a deleted item from a list on screen and reads the list again. The item leaves at once, because a list
 * that cannot be read now would offer to delete it a second time.
 */
export async function removeListed(client: QueryClient, queryKey: QueryKey, id: string): Promise<void> {
  await client.cancelQueries({ queryKey })
  client.setQueryData<{ id: string }[]>(queryKey, (items) => items?.filter((item) => item.id !== id))
  void client.invalidateQueries({ queryKey })
}
