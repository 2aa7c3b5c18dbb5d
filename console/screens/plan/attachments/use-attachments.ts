import { useStore } from '../../../lib/store.ts'
import { attachmentsOf } from './attachment-store.ts'

export function useAttachments(projectId: string) {
  const store = attachmentsOf(projectId)
  return {
    ...useStore(store),
    add: (chosen: File[]) => store.add(chosen),
    retry: (id: number) => store.retry(id),
    drop: (id: number) => store.drop(id),
    remove: (keys: string[]) => store.remove(keys),
  }
}

export type Attachments = ReturnType<typeof useAttachments>
