import type { Attachment } from '@slipway/sdk/client/types.gen.ts'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { attachFile } from '../../api/attachments.ts'
import { type Upload, UploadQueue } from '../../api/upload-queue.ts'
import { readDraft, storeDraft } from '../../shell/drafts.ts'
import { checkFiles, type FileProblem } from './attachment-check.ts'

/** A file that the next message carries. */
export interface Kept extends Attachment {
  name: string
  size: number
}

export interface Attachments {
  kept: Kept[]
  uploads: readonly Upload[]
  refused: { name: string; problem: FileProblem | 'needsHttps' }[]
  add: (files: File[]) => void
  retry: (id: number) => void
  drop: (id: number) => void
  remove: (keys: string[]) => void
}

const DRAFT = 'plan-files'

/** The files of a message that is not sent yet. What is uploaded survives a reload, as the text does. */
export function useAttachments(projectId: string): Attachments {
  const [kept, setKept] = useState(() => readKept(projectId))
  const [refused, setRefused] = useState<Attachments['refused']>([])
  const [queue] = useState(() => new UploadQueue(() => {}))
  const uploads = useSyncExternalStore(
    (listener) => queue.subscribe(listener),
    () => queue.uploads,
  )
  useEffect(
    () => storeDraft(kept.length === 0 ? '' : JSON.stringify(kept), DRAFT, projectId),
    [kept, projectId],
  )
  useEffect(() => () => queue.stop(), [queue])

  const add = (files: File[]) => {
    // Browsers give the hash function to secure pages only.
    if (!isSecureContext) {
      setRefused(files.map(({ name }) => ({ name, problem: 'needsHttps' })))
      return
    }
    const onTheWay = [...kept, ...uploads]
    const checked = checkFiles(files, {
      count: onTheWay.length,
      bytes: onTheWay.reduce((sum, { size }) => sum + size, 0),
    })
    setRefused(checked.refused)
    queue.add(
      checked.good.map(({ file, mediaType }) => ({
        path: file.name,
        size: file.size,
        run: async (signal, onSent) => {
          const attachment = await attachFile(projectId, file, mediaType, { signal, onSent })
          signal.throwIfAborted()
          const { name, size } = file
          setKept((known) => [
            ...known.filter(({ key }) => key !== attachment.key),
            { ...attachment, name, size },
          ])
        },
      })),
    )
  }
  return {
    kept,
    uploads,
    refused,
    add,
    retry: (id) => queue.retry(id),
    drop: (id) => queue.drop(id),
    remove: (keys) => setKept((known) => known.filter(({ key }) => !keys.includes(key))),
  }
}

/** Drafts are kept as text; one that another version wrote is left out. */
function readKept(projectId: string): Kept[] {
  try {
    const stored: unknown = JSON.parse(readDraft(DRAFT, projectId) || '[]')
    return Array.isArray(stored) ? stored.filter(isKept) : []
  } catch {
    return []
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== 'object' || value === null) return false
  const { key, mediaType, name, size } = value as Record<string, unknown>
  return [key, mediaType, name].every((part) => typeof part === 'string') && typeof size === 'number'
}
